import CCodecs

/// Decodes "deflate", which is zlib's format (RFC 9110, section 8.4.1.2; RFC 1950). Some servers send the raw data of RFC 1951;
/// like browsers, this accepts both.
final class DeflateDecoder: ContentDecoder {
    private let functions: UnsafePointer<CZlibFunctions>
    /// Nil until two bytes have shown the format.
    private var stream: InflateStream?
    /// The first byte, until the second has arrived and both are passed on.
    private var first: UInt8?
    private(set) var isAtEnd = false

    init(_ functions: UnsafePointer<CZlibFunctions>) { self.functions = functions }

    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
        if isAtEnd { return DecodingStep(problem: input.isEmpty ? nil : .trailing(.deflate)) }
        guard let next = input.first else { return stream == nil ? DecodingStep() : inflate(input, into: output) }
        if stream == nil {
            guard let first else {
                self.first = next
                return DecodingStep(consumed: 1)
            }
            stream = InflateStream(functions, Self.isHeader(first, next) ? .zlib : .raw)
            guard stream != nil else { return DecodingStep(problem: .unavailable(.deflate)) }
        }
        if let first {
            self.first = nil
            // One byte alone produces no output: a block's header takes three bits, and no code is as short as five.
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

    /// Method 8, a window of at most 32 kB, and a sum divisible by 31 (RFC 1950, section 2.2).
    private static func isHeader(_ first: UInt8, _ second: UInt8) -> Bool {
        first & 0x0F == 8 && first >> 4 <= 7 && (Int(first) << 8 | Int(second)) % 31 == 0
    }
}
