import EndpointKit
import MockServer
import Synchronization

/// Chooses which requests fail: by the seed, the request and how often it came, not by the order of different requests, so that a client that
/// sends them all at once meets the same failures each time.
final class MockFaults: Sendable {
    /// The part of the requests that fail.
    let rate: Double
    let seed: UInt64
    /// How often requests came, by the last bits of their hash: a table that does not grow with the requests.
    private let counts = Mutex([UInt64](repeating: 0, count: 4096))

    init(rate: Double, seed: UInt64) { (self.rate, self.seed) = (rate, seed) }

    /// Whether a request fails, which is counted.
    func fails(_ request: ReceivedRequest) -> Bool {
        // The boundary of a multipart body is another one each time.
        let isMultipart = request["Content-Type"]?.lowercased().hasPrefix("multipart/") ?? false
        let text = "\(seed) \(request.method) \(request.target) "
        let hash = (text.utf8 + (isMultipart ? [] : request.body)).hash64
        let count = counts.withLock { counts in
            counts[Int(hash % 4096)] += 1
            return counts[Int(hash % 4096)]
        }
        // The first bytes of a text change all bits of its hash, the last ones few.
        return Double("\(count) \(hash)".utf8.hash64 >> 11) * 0x1p-53 < rate
    }
}
