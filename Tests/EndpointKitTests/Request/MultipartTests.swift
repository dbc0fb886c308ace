import JSONText
import TestSupport
import Testing

@testable import EndpointKit

struct MultipartTests {
    @Test func `Fields are written between boundaries`() {
        let body = Multipart.body([.field("a", "1"), .field("b", "two\r\nlines")], boundary: "XX")
        #expect(
            body.bytes
                == [
                    "--XX\r\n", "Content-Disposition: form-data; name=\"a\"\r\n", "\r\n", "1\r\n",
                    "--XX\r\n", "Content-Disposition: form-data; name=\"b\"\r\n", "\r\n", "two\r\nlines\r\n",
                    "--XX--\r\n",
                ].joined().bytes)
    }

    @Test func `A field may have a content type`() {
        let body = Multipart.body([.text("a", "{}", contentType: "application/json\r\nEvil: 1")], boundary: "XX")
        let text = [
            "--XX\r\n", "Content-Disposition: form-data; name=\"a\"\r\n", "Content-Type: application/jsonEvil: 1\r\n",
            "\r\n", "{}\r\n", "--XX--\r\n",
        ].joined()
        #expect(body.bytes == text.bytes)
    }

    @Test func `Parts in memory are written`() {
        let parts: [Part] = [
            .data("photo", Data([0xFF, 0x00]), filename: "a\"b.png", contentType: "image/png"),
            .bytes("raw", [1], filename: nil),
        ]
        let body = Multipart.body(parts, boundary: "XX")
        let start = [
            "--XX\r\n", "Content-Disposition: form-data; name=\"photo\"; filename=\"a%22b.png\"\r\n",
            "Content-Type: image/png\r\n", "\r\n",
        ].joined()
        let middle = [
            "\r\n--XX\r\n", "Content-Disposition: form-data; name=\"raw\"\r\n",
            "Content-Type: application/octet-stream\r\n", "\r\n",
        ].joined()
        #expect(body.bytes == start.bytes + [0xFF, 0x00] + middle.bytes + [1] + "\r\n--XX--\r\n".bytes)
        #expect(body.parts == parts)
    }

    @Test func `A stream is read when the body is sent`() async throws {
        let stream = BodyStream { AsyncStream { $0.finish() } as AsyncStream<[UInt8]> }
        let body = Multipart.body([.stream("s", stream, filename: "a.bin")], boundary: "XX")
        let head = [
            "--XX\r\n", "Content-Disposition: form-data; name=\"s\"; filename=\"a.bin\"\r\n",
            "Content-Type: application/octet-stream\r\n", "\r\n",
        ].joined()
        #expect(body.pieces == [.bytes(head.bytes), .stream(stream), .bytes("\r\n--XX--\r\n".bytes)])
        #expect(body.bytes == nil)
        #expect(stream != BodyStream { AsyncStream { $0.finish() } as AsyncStream<[UInt8]> })
    }

    @Test("A sequence that can be read only once is not taken for an empty one the second time")
    func sequencesThatEndEarlierAreErrors() async throws {
        let once = AsyncStream<[UInt8]> { sink in
            sink.yield([1, 2, 3])
            sink.finish()
        }
        let stream = BodyStream { once }
        var bytes: [UInt8] = []
        try await stream.readChunks { bytes += $0 }
        #expect(bytes == [1, 2, 3])
        let error = await #expect(throws: TransportError.self) { try await stream.readChunks { _ in } }
        #expect(error?.cause == .invalidRequest)
        #expect(error?.detail.contains("after 0 bytes, and had 3 in an earlier attempt") == true)
    }

    @Test("A reading that was interrupted counts too")
    func interruptedReadingsCount() async throws {
        struct Stop: Error {}
        let once = AsyncStream<[UInt8]> { sink in
            sink.yield([1, 2, 3])
            sink.finish()
        }
        let stream = BodyStream { once }
        await #expect(throws: Stop.self) { try await stream.readChunks { _ in throw Stop() } }
        await #expect(throws: TransportError.self) { try await stream.readChunks { _ in } }
    }

    @Test func `The bytes of a body are counted`() throws {
        let file = RequestBody([.bytes([1]), .file(path: "a")])
        #expect(RequestBody([]).byteCount == 0)
        #expect(RequestBody([.bytes([1, 2]), .bytes([3])]).byteCount == 3)
        #expect(RequestBody([.bytes([1, 2]), .bytes([3])]).bytes == [1, 2, 3])
        #expect(file.byteCount == nil && file.bytes == nil && file.bytesInMemory == [1])
    }

    @Test func `A stream of single bytes is read in chunks`() async throws {
        let single = BodyStream(bytes: {
            AsyncStream<UInt8> { sink in
                for number in 0..<70_000 { sink.yield(UInt8(truncatingIfNeeded: number)) }
                sink.finish()
            }
        })
        var chunks: [[UInt8]] = []
        try await single.readChunks { chunks.append($0) }
        #expect(chunks.map(\.count) == [65_536, 4_464])
        #expect(chunks.joined().last == UInt8(truncatingIfNeeded: 69_999))
        let data = BodyStream(data: {
            AsyncStream<Data> { sink in
                sink.yield(Data([1, 2]))
                sink.finish()
            }
        })
        try await data.readChunks { chunks.append($0) }
        #expect(chunks.last == [1, 2])
    }

    @Test func `A file is read when the body is sent`() {
        let parts: [Part] = [
            .field("title", "é"), .file("image", path: "/tmp/a/cat.png", contentType: "image/png"),
            .file("other", path: "notes", filename: "n.txt"),
        ]
        let body = Multipart.body(parts, boundary: "XX")
        let first = [
            "--XX\r\n", "Content-Disposition: form-data; name=\"title\"\r\n", "\r\n", "é\r\n",
            "--XX\r\n", "Content-Disposition: form-data; name=\"image\"; filename=\"cat.png\"\r\n",
            "Content-Type: image/png\r\n", "\r\n",
        ].joined()
        let second = [
            "\r\n--XX\r\n", "Content-Disposition: form-data; name=\"other\"; filename=\"n.txt\"\r\n",
            "Content-Type: application/octet-stream\r\n", "\r\n",
        ].joined()
        #expect(
            body.pieces == [
                .bytes(first.bytes), .file(path: "/tmp/a/cat.png"), .bytes(second.bytes), .file(path: "notes"),
                .bytes("\r\n--XX--\r\n".bytes),
            ])
        #expect(body.parts == parts)
        #expect(body.bytes == nil)
    }

    static let hostileNames: [Row<String, String>] = [
        Row("quote", "a\"b", "a%22b"),
        Row("line break", "a\r\nEvil: 1", "a%0D%0AEvil: 1"),
        Row("percent and backslash as they are", "100%\\", "100%\\"),
        Row("beyond ASCII as it is", "é", "é"),
    ]

    @Test(arguments: hostileNames)
    func `Quotes and line breaks in names are percent-encoded`(_ row: Row<String, String>) {
        #expect(
            Multipart.body([.field(row.input, "v")], boundary: "XX").bytes
                == "--XX\r\nContent-Disposition: form-data; name=\"\(row.expected)\"\r\n\r\nv\r\n--XX--\r\n".bytes)
        let file = Part.file("f", path: "p", filename: row.input, contentType: "text/plain")
        let head =
            "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\(row.expected)\"\r\n"
            + "Content-Type: text/plain\r\n\r\n"
        #expect(Multipart.body([file], boundary: "XX").pieces.first == .bytes(head.bytes))
    }

    @Test func `Bytes that are not UTF-8 are kept`() {
        let raw = String(exactBytes: [0xFF, 0x41])
        #expect(
            Multipart.body([.field("a", raw)], boundary: "XX").bytes
                == "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n".bytes + [0xFF, 0x41]
                + "\r\n--XX--\r\n".bytes)
    }

    @Test func `A line break in a content type does not end the header`() {
        let file = Part.file("f", path: "p", contentType: "text/plain\r\nEvil: 1")
        let head =
            "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"p\"\r\n"
            + "Content-Type: text/plainEvil: 1\r\n\r\n"
        #expect(Multipart.body([file], boundary: "XX").pieces.first == .bytes(head.bytes))
    }

    @Test func `A body without parts has only the last boundary`() {
        #expect(Multipart.body([], boundary: "XX").bytes == "--XX--\r\n".bytes)
    }

    @Test func `Boundaries are random`() {
        let boundaries = (0..<100).map { _ in Multipart.randomBoundary() }
        #expect(Set(boundaries).count == 100)
        #expect(boundaries.allSatisfy { $0.utf8.count == 40 && $0.hasPrefix("------------------------") })
    }
}
