// requests BASE-URL COUNT JOBS: the pages 1 to COUNT from one server through one client, JOBS at a time.
// Ends with 0 only where each one came, and all of it.

import CurlTransport
import EndpointKit
import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

enum Pages: API {
    case page(number: Int)

    static let api = APIInfo(name: "pages", servers: [], credentials: [])
    static let examples: [Pages] = [.page(number: 1)]

    var endpoint: Endpoint {
        switch self {
        case .page(let number): .get("/page", query: ["n": number], returns: Empty.self, summary: "One page")
        }
    }
}

/// The body is counted, not decoded.
struct Empty: Codable, Sendable {}

let words = CommandLine.arguments
guard words.count == 4, let count = Int(words[2]), let jobs = Int(words[3]) else {
    fatalError("usage: requests BASE-URL COUNT JOBS")
}
let transport = CurlTransport(
    configuration: CurlConfiguration { name in getenv(name).map { String(cString: $0) } })
var client = Client(transport: transport, variables: [:])
client.options.base = try BaseURL(words[1])
let last = Atomic(0)
let size = Atomic(0)
try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<jobs {
        group.addTask { [client] in
            while true {
                let number = last.add(1, ordering: .relaxed).newValue
                guard number <= count else { return }
                let response = try await client.rawResponse(to: Pages.page(number: number))
                size.add(response.body.count, ordering: .relaxed)
            }
        }
    }
    try await group.waitForAll()
}
print(size.load(ordering: .relaxed))
