/// Unpacks a body as it comes, through each of its codings, into pieces of a bounded length.
///
/// What it holds is bounded too, whatever a few bytes grow to: each coding's window, and a buffer between one and the next.
final class Unpacker {
    /// What a piece has at the most.
    static let pieceSize = 60 * 1024

    private let codings: Coding.Listing
    private let libraries: CodecLibraries
    /// In the order in which the codings are undone; empty as long as there is no byte of the body.
    private var stages: [Stage] = []
    /// Why no more than what was handed out can be unpacked.
    private(set) var problem: UnpackingProblem?

    init(_ codings: Coding.Listing, libraries: CodecLibraries = .shared) {
        self.codings = codings
        self.libraries = libraries
    }

    /// The next piece of what `input` unpacks to, which is left with what is not used yet. It is empty where more input is
    /// needed, and where ``problem`` tells why there is no more.
    func unpack(_ input: inout UnsafeRawBufferPointer) -> [UInt8] {
        if stages.isEmpty, !input.isEmpty { start() }
        guard problem == nil, let last = stages.indices.last, !input.isEmpty || holdsMore else { return [] }
        stages[0].input = input
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
            count = fill(UnsafeMutableRawBufferPointer(buffer), from: last)
        }
        input = stages[0].input
        stages[0].input = UnsafeRawBufferPointer(start: nil, count: 0)
        // What came before a problem is handed out first.
        if piece.isEmpty { problem = stages.lazy.compactMap(\.problem).first }
        return piece
    }

    /// Whether there may be more without further input, if only a problem.
    var holdsMore: Bool {
        problem == nil && stages.contains { $0.holdsMore || !$0.input.isEmpty || $0.problem != nil }
    }

    /// What is wrong if nothing more comes. A body without any byte is an empty one, whatever its codings.
    func finish() -> UnpackingProblem? { problem ?? stages.first { !$0.decoder.isAtEnd }.map { .cut($0.coding) } }

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

    /// Fills `output` from a stage as far as its input and that of the stages before it go; how many bytes that are. Each stage
    /// calls the one before it: no more than there are codings.
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

extension Unpacker {
    /// One coding being undone.
    private final class Stage {
        let coding: Coding
        let decoder: any Decoder
        /// What the stage before this one makes; the first stage's input is the caller's.
        let buffer: UnsafeMutableRawBufferPointer
        /// What is not used yet.
        var input = UnsafeRawBufferPointer(start: nil, count: 0)
        private(set) var holdsMore = false
        private(set) var problem: UnpackingProblem?

        init(_ coding: Coding, _ decoder: any Decoder, hasBuffer: Bool) {
            self.coding = coding
            self.decoder = decoder
            buffer = .allocate(byteCount: hasBuffer ? 16 * 1024 : 0, alignment: 1)
        }

        deinit { buffer.deallocate() }

        /// Unpacks into `output`, which is not empty; how many bytes.
        func decode(into output: UnsafeMutableRawBufferPointer) -> Int {
            let step = decoder.decode(input, into: output)
            let isStuck = step.taken == 0 && step.made == 0 && !input.isEmpty
            problem = step.problem ?? (isStuck ? .wrong(coding, "it does not go on") : nil)
            input = UnsafeRawBufferPointer(rebasing: input[step.taken...])
            holdsMore = step.made == output.count
            return step.made
        }
    }
}
