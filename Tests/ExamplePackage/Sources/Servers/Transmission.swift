import EndpointKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Transmission 3.00: one URL for all methods. A first request gets 409 with the header that the next ones need; failures have status 200.
public enum Transmission: API {
    case session(fields: [String]?)
    case stats
    case limitDownloads(enabled: Bool, kilobytesPerSecond: Int?)
    case freeSpace(path: String)
    case torrents(ids: [Int]?, fields: [String])
    case add(metainfo: String, paused: Bool?)
    case stop(ids: [Int])
    case remove(ids: [Int], deleteLocalData: Bool?)

    public static let api = APIInfo(
        name: "transmission",
        summary: "Transmission's remote procedure calls",
        servers: [Server("local", url: "http://127.0.0.1:9091")],
        coding: Coding(dates: .secondsSince1970),
        credentials: [
            .basic(userVariable: "TRANSMISSION_USER", passwordVariable: "TRANSMISSION_PASSWORD"),
            .header("X-Transmission-Session-Id", variable: "TRANSMISSION_SESSION").optional,
        ])
    public static let examples: [Transmission] = [
        .session(fields: ["version", "rpc-version"]), .stats, .limitDownloads(enabled: true, kilobytesPerSecond: 50),
        .freeSpace(path: "/tmp"), .torrents(ids: nil, fields: ["id", "name", "addedDate", "status"]),
        .add(metainfo: hello, paused: true), .stop(ids: [1]), .remove(ids: [1], deleteLocalData: nil),
    ]

    public var endpoint: Endpoint {
        switch self {
        case .session(let fields):
            Self.call("session-get", ["fields": fields], Session.self, "Settings and versions")
        case .stats: Self.call("session-stats", [:], Stats.self, "Counters")
        case .limitDownloads(let enabled, let limit):
            Self.call(
                "session-set", ["speed-limit-down-enabled": enabled, "speed-limit-down": limit], Nothing.self,
                "Limit the speed of downloads", rules: [.range("kilobytesPerSecond", 1...)])
        case .freeSpace(let path): Self.call("free-space", ["path": path], Space.self, "Free space in a directory")
        case .torrents(let ids, let fields):
            Self.call("torrent-get", ["ids": ids, "fields": fields], Torrents.self, "Torrents")
        case .add(let metainfo, let paused):
            Self.call(
                "torrent-add", ["metainfo": metainfo, "paused": paused], Added.self, "Add a torrent",
                notes: ["metainfo": "the torrent file in Base64"])
        case .stop(let ids): Self.call("torrent-stop", ["ids": ids], Nothing.self, "Stop torrents")
        case .remove(let ids, let deleteLocalData):
            Self.call(
                "torrent-remove", ["ids": ids, "delete-local-data": deleteLocalData], Nothing.self, "Remove torrents")
        }
    }

    private static func call<Arguments: Codable & Sendable>(
        _ method: String, _ arguments: JSONObject, _ model: Arguments.Type, _ summary: String,
        notes: [ParameterName: String] = [:],
        rules: [ParameterRule] = [], line: Int = #line
    ) -> Endpoint {
        .post(
            "/transmission/rpc", body: .object(["method": method, "arguments": arguments]),
            returns: Reply<Arguments>.self,
            summary: summary, notes: notes, rules: rules, line: line)
    }

    /// A torrent of one file of five bytes.
    private static let hello =
        "ZDQ6aW5mb2Q2Omxlbmd0aGk1ZTQ6bmFtZTU6aGVsbG8xMjpwaWVjZSBsZW5ndGhpMTYzODRlNjpwaWVjZXMyMDoBAgMEBQYHCAkKCwwNDg8QERITFGVl"

    /// The response to every method.
    public struct Reply<Arguments: Codable & Sendable>: Codable, Sendable, Validated {
        public var arguments: Arguments?
        public var result: String

        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            result = try container.decode(String.self, forKey: .result)
            arguments = result == "success" ? try container.decode(Arguments.self, forKey: .arguments) : nil
        }

        public func validate() throws(ReportedFailure) {
            if result != "success" { throw ReportedFailure(result) }
        }
    }

    public struct Nothing: Codable, Sendable {}

    public struct Session: Codable, Sendable {
        public var version: String?
        public var rpcVersion: Int?

        private enum CodingKeys: String, CodingKey {
            case version
            case rpcVersion = "rpc-version"
        }
    }

    public struct Stats: Codable, Sendable {
        public var activeTorrentCount, pausedTorrentCount, torrentCount, downloadSpeed, uploadSpeed: Int
        public var cumulative, current: Counters

        public struct Counters: Codable, Sendable {
            public var downloadedBytes, uploadedBytes, filesAdded, secondsActive, sessionCount: Int
        }

        private enum CodingKeys: String, CodingKey {
            case activeTorrentCount, pausedTorrentCount, torrentCount, downloadSpeed, uploadSpeed
            case cumulative = "cumulative-stats"
            case current = "current-stats"
        }
    }

    public struct Space: Codable, Sendable {
        public var path: String
        public var bytes: Int

        private enum CodingKeys: String, CodingKey {
            case path
            case bytes = "size-bytes"
        }
    }

    public struct Torrents: Codable, Sendable { public var torrents: [Torrent] }

    public struct Torrent: Codable, Sendable {
        public var id: Int?
        public var name, hashString: String?
        public var addedDate: Date?
        public var status: Int?
    }

    public struct Added: Codable, Sendable {
        public var added, duplicate: Torrent?

        private enum CodingKeys: String, CodingKey {
            case added = "torrent-added"
            case duplicate = "torrent-duplicate"
        }
    }
}
