import Testing

@testable import CurlTransport

/// Bodies decompressed in memory, however they are cut into chunks.
@Suite struct DecompressorTests {
    private typealias Samples = CompressedSamples

    /// `bytes` in gzip; a machine without zlib has no tests of it.
    private static func stored(_ bytes: some Sequence<UInt8>) -> [UInt8] { (try? gzip(Array(bytes))) ?? [] }

    /// What `chunks` decompress to, and what is wrong with them at the end.
    private static func decompress(
        _ chunks: [ArraySlice<UInt8>], _ codings: [ContentCoding]
    ) -> (bytes: [UInt8], problem: DecompressionProblem?) {
        let decompressor = Decompressor(.known(codings))
        var bytes: [UInt8] = []
        for chunk in chunks {
            chunk.withUnsafeBytes { chunk in
                var rest = chunk
                while !rest.isEmpty || decompressor.holdsMore, decompressor.problem == nil {
                    let decompressed = decompressor.decompress(&rest)
                    #expect(decompressed.count <= Decompressor.chunkSize)
                    bytes += decompressed
                }
            }
        }
        return (bytes, decompressor.finish())
    }

    struct Right: Row {
        let id: String
        let codings: [ContentCoding]
        let compressed: [UInt8]
        var text = Samples.text
        /// Where it may end before its end.
        var ends: Set<Int> = []
    }

    static let right = [
        Right(id: "gzip", codings: [.gzip], compressed: Samples.gzip),
        Right(id: "deflate", codings: [.deflate], compressed: Samples.zlib),
        Right(id: "deflate without a header", codings: [.deflate], compressed: Samples.rawDeflate),
        Right(id: "br", codings: [.brotli], compressed: Samples.brotli),
        Right(id: "zstd", codings: [.zstd], compressed: Samples.zstd),
        Right(id: "zstd without a checksum", codings: [.zstd], compressed: Samples.zstdWithoutChecksum),
        Right(id: "empty gzip", codings: [.gzip], compressed: Samples.emptyGzip, text: []),
        Right(id: "empty deflate", codings: [.deflate], compressed: [120, 218, 3, 0, 0, 0, 0, 1], text: []),
        Right(id: "empty deflate without a header", codings: [.deflate], compressed: [3, 0], text: []),
        Right(id: "empty br", codings: [.brotli], compressed: [6], text: []),
        Right(id: "empty zstd", codings: [.zstd], compressed: Samples.emptyZstd, text: []),
        Right(
            id: "gzip of several members", codings: [.gzip],
            compressed: Samples.gzip + Samples.emptyGzip + Samples.gzip,
            text: Samples.text + Samples.text, ends: [52, 72]),
        Right(
            id: "zstd of several frames", codings: [.zstd],
            compressed: Samples.skippedZstd + Samples.zstd + Samples.emptyZstd + Samples.zstdWithoutChecksum,
            text: Samples.text + Samples.text, ends: [11, 63, 76]),
        Right(id: "deflate in gzip", codings: [.deflate, .gzip], compressed: Samples.gzippedZlib),
        Right(
            id: "a chain of five", codings: [.gzip, .gzip, .gzip, .gzip, .gzip],
            compressed: (1...4).reduce(Samples.gzip) { compressed, _ in stored(compressed) }),
    ]

    @Test(arguments: right) func inOneInBytesAndInTwo(_ row: Right) {
        let bytes = row.compressed.indices.map { row.compressed[$0...$0] }
        let halves = (0...row.compressed.count).map { [row.compressed[..<$0], row.compressed[$0...]] }
        for chunks in [[row.compressed[...]], bytes] + halves {
            let result = Self.decompress(chunks, row.codings)
            #expect(result.bytes == row.text && result.problem == nil, "\(chunks.map(\.count))")
        }
    }

    /// Whatever is missing is missed, and what came before it is handed out.
    @Test(arguments: right) func cut(_ row: Right) {
        for count in 1..<row.compressed.count {
            let result = Self.decompress([row.compressed[..<count]], row.codings)
            if row.ends.contains(count) {
                #expect(result.problem == nil, "cut at \(count)")
            } else if case .cut = result.problem {
            } else {
                Issue.record("cut at \(count): \(String(describing: result.problem))")
            }
            #expect(row.text.starts(with: result.bytes), "cut at \(count)")
        }
    }

    @Test(arguments: [[ContentCoding.gzip], [.deflate], [.brotli], [.zstd], [.gzip, .zstd]])
    func aBodyWithoutAByteIsEmpty(_ codings: [ContentCoding]) {
        #expect(Self.decompress([], codings).problem == nil)
        let result = Self.decompress([[]], codings)
        #expect(result.bytes == [])
        #expect(result.problem == nil)
    }

    struct Wrong: Row {
        let id: String
        let codings: [ContentCoding]
        let compressed: [UInt8]
        var text = Samples.text
        /// What comes of it where it comes in one go; the same as otherwise where nothing is said.
        var wholeText: [UInt8]?
        let reason: String
    }

    static let wrong = [
        Wrong(
            id: "gzip and a byte", codings: [.gzip], compressed: Samples.gzip + [0],
            reason: "gzip: there is data after its end"),
        Wrong(
            id: "gzip and the start of a member that is none", codings: [.gzip], compressed: Samples.gzip + [31, 0],
            reason: "gzip: incorrect header check"),
        Wrong(
            id: "gzip and the start of a member", codings: [.gzip], compressed: Samples.gzip + [31],
            reason: "gzip: it ends too early"),
        Wrong(
            id: "deflate and a byte", codings: [.deflate], compressed: Samples.zlib + [0],
            reason: "deflate: there is data after its end"),
        Wrong(
            id: "deflate twice", codings: [.deflate], compressed: Samples.zlib + Samples.zlib,
            reason: "deflate: there is data after its end"),
        Wrong(
            id: "deflate without a header, and a byte", codings: [.deflate], compressed: Samples.rawDeflate + [0],
            reason: "deflate: there is data after its end"),
        Wrong(
            id: "br and a byte", codings: [.brotli], compressed: Samples.brotli + [0],
            reason: "br: there is data after its end"),
        Wrong(
            id: "zstd and a byte", codings: [.zstd], compressed: Samples.zstd + [0],
            reason: "zstd: there is data after its end"),
        Wrong(
            id: "a wrong checksum in gzip", codings: [.gzip],
            compressed: Samples.gzip.dropLast(8) + [87] + Samples.gzip.suffix(7), reason: "gzip: incorrect data check"),
        Wrong(
            id: "a wrong length in gzip", codings: [.gzip], compressed: Samples.gzip.dropLast(1) + [1],
            reason: "gzip: incorrect length check"),
        Wrong(
            id: "a wrong checksum in deflate", codings: [.deflate], compressed: Samples.zlib.dropLast(1) + [220],
            reason: "deflate: incorrect data check"),
        Wrong(
            id: "a wrong checksum in zstd", codings: [.zstd], compressed: Samples.zstd.dropLast(1) + [188],
            wholeText: [], reason: "zstd: Restored data doesn't match checksum"),
        Wrong(
            id: "an unknown dictionary", codings: [.deflate], compressed: Samples.zlibWithDictionary, text: [],
            reason: "deflate: it needs a dictionary"),
        Wrong(
            id: "text for gzip", codings: [.gzip], compressed: Samples.text, text: [],
            reason: "gzip: incorrect header check"),
        Wrong(
            id: "no block of deflate", codings: [.deflate], compressed: [0xFF, 0xFF], text: [],
            reason: "deflate: invalid block type"),
        Wrong(id: "no br", codings: [.brotli], compressed: [0xFF, 0xFF], text: [], reason: "br: damaged data"),
        Wrong(
            id: "text for zstd", codings: [.zstd], compressed: Samples.text, text: [],
            reason: "zstd: it does not start with a frame"),
        Wrong(
            id: "a window beyond HTTP's", codings: [.zstd], compressed: Samples.zstdBomb(blocks: 1, windowLog: 24),
            text: [],
            reason: "zstd: Frame requires too much memory for decoding"),
        Wrong(
            id: "text in gzip that is no deflate", codings: [.deflate, .gzip],
            compressed: stored([0xFF, 0xFF]), text: [], reason: "deflate: invalid block type"),
        Wrong(
            id: "cut deflate in gzip", codings: [.deflate, .gzip], compressed: stored(Samples.zlib.dropLast(1)),
            reason: "deflate: it ends too early"),
        Wrong(
            id: "deflate and a byte in gzip", codings: [.deflate, .gzip], compressed: stored(Samples.zlib + [1]),
            reason: "deflate: there is data after its end"),
        Wrong(
            id: "deflate in gzip and a byte", codings: [.deflate, .gzip], compressed: Samples.gzippedZlib + [1],
            reason: "gzip: there is data after its end"),
        Wrong(
            id: "empty gzip for deflate", codings: [.deflate, .gzip], compressed: Samples.emptyGzip, text: [],
            reason: "deflate: it ends too early"),
    ]

    /// What is right before it is handed out first.
    @Test(arguments: wrong) func problem(_ row: Wrong) {
        let whole = Self.decompress([row.compressed[...]], row.codings)
        #expect(whole.bytes == row.wholeText ?? row.text)
        #expect(whole.problem?.reason == row.reason)
        let inBytes = Self.decompress(row.compressed.indices.map { row.compressed[$0...$0] }, row.codings)
        #expect(inBytes.bytes == row.text)
        #expect(inBytes.problem?.reason == row.reason)
    }

    /// Each byte turned over in turn: what has a checksum is found wrong wherever it is, and nothing goes astray.
    @Test(arguments: right) func damaged(_ row: Right) {
        for index in row.compressed.indices {
            var compressed = row.compressed
            compressed[index] = ~compressed[index]
            let result = Self.decompress([compressed[...]], row.codings)
            // The first ten bytes of gzip hold a time and a system's number too.
            if row.id == "gzip" && index >= 10 || row.id == "deflate" && index >= 2 {
                #expect(result.problem != nil, "byte \(index)")
            }
            #expect(result.bytes.count < 1 << 20, "byte \(index)")
        }
    }

    /// 10 MB of gzip and 8 MB of zstd: never more at once than a chunk, and nothing is left over.
    @Test func aBombComesInPieces() throws {
        let zipped = try gzip([UInt8](repeating: 0, count: 10_000_000))
        let zstd = Samples.zstdBomb(blocks: 64)
        for (compressed, coding, length) in [(zipped, ContentCoding.gzip, 10_000_000), (zstd, .zstd, 64 << 17)] {
            let decompressor = Decompressor(.known([coding]))
            var (count, largest) = (0, 0)
            compressed.withUnsafeBytes { compressed in
                var rest = compressed
                while !rest.isEmpty || decompressor.holdsMore, decompressor.problem == nil {
                    let chunk = decompressor.decompress(&rest)
                    count += chunk.count
                    largest = max(largest, chunk.count)
                }
            }
            #expect(count == length)
            #expect(largest == Decompressor.chunkSize)
            #expect(decompressor.finish() == nil)
        }
    }

    @Test func aRefusedListingIsOneOnlyWhereThereIsABody() {
        let decompressor = Decompressor(.refused(.tooMany(5)))
        #expect(decompressor.finish() == nil)
        [UInt8(1)].withUnsafeBytes {
            var rest = $0
            #expect(decompressor.decompress(&rest) == [])
        }
        #expect(decompressor.problem == .tooMany(5))
        #expect(decompressor.finish() == .tooMany(5))
    }

    @Test func aLibraryThatIsNotThere() {
        let none = CodecLibraries(names: (zlib: "libnone.so.1", brotli: "libnone.so.2", zstd: "libnone.so.3"))
        for coding in ContentCoding.allCases {
            let decompressor = Decompressor(.known([coding]), libraries: none)
            [UInt8(1)].withUnsafeBytes {
                var rest = $0
                #expect(decompressor.decompress(&rest) == [])
            }
            #expect(decompressor.finish() == .unavailable(coding))
        }
    }
}
