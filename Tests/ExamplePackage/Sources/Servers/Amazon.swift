import EndpointKit

/// Amazon S3, as far as the tests need it: objects in buckets, with requests that are signed.
public enum Storage: API {
    case makeBucket(bucket: String)
    case write(bucket: String, key: String, text: String)
    case read(bucket: String, key: String)
    case list(bucket: String, prefix: String?)
    case delete(bucket: String, key: String)

    public static let api = APIInfo(
        name: "storage",
        summary: "Amazon S3",
        servers: [Server("local", url: "http://127.0.0.1:5000")],
        credentials: [.signed(by: .awsSigV4(region: "us-east-1", service: "s3"))])
    public static let examples: [Storage] = [
        .makeBucket(bucket: "b"), .write(bucket: "b", key: "a/ü+1", text: "hello"), .read(bucket: "b", key: "a/ü+1"),
        .list(bucket: "b", prefix: "a/"), .delete(bucket: "b", key: "a/ü+1"),
    ]

    public var endpoint: Endpoint {
        switch self {
        case .makeBucket(let bucket):
            .put("/\(bucket)", returns: EmptyResponse.self, summary: "Makes a bucket")
        case .write(let bucket, let key, let text):
            .put("/\(bucket)/\(segments: key)", body: .text(text), returns: EmptyResponse.self, summary: "Writes")
        case .read(let bucket, let key):
            .get("/\(bucket)/\(segments: key)", returns: RawResponse.self, summary: "Reads an object")
        case .list(let bucket, let prefix):
            .get(
                "/\(bucket)", query: ["list-type": 2, "prefix": prefix], returns: RawResponse.self,
                summary: "Lists objects, in XML")
        case .delete(let bucket, let key):
            .delete("/\(bucket)/\(segments: key)", returns: EmptyResponse.self, summary: "Deletes an object")
        }
    }
}

/// Amazon DynamoDB, as far as the tests need it: one URL for all methods, with requests that are signed.
public enum Tables: API {
    case make(table: String)
    case list

    public static let api = APIInfo(
        name: "tables",
        summary: "Amazon DynamoDB",
        servers: [Server("local", url: "http://127.0.0.1:5000")],
        credentials: [
            .signed(by: .awsSigV4(region: "us-east-1", service: "dynamodb"))
        ])
    public static let examples: [Tables] = [.make(table: "t"), .list]

    public struct Names: Codable, Sendable, Equatable {
        public let names: [String]

        enum CodingKeys: String, CodingKey { case names = "TableNames" }
    }

    public var endpoint: Endpoint {
        switch self {
        case .make(let table):
            .post(
                "/", headers: Self.target("CreateTable"), body: .object(Self.definition(of: table)),
                returns: JSONValue.self, summary: "Makes a table")
        case .list:
            .post(
                "/", headers: Self.target("ListTables"), body: .object([:]), returns: Names.self,
                summary: "The names of all tables")
        }
    }

    /// The headers that name the method and the format.
    private static func target(_ method: String) -> Headers {
        ["X-Amz-Target": "DynamoDB_20120810.\(method)", "Content-Type": "application/x-amz-json-1.0"]
    }

    /// Returns the definition of a table whose items are found by their `id`.
    private static func definition(of table: String) -> JSONObject {
        [
            "TableName": table, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [["AttributeName": "id", "AttributeType": "S"]],
            "KeySchema": [["AttributeName": "id", "KeyType": "HASH"]],
        ]
    }
}
