import EndpointKit

/// The loops of a transport: one for each way of connecting, each with connections and addresses of its own.
///
/// What was connected to, trusted or looked up for one request can so never serve another that wants it otherwise, whatever a
/// version of libcurl compares before it uses a connection again.
struct LoopShelf {
    /// A loop that goes leaves its transfers running, but its connections end with them.
    private static let limit = 4

    /// The one used last comes first.
    private var loops: [(options: ConnectionOptions, loop: CurlLoop)] = []

    /// The loop for `options`, from `make` where there is none yet.
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
