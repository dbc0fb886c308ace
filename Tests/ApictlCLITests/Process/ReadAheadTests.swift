import Foundation
import Synchronization
import Testing

@testable import ApictlCLI

/// Tests of reading ahead.
@Suite(.timeLimit(.minutes(3))) struct ReadAheadTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let sizes: [Int]
        var mayWait = true
        /// Whether a thread other than the test's reads the last chunk.
        let isAhead: Bool

        var testDescription: String { id }
    }

    static let cases = [
        Case(id: "nothing", sizes: [], isAhead: false),
        Case(id: "short pieces", sizes: [1, 65_535, 3], isAhead: false),
        Case(id: "one long piece", sizes: [65_536], isAhead: true),
        Case(id: "a file", sizes: [131_072, 131_072], mayWait: false, isAhead: false),
        Case(id: "more than may wait", sizes: Array(repeating: 65_536, count: 50), isAhead: true),
        Case(id: "short ones, then a long one, then short ones", sizes: [1, 2, 65_536, 1, 2, 3], isAhead: true),
    ]

    @Test(arguments: cases)
    func everyPieceComesInOrder(_ row: Case) throws {
        let pieces = row.sizes.enumerated().map { [UInt8](repeating: UInt8($0), count: $1) }
        let source = Source(pieces, mayWait: row.mayWait)
        let input = ReadAhead(source)
        var read: [[UInt8]] = []
        while case let piece = try input.read(), !piece.isEmpty { read.append(piece) }
        #expect(read == pieces)
        #expect(try input.read().isEmpty)
        #expect((source.threads.last != Source.thread) == row.isAhead)
    }

    @Test(arguments: [1, 9])
    func anErrorComesBehindWhatWasRead(_ count: Int) throws {
        let piece = [UInt8](repeating: 1, count: 65_536)
        let input = ReadAhead(Source(Array(repeating: piece, count: count), failing: true))
        for _ in 0..<count { #expect(try input.read() == piece) }
        for _ in 0..<2 { #expect(throws: Source.Failure.self) { try input.read() } }
    }

    @Test func whoLetsGoOfItEndsTheReading() async throws {
        weak var source: Source?
        do {
            let own = Source(Array(repeating: [UInt8](repeating: 1, count: 65_536), count: 1_000_000))
            source = own
            let input = ReadAhead(own)
            for _ in 0..<20 { _ = try input.read() }
        }
        while source != nil { try await Task.sleep(for: .milliseconds(1)) }
    }
}

private final class Source: ByteInput {
    struct Failure: Error {}

    static var thread: UInt { UInt(bitPattern: ObjectIdentifier(Thread.current)) }

    let isTerminal = false
    let mayWait: Bool
    private let failing: Bool
    private let state: Mutex<(pieces: ArraySlice<[UInt8]>, threads: [UInt])>

    var threads: [UInt] { state.withLock { $0.threads } }

    init(_ pieces: [[UInt8]], failing: Bool = false, mayWait: Bool = true) {
        self.mayWait = mayWait
        self.failing = failing
        state = Mutex((pieces[...], []))
    }

    func read() throws -> [UInt8] {
        try state.withLock { state in
            state.threads.append(Self.thread)
            guard let piece = state.pieces.popFirst() else {
                if failing { throw Failure() }
                return []
            }
            return piece
        }
    }
}
