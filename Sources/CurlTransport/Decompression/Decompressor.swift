/// Decompresses a body as it arrives, through each of its codings, into chunks of bounded size.
///
/// Its memory is bounded too, however much a few bytes expand to: each coding's window, and a buffer between one and the next.
final class Decompressor {
    /// The most bytes of a chunk.
    static let chunkSize = 60 * 1024

    private let codings: ContentCoding.Listing
    private let libraries: CodecLibraries
    /// In the order of decoding; empty until the first byte of the body.
    private var stages: [Stage] = []
    /// Why nothing more can be decompressed.
    private(set) var problem: DecompressionProblem?

    init(_ codings: ContentCoding.Listing, libraries: CodecLibraries = .shared) {
        self.codings = codings
        self.libraries = libraries
    }

    /// The next chunk that `input` decompresses to; `input` is left with what is not used yet.
    ///
    /// An empty chunk means that more input is needed, or that ``problem`` says why there is no more.
    func decompress(_ input: inout UnsafeRawBufferPointer) -> [UInt8] {
        if stages.isEmpty, !input.isEmpty { start() }
        guard problem == nil, let last = stages.indices.last, !input.isEmpty || holdsMore else { return [] }
        stages[0].input = input
        let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
            count = fill(UnsafeMutableRawBufferPointer(buffer), from: last)
        }
        input = stages[0].input
        stages[0].input = UnsafeRawBufferPointer(start: nil, count: 0)
        // The data before a problem is delivered first.
        if chunk.isEmpty { problem = stages.lazy.compactMap(\.problem).first }
        return chunk
    }

    /// Whether another call without further input may give more, even if only a problem.
    var holdsMore: Bool {
        problem == nil && stages.contains { $0.holdsMore || !$0.input.isEmpty || $0.problem != nil }
    }

    /// What is wrong if the body ends here. A body without a byte is empty, whatever its codings.
    func finish() -> DecompressionProblem? { problem ?? stages.first { !$0.decoder.isAtEnd }.map { .cut($0.coding) } }

    private func start() {
        switch codings {
        case .refused(let reason): problem = reason
        case .known(let codings):
            for (index, coding) in codings.reversed().enumerated() {
                guard let decoder = libraries.decoder(for: coding) else { return problem = .unavailable(coding) }
                stages.append(Stage(coding, decoder, hasBuffer: index > 0))
            }
        }
    }

    /// Fills `output` from a stage as far as its input and that of the stages before it allow, and returns how many bytes.
    ///
    /// The recursion is as deep as there are codings.
    private func fill(_ output: UnsafeMutableRawBufferPointer, from index: Int) -> Int {
        let stage = stages[index]
        var count = 0
        while count < output.count, stage.problem == nil {
            if stage.input.isEmpty, !stage.holdsMore {
                guard index > 0 else { break }
                let more = fill(stage.buffer, from: index - 1)
                if more == 0 { break }
                stage.input = UnsafeRawBufferPointer(rebasing: stage.buffer[..<more])
            }
            count += stage.decode(into: UnsafeMutableRawBufferPointer(rebasing: output[count...]))
        }
        return count
    }
}

extension Decompressor {
    /// One coding being decoded.
    private final class Stage {
        let coding: ContentCoding
        let decoder: any ContentDecoder
        /// The output of the previous stage; the first stage reads the caller's input.
        let buffer: UnsafeMutableRawBufferPointer
        /// What is not consumed yet.
        var input = UnsafeRawBufferPointer(start: nil, count: 0)
        private(set) var holdsMore = false
        private(set) var problem: DecompressionProblem?

        init(_ coding: ContentCoding, _ decoder: any ContentDecoder, hasBuffer: Bool) {
            self.coding = coding
            self.decoder = decoder
            buffer = .allocate(byteCount: hasBuffer ? 16 * 1024 : 0, alignment: 1)
        }

        deinit { buffer.deallocate() }

        /// Decodes into `output`, which is not empty, and returns how many bytes.
        func decode(into output: UnsafeMutableRawBufferPointer) -> Int {
            let step = decoder.decode(input, into: output)
            let isStuck = step.consumed == 0 && step.produced == 0 && !input.isEmpty
            problem = step.problem ?? (isStuck ? .wrong(coding, "it makes no progress") : nil)
            input = UnsafeRawBufferPointer(rebasing: input[step.consumed...])
            holdsMore = step.produced == output.count
            return step.produced
        }
    }
}
