import MockServer
import Synchronization

/// Chooses which requests fail and how long responses take.
///
/// The choice depends on the seed, the request and how often it came, not on the order of different requests, so that a client that
/// sends them all at once meets the same failures each time.
final class MockChance: Sendable {
    let seed: UInt64
    /// How often requests came, by the last bits of their hash: a table that does not grow with the requests.
    private let counts = Mutex([UInt64](repeating: 0, count: 4096))

    init(seed: UInt64) { self.seed = seed }

    /// Two numbers from 0 up to but not including 1.
    struct Draw {
        let failure: Double
        let latency: Double
    }

    /// The numbers of a request to that endpoint, which is counted.
    func draw(_ request: ReceivedRequest, to endpoint: String) -> Draw {
        // The boundary of a multipart body is another one each time.
        let isMultipart = request["Content-Type"]?.lowercased().hasPrefix("multipart/") ?? false
        // FNV-1a.
        func hash(_ bytes: some Sequence<UInt8>, _ start: UInt64) -> UInt64 {
            bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        let head = hash("\(endpoint) \(request.method) \(request.target) ".utf8, 0xCBF2_9CE4_8422_2325)
        let hash = isMultipart ? head : hash(request.body, head)
        let number = counts.withLock { counts in
            counts[Int(hash % 4096)] += 1
            return counts[Int(hash % 4096)]
        }
        let bits = Self.mixed(Self.mixed(Self.mixed(seed) ^ hash) ^ number)
        return Draw(failure: Self.fraction(bits), latency: Self.fraction(Self.mixed(bits)))
    }

    private static func fraction(_ bits: UInt64) -> Double { Double(bits >> 11) * 0x1p-53 }

    /// The next value of SplitMix64 after the state `value`.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var bits = value &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
