import CCodecs

/// Undoes "deflate", which is zlib's format (RFC 9110, section 8.4.1.2; RFC 1950). Some servers send the bare data of RFC 1951,
/// which is taken too, as browsers do.
final class DeflateDecoder: Decoder {
    private let functions: UnsafePointer<CZlibFunctions>
    /// Nil until two bytes have told the format.
    private var stream: InflateStream?
    /// The first byte, where the second one has not come or not been passed on yet.
    private var first: UInt8?
    private(set) var isAtEnd = false

    init(_ functions: UnsafePointer<CZlibFunctions>) { self.functions = functions }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        if isAtEnd { return DecodingStep(problem: input.isEmpty ? nil : .trailing(.deflate)) }
        guard let next = input.first else { return stream == nil ? DecodingStep() : inflate(input, into: output) }
        if stream == nil {
            guard let first else {
                self.first = next
                return DecodingStep(taken: 1)
            }
            stream = InflateStream(functions, Self.isHeader(first, next) ? .zlib : .raw)
            guard stream != nil else { return DecodingStep(problem: .unavailable(.deflate)) }
        }
        if let first {
            self.first = nil
            // One byte makes no output: no code of five bits stands for anything behind a block's first three.
            let step = withUnsafeBytes(of: first) { inflate($0, into: output) }
            if step.problem != nil { return DecodingStep(problem: step.problem) }
        }
        return inflate(input, into: output)
    }

    private func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> DecodingStep {
        guard let (step, isEnd) = stream?.inflate(input, into: output, as: .deflate) else { return DecodingStep() }
        isAtEnd = isEnd
        return step
    }

    /// Method 8, a window of 32 kB at the most, and a sum that 31 divides (RFC 1950, section 2.2).
    private static func isHeader(_ first: UInt8, _ second: UInt8) -> Bool {
        first & 0x0F == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)) % 31 == 0
    }
}
