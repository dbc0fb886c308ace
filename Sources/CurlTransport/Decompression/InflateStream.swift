import CCodecs

/// A zlib stream that decompresses.
final class InflateStream {
    private let functions: UnsafePointer<CZlibFunctions>
    /// At a fixed address, which the library stores.
    private let stream: UnsafeMutablePointer<CZlibStream>

    enum Format: Int32 {
        case gzip = 31
        case zlib = 15
        case raw = -15
    }

    /// Nil if memory is short, or the library's version is incompatible.
    init?(_ functions: UnsafePointer<CZlibFunctions>, _ format: Format) {
        let stream = UnsafeMutablePointer<CZlibStream>.allocate(capacity: 1)
        stream.initialize(to: CZlibStream())
        let size = Int32(MemoryLayout<CZlibStream>.size)
        let version = functions.pointee.zlibVersion()
        guard functions.pointee.inflateInit2_(stream, format.rawValue, version, size) == CZLIB_OK else {
            stream.deallocate()
            return nil
        }
        self.functions = functions
        self.stream = stream
    }

    deinit {
        _ = functions.pointee.inflateEnd(stream)
        stream.deallocate()
    }

    /// Prepares for another stream.
    func reset() { _ = functions.pointee.inflateReset(stream) }

    /// Decompresses what fits; `isEnd` is whether the stream is complete.
    func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, as coding: ContentCoding
    ) -> (step: DecodingStep, isEnd: Bool) {
        // zlib counts in 32 bits; what does not fit is left for the next call.
        let available = UInt32(clamping: input.count)
        let room = UInt32(clamping: output.count)
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = available
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = room
        let code = functions.pointee.inflate(stream, CZLIB_NO_FLUSH)
        var step = DecodingStep(
            consumed: Int(available - stream.pointee.avail_in), produced: Int(room - stream.pointee.avail_out))
        switch code {
        case CZLIB_STREAM_END: return (step, true)
        // No progress without more input.
        case CZLIB_OK, CZLIB_BUF_ERROR: break
        case CZLIB_NEED_DICT: step.problem = .wrong(coding, "it needs a dictionary")
        case CZLIB_MEM_ERROR: step.problem = .unavailable(coding)
        default:
            let message = stream.pointee.msg.map { String(cString: $0) }
            step.problem = .wrong(coding, message ?? "damaged data")
        }
        return (step, false)
    }
}
