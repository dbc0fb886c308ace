import CurlTransport
import SystemCalls
import Testing

/// `--tlsv1.2` and `--tlsv1.3`: which versions of TLS the client offers on the wire.
struct TLSVersionTests {
    /// Returns the versions in the first message of a TLS client, its ClientHello (RFC 8446, section 4.1.2): those of
    /// the extension `supported_versions`, or else the single one of its header.
    private static func versions(inHello hello: [UInt8]) -> Set<Int> {
        func number(at index: Int, length: Int) -> Int { hello[index..<index + length].reduce(0) { $0 << 8 | Int($1) } }
        // Headers of the record and of the message, 9 bytes, then the version of the header and 32 random bytes.
        let headerVersion = number(at: 9, length: 2)
        var index = 9 + 2 + 32
        // The identifier of the session, the cipher suites and the methods of compression, each after its length.
        for lengthSize in [1, 2, 1] { index += lengthSize + number(at: index, length: lengthSize) }
        let end = index + 2 + number(at: index, length: 2)
        index += 2
        while index < end {
            let (type, length) = (number(at: index, length: 2), number(at: index + 2, length: 2))
            let supportedVersions = 43
            if type == supportedVersions {
                // The list begins with its length. GREASE values (RFC 8701) do not occur with OpenSSL.
                return Set(stride(from: index + 5, to: index + 4 + length, by: 2).map { number(at: $0, length: 2) })
            }
            index += 4 + length
        }
        return [headerVersion]
    }

    /// Runs a call to a server that reads the ClientHello and closes the connection.
    private func offeredVersions(_ option: String) async throws -> Set<Int> {
        let listener = try Socket.listen(host: "127.0.0.1", port: 0)
        defer { SystemCall.close(listener.descriptor) }
        async let hello = Self.firstBytes(of: listener.descriptor)
        let url = "https://127.0.0.1:\(listener.port)/"
        let outcome = await run(["call", url, option, "-k"], transport: CurlTransport())
        #expect(outcome.code == 6)
        return Self.versions(inHello: try await hello)
    }

    /// Returns what a client sends first, at most 16 kB.
    private static func firstBytes(of listener: Int32) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { waiter in
            do {
                try SystemThread.start {
                    waiter.resume(returning: readHello(listener))
                }
            } catch {
                waiter.resume(throwing: error)
            }
        }
    }

    /// Waits for a connection, reads one TLS record and closes the connection.
    private static func readHello(_ listener: Int32) -> [UInt8] {
        _ = Descriptor.wait(for: .readable, of: listener, until: nil)
        guard case .connection(let connection) = Socket.accept(listener) else { return [] }
        defer { SystemCall.close(connection) }
        var hello: [UInt8] = []
        // A record has a header of 5 bytes, of which the last two are the length of the rest.
        while hello.count < 5 || hello.count < 5 + (Int(hello[3]) << 8 | Int(hello[4])) {
            _ = Descriptor.wait(for: .readable, of: connection, until: nil)
            var chunk = [UInt8](repeating: 0, count: 16 * 1024)
            let received = chunk.withUnsafeMutableBytes { Socket.receive(connection, into: $0) }
            switch received {
            case .bytes(let count): hello += chunk.prefix(count)
            case .wouldBlock: continue
            case .ended: return hello
            }
        }
        return hello
    }

    private static let tls12 = 0x0303
    private static let tls13 = 0x0304

    @Test func `TLS 1.3 alone is offered`() async throws {
        #expect(try await offeredVersions("--tlsv1.3") == [Self.tls13])
    }

    @Test func `TLS 1.2 and newer are offered`() async throws {
        #expect(try await offeredVersions("--tlsv1.2") == [Self.tls12, Self.tls13])
    }
}
