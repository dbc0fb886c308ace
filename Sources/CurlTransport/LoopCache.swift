import EndpointKit

/// The loops of a transport: one for each set of connection options, each with its own connections and addresses.
///
/// What was connected to, trusted or looked up for one request so never serves a request with other options, whatever a version of
/// libcurl compares before it reuses a connection.
struct LoopCache {
    /// A loop that is dropped finishes its transfers; its connections close with them.
    private static let limit = 4

    /// Most recently used first.
    private var loops: [(options: ConnectionOptions, loop: CurlLoop)] = []

    /// The loop for `options`, made by `make` if there is none.
    mutating func loop(
        for options: ConnectionOptions, make: () throws(TransportError) -> CurlLoop
    ) throws(TransportError) -> CurlLoop {
        if let first = loops.first, first.options == options { return first.loop }
        if let index = loops.firstIndex(where: { $0.options == options }) {
            loops.insert(loops.remove(at: index), at: 0)
        } else {
            loops.insert((options, try make()), at: 0)
            if loops.count > Self.limit { loops.removeLast() }
        }
        return loops[0].loop
    }
}
