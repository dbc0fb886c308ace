import EndpointKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// etcd 3.4 over its JSON gateway: everything is a POST, keys and values are Base64, 64-bit integers are strings.
public enum Etcd: API {
    case version, health, metrics, status, members, leases
    case put(key: String, value: String, lease: String?, prevKv: Bool?)
    case range(key: String, rangeEnd: String?, limit: Int?, keysOnly: Bool?)
    case deleteRange(key: String, rangeEnd: String?)
    case putIfAbsent(key: String, value: String)
    case grant(seconds: Int)
    case revoke(lease: String)

    public static let api = APIInfo(
        name: "etcd",
        summary: "etcd 3.4 over JSON",
        servers: [Server("local", url: "http://127.0.0.1:2379")],
        coding: Coding(keys: .convertFromSnakeCase),
        errorModel: EtcdError.self)
    public static let examples: [Etcd] = [
        .version, .health, .metrics, .status, .members, .leases,
        .put(key: "greeting", value: "Grüße", lease: nil, prevKv: true),
        .range(key: "greeting", rangeEnd: nil, limit: 10, keysOnly: nil), .deleteRange(key: "greeting", rangeEnd: nil),
        .putIfAbsent(key: "lock", value: "mine"), .grant(seconds: 60), .revoke(lease: "1"),
    ]

    public var endpoint: Endpoint {
        switch self {
        case .version: .get("/version", returns: EtcdVersion.self, summary: "Versions of server and cluster")
        case .health: .get("/health", returns: EtcdHealth.self, summary: "Whether it is healthy")
        case .metrics: .get("/metrics", returns: RawResponse.self, summary: "Metrics as text")
        case .status:
            .post(
                "/v3/maintenance/status", body: .object([:]), returns: EtcdStatus.self, summary: "State of this member")
        case .members:
            .post(
                "/v3/cluster/member/list", body: .object([:]), returns: EtcdMembers.self,
                summary: "Members of the cluster")
        case .leases: .post("/v3/lease/leases", body: .object([:]), returns: EtcdLeases.self, summary: "All leases")
        case .put(let key, let value, let lease, let prevKv):
            .post(
                "/v3/kv/put",
                body: .object(["key": Data(key.utf8), "value": Data(value.utf8), "lease": lease, "prev_kv": prevKv]),
                returns: EtcdPut.self, summary: "Set a value", notes: ["prevKv": "respond with the value before"])
        case .range(let key, let rangeEnd, let limit, let keysOnly):
            .post(
                "/v3/kv/range",
                body: .object([
                    "key": Data(key.utf8), "range_end": rangeEnd.map { Data($0.utf8) }, "limit": limit,
                    "keys_only": keysOnly,
                ]),
                returns: EtcdRange.self, summary: "Values of a key or of keys up to another one",
                rules: [.range("limit", 1...)])
        case .deleteRange(let key, let rangeEnd):
            .post(
                "/v3/kv/deleterange",
                body: .object(["key": Data(key.utf8), "range_end": rangeEnd.map { Data($0.utf8) }]),
                returns: EtcdDeleted.self, summary: "Delete a key or keys up to another one")
        case .putIfAbsent(let key, let value):
            .post(
                "/v3/kv/txn",
                body: .object([
                    "compare": [
                        ["key": Data(key.utf8), "target": "VERSION", "result": "EQUAL", "version": "0"] as JSONObject
                    ],
                    "success": [
                        ["request_put": ["key": Data(key.utf8), "value": Data(value.utf8)] as JSONObject] as JSONObject
                    ],
                ]),
                returns: EtcdTransaction.self, summary: "Set a value unless there is one")
        case .grant(let seconds):
            .post(
                "/v3/lease/grant", body: .object(["TTL": seconds]), returns: EtcdLease.self, summary: "Make a lease",
                rules: [.range("seconds", 1...)])
        case .revoke(let lease):
            .post("/v3/lease/revoke", body: .object(["ID": lease]), returns: EtcdRevoked.self, summary: "End a lease")
        }
    }
}

/// A 64-bit integer that is a string in JSON.
public struct Int64Text: Codable, Sendable, Equatable {
    public var value: Int64

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Int64(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is not an integer.")
        }
        self.value = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(value)")
    }
}

public struct EtcdError: ErrorModel {
    public var code: Int
    public var message: String
}

public struct EtcdVersion: Codable, Sendable { public var etcdserver, etcdcluster: String }
public struct EtcdHealth: Codable, Sendable { public var health: String }

public struct EtcdHeader: Codable, Sendable {
    public var clusterId, memberId: String?
    public var revision, raftTerm: Int64Text?
}

public struct EtcdStatus: Codable, Sendable {
    public var header: EtcdHeader
    public var version, leader: String
    public var dbSize, raftIndex, raftTerm, raftAppliedIndex, dbSizeInUse: Int64Text
}

public struct EtcdMembers: Codable, Sendable {
    public var header: EtcdHeader
    public var members: [Member]

    public struct Member: Codable, Sendable {
        public var id, name: String
        public var peerURLs, clientURLs: [String]

        private enum CodingKeys: String, CodingKey {
            case id = "ID"
            case name, peerURLs, clientURLs
        }
    }
}

public struct EtcdLeases: Codable, Sendable {
    public var header: EtcdHeader
    public var leases: [Lease]?

    public struct Lease: Codable, Sendable {
        public var id: String

        private enum CodingKeys: String, CodingKey { case id = "ID" }
    }
}

public struct EtcdLease: Codable, Sendable {
    public var header: EtcdHeader
    public var id: String
    public var seconds: Int64Text

    private enum CodingKeys: String, CodingKey {
        case header
        case id = "ID"
        case seconds = "TTL"
    }
}

public struct EtcdRevoked: Codable, Sendable { public var header: EtcdHeader }

public struct EtcdPair: Codable, Sendable {
    public var key: Data
    public var createRevision, modRevision, version: Int64Text?
    public var value: Data?
}

public struct EtcdPut: Codable, Sendable {
    public var header: EtcdHeader
    public var prevKv: EtcdPair?
}

public struct EtcdRange: Codable, Sendable {
    public var header: EtcdHeader
    public var kvs: [EtcdPair]?
    public var count: Int64Text?
}

public struct EtcdDeleted: Codable, Sendable {
    public var header: EtcdHeader
    public var deleted: Int64Text?
}

public struct EtcdTransaction: Codable, Sendable {
    public var header: EtcdHeader
    public var succeeded: Bool?
    public var responses: [JSONValue]?
}
