import EndpointKit
import Foundation

/// An API for the uses in this directory: each case shows one way to declare an endpoint.
enum Garden: API {
    case plants(status: Status?, kinds: [String]?)
    case plant(_ id: Int)
    case add(Plant)
    case rename(id: Int, name: Nullable<String>?)
    case water(id: Int, litres: Double)
    case photo(path: String)
    case upload(id: Int, file: String)
    case uploadBytes(id: Int, bytes: Data)
    case remove(id: Int)
    case purge
    case visits(since: Date?, language: String?)
    case journal(page: Int?)
    case log

    enum Status: String, Codable, CaseIterable, ScalarParameter { case seed, growing, dead }

    static let api = APIInfo(
        name: "garden",
        summary: "A garden",
        servers: [
            Server("production", url: "https://garden.example.com/v1"),
            Server(
                "staging", url: "https://staging.garden.example.com/v1",
                credentials: [.basic(userVariable: "GARDEN_USER", passwordVariable: "GARDEN_PASSWORD")]),
        ],
        coding: Coding(keys: .convertFromSnakeCase(except: ["iso_639_1"]), dates: .secondsSince1970),
        credentials: [
            .bearer(variable: "GARDEN_TOKEN", helpURL: "https://garden.example.com/tokens")
                .or(.query("api_key", variable: "GARDEN_KEY"))
        ],
        logins: [
            .oauth(
                "GARDEN_TOKEN", token: "https://id.example.com/token", device: "https://id.example.com/device",
                client: .id("garden-app"))
        ],
        headers: ["X-Client": "uses"],
        samples: Samples(Array(#"{"plants": [], "log": "watered\nwatered"}"#.utf8)),
        errorModel: GardenError.self)
    static let examples: [Garden] = [.plants(status: .growing, kinds: nil), .plant(1), .journal(page: 1), .log]
    static let placeholders: [Garden] = [.remove(id: 1), .purge]

    var endpoint: Endpoint {
        switch self {
        case .plants(let status, let kinds):
            listOfTexts(status, kinds)
        case .plant(let id):
            .get("/plants/\(id)", returns: Plant.self, summary: "One plant", notes: [0: "a plant's id"])
        case .add(let plant):
            .post("/plants", body: .json(plant), returns: Plant.self, summary: "Add a plant")
        case .rename(let id, let name):
            changeThatMayBeNull(id, name)
        case .water(let id, let litres):
            numberInALimitedRange(id, litres)
        case .photo(let path):
            severalPathSegments(path)
        case .upload(let id, let file):
            fileInAForm(id, file)
        case .uploadBytes(let id, let bytes):
            bytesInAForm(id, bytes)
        case .remove(let id):
            .delete("/plants/\(id)", returns: EmptyResponse.self, summary: "Remove a plant")
        case .purge:
            unusualMethod()
        case .visits(let since, let language):
            headerThatMayBeMissing(since, language)
        case .journal(let page):
            listInPages(page)
        case .log:
            textThatIsNotJSON()
        }
    }

    /// Sends an array as one query item: `kinds=a,b`.
    private func listOfTexts(_ status: Status?, _ kinds: [String]?) -> Endpoint {
        .get(
            "/plants", query: ["status": status, "kinds": kinds?.joined(by: ",")], returns: [Plant].self,
            summary: "Plants")
    }

    /// Tells null from absent: `{"name": null}` or `{}`.
    private func changeThatMayBeNull(_ id: Int, _ name: Nullable<String>?) -> Endpoint {
        .patch("/plants/\(id)", body: .object(["name": name]), returns: Plant.self, summary: "Rename a plant")
    }

    /// Refuses a value outside of a range before anything is sent.
    private func numberInALimitedRange(_ id: Int, _ litres: Double) -> Endpoint {
        .post(
            "/plants/\(id)/water", body: .form(["litres": litres]), returns: EmptyResponse.self, summary: "Water",
            rules: [.range("litres", 0.1...10)])
    }

    /// Puts a path with slashes into the path.
    private func severalPathSegments(_ path: String) -> Endpoint {
        .get("/photos/\(segments: path)", returns: RawResponse.self, summary: "A photo")
    }

    /// Uploads a file with a field beside it.
    private func fileInAForm(_ id: Int, _ file: String) -> Endpoint {
        .post(
            "/plants/\(id)/photos",
            body: .multipart([.field("title", "Photo"), .file("photo", path: file, contentType: "image/jpeg")]),
            returns: EmptyResponse.self, summary: "Upload a photo")
    }

    /// Uploads bytes in memory as a file.
    private func bytesInAForm(_ id: Int, _ bytes: Data) -> Endpoint {
        .post(
            "/plants/\(id)/photos",
            body: .multipart([.data("photo", bytes, filename: "photo.jpg", contentType: "image/jpeg")]),
            returns: EmptyResponse.self, summary: "Upload a photo from memory")
    }

    /// Uses a method that has no function of its own.
    private func unusualMethod() -> Endpoint {
        Endpoint("PURGE", "/cache", returns: EmptyResponse.self, summary: "Empty the cache")
    }

    /// Sends a header if there is a value.
    private func headerThatMayBeMissing(_ since: Date?, _ language: String?) -> Endpoint {
        .get(
            "/visits", query: ["since": since], headers: ["Accept-Language": language], returns: JSONValue.self,
            summary: "Visits")
    }

    /// Declares how a list is divided, so that `client.items` follows it.
    private func listInPages(_ page: Int?) -> Endpoint {
        .get(
            "/journal", query: ["page": page], returns: JournalPage.self, summary: "Journal",
            pages: .number("page", last: "total_pages", items: "entries"))
    }

    /// Returns text, with a sample of another type than JSON.
    private func textThatIsNotJSON() -> Endpoint {
        .get(
            "/log", returns: RawResponse.self, summary: "The log",
            sample: Sample("text/plain", Array("watered\n".utf8)))
    }
}

/// A model with a value that may be unknown: a new kind of the server is not an error.
struct Plant: Codable, Sendable {
    var id: Int
    var name: String
    var kind: OpenEnum<Kind>
    var plantedAt: Date?

    enum Kind: String, Codable, CaseIterable { case tree, flower }
}

/// A model of one page of a list.
struct JournalPage: Codable, Sendable {
    var totalPages: Int
    var entries: [Entry]

    struct Entry: Codable, Sendable { var text: String }
}

/// A response that may report a failure with status 200.
struct Receipt: Codable, Sendable, Validated {
    var status: String

    func validate() throws(ReportedFailure) {
        if status != "ok" { throw ReportedFailure(status) }
    }
}

/// The body of failed responses.
struct GardenError: ErrorModel {
    var code: Int
    var message: String
}

/// A signature of an API's own kind.
struct GardenSignature: Signer {
    let variables = ["GARDEN_SECRET"]

    func sign(_ request: inout Request, secrets: SignerSecrets, now: Date) throws {
        let text = try request.encodedPath + "?" + request.encodedQuery()
        let code = MessageDigest.sha256.authenticationCode(of: text, key: Array(secrets["GARDEN_SECRET"].utf8))
        request.setHeader("X-Signature", Base64URL.encode(code))
    }
}
