import CCodecs

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
