import CCodecs

/// A zlib stream that decompresses.
struct InflateStream: ~Copyable {
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

/// Decodes gzip: one member, or several in sequence (RFC 1952, section 2.2).
final class GzipDecoder: ContentDecoder {
    private let stream: InflateStream
    private(set) var isAtEnd = false

    init?(_ functions: UnsafePointer<CZlibFunctions>) {
        guard let stream = InflateStream(functions, .gzip) else { return nil }
        self.stream = stream
    }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        if isAtEnd {
            guard let first = input.first else { return DecodingStep() }
            // The first byte of each member.
            guard first == 0x1F else { return DecodingStep(problem: .trailing(.gzip)) }
            stream.reset()
        }
        let (step, isEnd) = stream.inflate(input, into: output, as: .gzip)
        isAtEnd = isEnd
        return step
    }
}

/// Decodes "deflate", which is zlib's format (RFC 9110, section 8.4.1.2; RFC 1950). Some servers send the raw data of RFC 1951;
/// like browsers, this accepts both.
final class DeflateDecoder: ContentDecoder {
    private let functions: UnsafePointer<CZlibFunctions>
    /// Nil until the first byte has shown the format.
    private var stream: InflateStream?
    private(set) var isAtEnd = false

    init(_ functions: UnsafePointer<CZlibFunctions>) { self.functions = functions }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        if isAtEnd { return DecodingStep(problem: input.isEmpty ? nil : .trailing(.deflate)) }
        if stream == nil, let first = input.first {
            // Method 8 and a window of at most 32 kB (RFC 1950, section 2.2). Raw data would start so only with a block that is neither
            // compressed nor padded with zeros.
            stream = InflateStream(functions, first & 0x8F == 8 ? .zlib : .raw)
            if stream == nil { return DecodingStep(problem: .unavailable(.deflate)) }
        }
        guard let (step, isEnd) = stream?.inflate(input, into: output, as: .deflate) else { return DecodingStep() }
        isAtEnd = isEnd
        return step
    }
}
