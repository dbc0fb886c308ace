import CCodecs

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
