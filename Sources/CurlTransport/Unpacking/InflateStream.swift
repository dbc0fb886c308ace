import CCodecs

/// One of zlib's streams.
final class InflateStream {
    private let functions: UnsafePointer<CZlibFunctions>
    /// The library keeps its address.
    private let stream: UnsafeMutablePointer<CZlibStream>

    enum Format: Int32 {
        case gzip = 31
        case zlib = 15
        case raw = -15
    }

    /// Nil where memory is short, or the library's version another one than this was made for.
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

    /// Makes it ready for another stream.
    func reset() { _ = functions.pointee.inflateReset(stream) }

    /// Unpacks what fits; `isEnd` tells whether the stream is complete with that.
    func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, as coding: Coding
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
            taken: Int(available - stream.pointee.avail_in), made: Int(room - stream.pointee.avail_out))
        switch code {
        case CZLIB_STREAM_END: return (step, true)
        // No progress was possible: it waits for input.
        case CZLIB_OK, CZLIB_BUF_ERROR: break
        case CZLIB_NEED_DICT: step.problem = .wrong(coding, "it needs a dictionary")
        case CZLIB_MEM_ERROR: step.problem = .unavailable(coding)
        default:
            let words = stream.pointee.msg.map { String(cString: $0) }
            step.problem = .wrong(coding, words ?? "damaged data")
        }
        return (step, false)
    }
}
