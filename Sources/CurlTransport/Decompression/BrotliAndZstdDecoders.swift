import CCodecs

/// Decodes Brotli (RFC 7932), whose window has at most 16 MB.
final class BrotliDecoder: ContentDecoder {
    private let functions: UnsafePointer<CBrotliFunctions>
    private let decoder: OpaquePointer
    private(set) var isAtEnd = false

    /// Nil if memory is short.
    init?(_ functions: UnsafePointer<CBrotliFunctions>) {
        guard let decoder = functions.pointee.CreateInstance(nil, nil, nil) else { return nil }
        self.functions = functions
        self.decoder = decoder
    }

    deinit { functions.pointee.DestroyInstance(decoder) }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        if isAtEnd { return DecodingStep(problem: input.isEmpty ? nil : .trailing(.brotli)) }
        var available = input.count
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var room = output.count
        var place = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let result = functions.pointee.DecompressStream(decoder, &available, &next, &room, &place, nil)
        isAtEnd = result == CBROTLI_SUCCESS
        // The library's own words are names from its source.
        return DecodingStep(
            consumed: input.count - available, produced: output.count - room,
            problem: result == CBROTLI_ERROR ? .wrong(.brotli, "damaged data") : nil)
    }
}

/// Decodes Zstandard: one frame, or several in sequence (RFC 8878, section 3.1).
final class ZstdDecoder: ContentDecoder {
    /// A window of 8 MB, the most that HTTP allows (RFC 9659, section 3).
    private static let windowLogMax: Int32 = 23

    private let functions: UnsafePointer<CZstdFunctions>
    private let stream: OpaquePointer
    private var isBetweenFrames = true
    private(set) var isAtEnd = false

    /// Nil if memory is short, or the library too old to limit the window.
    init?(_ functions: UnsafePointer<CZstdFunctions>) {
        guard let stream = functions.pointee.createDStream() else { return nil }
        let code = functions.pointee.DCtx_setParameter(stream, CZSTD_WINDOW_LOG_MAX, Self.windowLogMax)
        guard functions.pointee.isError(code) == 0 else {
            _ = functions.pointee.freeDStream(stream)
            return nil
        }
        self.functions = functions
        self.stream = stream
    }

    deinit { _ = functions.pointee.freeDStream(stream) }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        if isBetweenFrames {
            guard let first = input.first else { return DecodingStep() }
            // The library also accepts formats that are older than the RFC.
            guard first == 0x28 || (0x50...0x5F).contains(first) else {
                return DecodingStep(
                    problem: isAtEnd ? .trailing(.zstd) : .wrong(.zstd, "it does not start with a frame"))
            }
        }
        var source = CZstdInput(src: input.baseAddress, size: input.count, pos: 0)
        var target = CZstdOutput(dst: output.baseAddress, size: output.count, pos: 0)
        let code = functions.pointee.decompressStream(stream, &target, &source)
        var step = DecodingStep(consumed: source.pos, produced: target.pos)
        isAtEnd = code == 0
        isBetweenFrames = isAtEnd
        if functions.pointee.isError(code) != 0 {
            step.problem = .wrong(.zstd, String(cString: functions.pointee.getErrorName(code)))
        }
        return step
    }
}
