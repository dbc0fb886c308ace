/// Undoes one coding.
///
/// Not `Sendable`: one at a time works with it.
protocol Decoder: AnyObject {
    /// Unpacks what fits from `input`, which may be empty, into `output`, which may not. After a problem it is not called again.
    func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep

    /// Whether what came so far is complete, with its checksum where the coding has one.
    var isAtEnd: Bool { get }
}

/// What one call of a decoder did.
struct DecodingStep {
    /// The bytes used up of the input.
    var taken = 0
    /// The bytes written to the output; where they fill it, there may be more without further input.
    var made = 0
    /// What is wrong behind those.
    var problem: UnpackingProblem?
}
