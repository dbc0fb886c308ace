import EndpointKit
import MockServer
import Synchronization

/// Chooses the requests that fail.
///
/// The choice depends on the seed, the request, and how often the same request came before. The order of different
/// requests does not matter, so that a client that sends them all at once meets the same failures each time. A request
/// that failed may succeed when it is repeated.
final class MockFaults: Sendable {
    /// The share of requests that fail, from 0 to 1.
    let rate: Double
    let seed: UInt64
    /// How often requests came. The index is the last bits of a request's hash, so that the table does not grow with
    /// the requests.
    private let counts = Mutex([UInt64](repeating: 0, count: MockFaults.tableSize))

    private static let tableSize = 4096

    /// Prepares a choice of requests.
    ///
    /// - Parameters:
    ///   - rate: The share of requests that fail, from 0 to 1.
    ///   - seed: Makes the choice the same for the same rate and seed. Nil stands for a random seed.
    init(rate: Double, seed: Int?) {
        self.rate = rate
        // 32 random bits are enough, and short enough to type as `--seed`.
        self.seed = seed.map { UInt64($0) } ?? .random(in: 0...0xFFFF_FFFF)
    }

    /// Counts a request, and returns whether it fails.
    ///
    /// The hash of seed, request and count is taken as a random number from 0 to 1. The request fails if the number is
    /// below the rate.
    func drawFailure(for request: ReceivedRequest) -> Bool {
        let hash = hash(of: request)
        // Requests that share an index of the table share a count too, which only changes the choice.
        let index = Int(hash % UInt64(Self.tableSize))
        let count = counts.withLock { counts in
            counts[index] += 1
            return counts[index]
        }
        // The count comes first in the hashed text. The first bytes change all bits of the hash, the last ones only
        // few.
        let randomBits = "\(count) \(hash)".utf8.hash64
        // A Double can hold 53 bits exactly. The upper ones become a number from 0 to 1.
        let randomNumber = Double(randomBits >> 11) * 0x1p-53
        return randomNumber < rate
    }

    /// Returns a hash of the seed and the request, which is the same for equal requests.
    private func hash(of request: ReceivedRequest) -> UInt64 {
        let text = "\(seed) \(request.method) \(request.target) "
        // The body of a multipart form has another boundary each time.
        let isMultipart = request["Content-Type"]?.lowercased().hasPrefix("multipart/") ?? false
        let body = isMultipart ? [] : request.body
        return (text.utf8 + body).hash64
    }
}
