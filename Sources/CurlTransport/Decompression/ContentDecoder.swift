/// Decodes one content coding.
///
/// Not `Sendable`: used by one thread at a time.
protocol ContentDecoder: AnyObject {
    /// Decodes what fits from `input`, which may be empty, into `output`, which may not. Not called again after a problem.
    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep

    /// Whether the input so far is complete, including the checksum if the coding has one.
    var isAtEnd: Bool { get }
}

/// The outcome of one call of a decoder.
struct DecodingStep {
    /// The bytes of the input that were consumed.
    var consumed = 0
    /// The bytes written to the output; if they fill it, there may be more without further input.
    var produced = 0
    /// What is wrong with the input after those.
    var problem: DecompressionProblem?
}
