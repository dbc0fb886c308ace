import CurlTransport
import EndpointKit
import MockServer
import Synchronization
import TestSupport
import Testing

/// Bodies of requests.
@Suite struct UploadTests {
    @Test func piecesAndFilesAreSentInOrder() async throws {
        let server = try MockServer { _ in .response(200) }
        let file = try TemporaryFile([UInt8](repeating: 0x66, count: 300_000))
        let empty = try TemporaryFile([])
        let body = RequestBody([
            .bytes([1, 2]), .file(path: file.path), .bytes([]), .file(path: empty.path), .bytes([3]),
            .file(path: file.path),
        ])
        _ = try await CurlTransport().fetch(try server.request(.put, body: body))
        let received = try #require(server.received.first)
        #expect(received["Content-Length"] == "600003")
        #expect(
            received.body
                == [1, 2] + [UInt8](repeating: 0x66, count: 300_000) + [3] + [UInt8](repeating: 0x66, count: 300_000))
    }

    private struct Broken: Error {}

    /// A stream of 300,000 bytes in chunks, each time it is read.
    private static func stream(isBroken: Bool = false) -> BodyStream {
        BodyStream {
            AsyncThrowingStream<[UInt8], any Error> { sink in
                for _ in 0..<3 { sink.yield([UInt8](repeating: 9, count: 100_000)) }
                sink.finish(throwing: isBroken ? Broken() : nil)
            }
        }
    }

    @Test func streamsAreSentWithTheirLength() async throws {
        let server = try MockServer { _ in .response(204) }
        let body = RequestBody([.bytes([1]), .stream(Self.stream()), .bytes([2]), .stream(Self.stream())])
        let request = Request(.put, try BaseURL(server.baseURL), path: "/", body: body)
        for _ in 0..<2 {
            let response = try await CurlTransport().send(request, options: TransferOptions())
            #expect(response.head.status == 204)
        }
        let content = [UInt8](repeating: 9, count: 300_000)
        #expect(server.received.map(\.body) == [[1] + content + [2] + content, [1] + content + [2] + content])
        #expect(server.received.allSatisfy { $0["Content-Length"] == "600002" })
    }

    private enum Tape: API {
        case add(sound: BodyStream)

        static let api = APIInfo(name: "tape", servers: [])
        static let examples: [Tape] = []

        var endpoint: Endpoint {
            switch self {
            case .add(let sound):
                .put(
                    "/tape", body: .multipart([.stream("sound", sound, filename: "a.wav", contentType: "audio/wav")]),
                    returns: EmptyResponse.self, summary: "Adds a tape")
            }
        }
    }

    @Test func aStreamIsReadAnewForEachAttempt() async throws {
        let responses = Mutex([503, 204])
        let server = try MockServer { _ in .response(responses.withLock { $0.removeFirst() }) }
        var client = Client(transport: CurlTransport())
        client.options.base = try BaseURL(server.baseURL)
        client.retry.count = 1
        client.retry.delay = .zero
        try await client.send(Tape.add(sound: Self.stream()))
        let bodies = server.received.map(\.body)
        #expect(bodies.map { body in body.count { $0 == 9 } } == [300_000, 300_000])
        #expect(server.received.allSatisfy { $0["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true })
    }

    @Test func aStreamThatCanBeReadOnceIsNotSentEmptyInTheSecondAttempt() async throws {
        let server = try MockServer { _ in .response(503) }
        var client = Client(transport: CurlTransport())
        client.options.base = try BaseURL(server.baseURL)
        client.retry.count = 1
        client.retry.delay = .zero
        let once = AsyncStream<[UInt8]> { sink in
            sink.yield([9, 9, 9])
            sink.finish()
        }
        let stream = BodyStream { once }
        do {
            try await client.send(Tape.add(sound: stream))
            Issue.record("The second attempt was sent.")
        } catch let error as TransportError {
            #expect(error.cause == .invalidRequest)
        }
        #expect(server.received.map { $0.body.count { $0 == 9 } } == [3])
    }

    @Test func aStreamMayBeAFile() async throws {
        let server = try MockServer { _ in .response(204) }
        var client = Client(transport: CurlTransport())
        client.options.base = try BaseURL(server.baseURL)
        let file = try TemporaryFile([7, 7, 7])
        try await client.send(Tape.add(sound: BodyStream(path: file.path)))
        let path = try Coding().decode(BodyStream.self, from: Coding().encode(BodyStream(path: file.path)))
        #expect(path == BodyStream(path: file.path))
        #expect(server.received.first?.body.count { $0 == 7 } == 3)
    }

    @Test func theErrorOfAStreamIsThrownAndNothingIsSent() async throws {
        let server = try MockServer { _ in .response(204) }
        let body = RequestBody([.stream(Self.stream(isBroken: true))])
        let request = Request(.put, try BaseURL(server.baseURL), path: "/", body: body)
        await #expect(throws: Broken.self) {
            try await CurlTransport().send(request, options: TransferOptions())
        }
        #expect(server.received.isEmpty)
    }

    @Test func theSentBytesAreReported() async throws {
        let server = try MockServer { _ in .response(200) }
        let body = [UInt8](repeating: 0x66, count: 3_000_000)
        let sent = Mutex<[Int64]>([])
        try await confirmation(expectedCount: 1...) { reported in
            var options = TransferOptions()
            options.onSent = { count, total in
                sent.withLock { $0.append(count) }
                #expect(total == 3_000_000)
                reported()
            }
            let request = try server.request(.put, body: RequestBody(bytes: body))
            let response = try await CurlTransport().send(request, options: options)
            #expect(response.head.status == 200)
        }
        let counts = sent.withLock(\.self)
        #expect(counts.first == 0 && counts == counts.sorted() && counts.count > 2)
    }

    struct Unreadable: Row {
        let id: String
        let path: String
        let message: String
    }

    @Test(arguments: [
        Unreadable(
            id: "nothing there", path: "/nonexistent/a", message: "can't read /nonexistent/a: no such file or directory"
        ),
        Unreadable(id: "a directory", path: "/usr", message: "can't read /usr: it is a directory"),
        Unreadable(id: "a device", path: "/dev/zero", message: "can't read /dev/zero: it is not a regular file"),
    ])
    func unreadableFile(_ row: Unreadable) async throws {
        let server = try MockServer { _ in .response(200) }
        let request = try server.request(.post, body: RequestBody([.file(path: row.path)]))
        #expect(
            (await CurlTransport().failure(request) as? TransportError)?.message == row.message)
        #expect(server.connectionCount == 0)
    }

    @Test func aLargeBodyWaitsForTheServersConsent() async throws {
        let server = try MockServer { _ in .response(200) }
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        _ = try await CurlTransport().fetch(try server.request(.post, body: RequestBody(bytes: body)))
        let received = try #require(server.received.first)
        #expect(received["Expect"] == "100-continue")
        #expect(received.body == body)
    }

    @Test func aConnectionThatHasGoneIsReplacedAndTheBodySentAgain() async throws {
        let server = try MockServer { _ in MockResponse.response(200).then(.close) }
        let transport = CurlTransport()
        for number in 0..<10 {
            let body = [UInt8](repeating: UInt8(number), count: 1000)
            _ = try await transport.fetch(try server.request(.put, body: RequestBody(bytes: body)))
        }
        #expect(server.received.map(\.body) == (0..<10).map { [UInt8](repeating: UInt8($0), count: 1000) })
    }

    @Test func aResponseBeforeTheEndOfTheBodyIsDelivered() async throws {
        let server = try MockServer(limits: .init(body: 1000)) { _ in .response(200) }
        let body = RequestBody(bytes: [UInt8](repeating: 1, count: 3_000_000))
        let response = try await CurlTransport().fetch(try server.request(.post, body: body))
        #expect(response.head.status == 413)
    }

    /// The server answers, closes and leaves the rest unread, which breaks the connection for who still sends.
    @Test(arguments: [
        "HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\nbig",
        "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 3\r\n\r\nbig",
        "HTTP/1.1 413 Content Too Large\r\nConnection: close\r\n\r\nbig",
    ])
    func anAnswerThatBreaksTheUploadOff(_ answer: String) async throws {
        let server = try RawServer { connection in
            _ = RawServer.receiveHead(connection)
            RawServer.send(connection, answer)
        }
        let file = try TemporaryFile(zeros: 50 << 20)
        let transport = CurlTransport()
        for withheld in [[], ["Expect"]] {
            var answered = 0
            var tries = 0
            // Some attempts fail, because the connection may break in the moment in which bytes are sent.
            while answered < 3, tries < 50 {
                tries += 1
                var request = Request(
                    .post, try BaseURL("http://127.0.0.1:\(server.port)"), path: "/",
                    body: RequestBody([.file(path: file.path)]))
                request.withheldHeaders = withheld
                do {
                    let response = try await transport.send(request, options: TransferOptions(maxTime: .seconds(60)))
                    #expect(response.head.status == 413)
                    answered += 1
                } catch {
                    guard case .cutShort = (error as? TransportError)?.cause else { throw error }
                }
            }
            #expect(answered == 3)
        }
    }
}
