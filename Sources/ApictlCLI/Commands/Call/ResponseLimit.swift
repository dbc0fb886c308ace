import EndpointKit
import Synchronization

/// The longest bodies that are read into memory.
enum ResponseLimit {
    /// The limit of a body that is decoded, in bytes.
    static let decoded = 100_000_000

    /// The message for a body longer than `limit` bytes; `given` is the value of `--max-bytes`.
    static func sentence(_ limit: Int, given: Int?) -> String {
        guard given == nil else {
            let more = limit < 1 << 30 ? "--max-bytes 1G" : "a larger --max-bytes"
            return "the response is longer than the \(limit) bytes of --max-bytes; to read more: \(more)"
        }
        let size = ByteCountText.shown(limit)
        return "the response is longer than \(size), the limit for decoding; use --raw or -o FILE, or --max-bytes 1G"
    }
}

extension StreamedResponse {
    /// This response with a body that throws ``BodyTooLarge`` instead of exceeding `limit` bytes; nil is no limit.
    ///
    /// Throws at once if the headers announce a longer body; `isHead` is for the response to a HEAD request, which has none.
    func limited(to limit: Int?, isHead: Bool) throws(BodyTooLarge) -> StreamedResponse {
        guard let limit else { return self }
        if !isHead, let length = head.bodyLength, length > limit { throw BodyTooLarge(limit: limit) }
        var copy = self
        copy.body = body.limited(to: limit, BodyTooLarge(limit: limit))
        return copy
    }
}

extension ResponseBody {
    /// This body, which throws `error` instead of exceeding `limit` bytes.
    func limited(to limit: Int, _ error: some Error) -> ResponseBody {
        let body = self
        let left = Mutex(limit)
        return ResponseBody {
            var chunks = body.makeAsyncIterator()
            guard let chunk = try await chunks.next() else { return nil }
            let fits = left.withLock { left in
                guard chunk.count <= left else { return false }
                left -= chunk.count
                return true
            }
            guard fits else { throw error }
            return chunk
        }
    }
}

/// Which part of a file a response contains, in bytes.
struct DownloadExtent: Equatable {
    /// Where it starts: the number of bytes already saved.
    var start = 0
    /// The length of the whole file, if known.
    var total: Int?

    init(start: Int, total: Int?) {
        self.start = start
        self.total = total
    }

    /// The extent of a response that is the whole file.
    init(of head: ResponseHead, isHead: Bool) {
        total = isHead ? nil : head.bodyLength
    }
}
