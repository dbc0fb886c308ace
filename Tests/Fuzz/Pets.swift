// The API and the files of the targets that run whole command lines.

import Synchronization

@testable import ApictlCLI
@testable import EndpointKit

enum Pets: API {
    case find(status: String, page: Int?)
    case add(pet: Pet)
    case photo(String)

    struct Pet: Codable, Sendable {
        var name: String
        var tags: [String]?
    }

    static let api = APIInfo(
        name: "pets",
        servers: [Server("production", url: "https://pets.test/v1")],
        credentials: [.query("key", variable: "PETS_KEY")])
    static let examples: [Pets] = [
        .find(status: "sold", page: 1), .add(pet: Pet(name: "Rex", tags: ["a"])), .photo("1"),
    ]

    var endpoint: Endpoint {
        switch self {
        case .find(let status, let page):
            .get("/pets", query: ["status": status, "page": page], returns: [Pet].self, summary: "Find")
        case .add(let pet): .post("/pets", body: .json(pet), returns: Pet.self, summary: "Add")
        case .photo(let id): .get("/pets/\(id)/photo", returns: RawResponse.self, summary: "Photo")
        }
    }
}

final class Bytes: ByteInput {
    let isTerminal = false
    private let rest: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) { rest = Mutex(bytes) }

    func read(until deadline: ContinuousClock.Instant?) throws -> [UInt8] {
        rest.withLock { rest in
            defer { rest = [] }
            return rest
        }
    }
}

struct Files: FileSystem {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func open(_ path: String) throws -> any ByteInput { Bytes(bytes) }
    func beginReplacing(_ path: String, isPrivate: Bool) throws -> any FileReplacement { Nowhere() }
    func requireReadable(_ path: String) throws {}
    func isStream(_ path: String) -> Bool { false }
    func resume(_ path: String) throws -> PartialFile { throw FileError(.write, path, reason: "not here") }
    func list(_ directory: String, directories: Bool) throws -> [String] { [] }
    func makeDirectory(_ path: String) throws {}
    func remove(_ path: String) throws {}
    func realPath(_ path: String) -> String { path }
}

struct Nowhere: FileReplacement {
    let isTerminal = false

    func write(_ bytes: [UInt8]) throws {}
    func restart() throws -> Bool { false }
    func commit() throws {}
    func discard() {}
}
