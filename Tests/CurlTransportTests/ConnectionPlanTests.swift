import EndpointKit
import TestSupport
import Testing

@testable import CurlTransport

/// Connection options that are refused before anything is sent.
@Suite struct ConnectionPlanTests {
    struct Refused: Row {
        let id: String
        let options: ConnectionOptions
        let message: String
    }

    @Test(arguments: [
        Refused(
            id: "no such authorities", options: .init(certificateAuthorities: "/nonexistent/ca.pem"),
            message: "can't read the certificate authorities in /nonexistent/ca.pem: no such file or directory"),
        Refused(
            id: "no such certificate", options: .init(clientCertificate: "/nonexistent/a.pem"),
            message: "can't read the client certificate /nonexistent/a.pem: no such file or directory"),
        Refused(
            id: "no such key", options: .init(clientKey: "/nonexistent/a.key"),
            message: "can't read the client's key /nonexistent/a.key: no such file or directory"),
        Refused(
            id: "a directory", options: .init(certificateAuthorities: "/usr"),
            message: "can't read the certificate authorities in /usr: it is a directory"),
        Refused(
            id: "no name", options: .init(clientCertificate: ""),
            message: "can't read the client certificate '': no such file or directory"),
        Refused(
            id: "zero byte in a path", options: .init(clientKey: "a\0b"),
            message: "the path of a certificate or key holds a zero byte"),
        Refused(
            id: "zero byte in the passphrase",
            options: .init(keyPassphrase: Secret(variable: "PASSPHRASE", value: "a\0b")),
            message: "the key's passphrase holds a zero byte"),
        Refused(
            id: "zero byte in the proxy", options: .init(proxy: "http://squid\0:3128"),
            message: "the proxy holds a zero byte"),
        Refused(
            id: "zero byte in the socket", options: .init(unixSocket: "/tmp/a\0b"),
            message: "the path of the unix socket holds a zero byte"),
        Refused(
            id: "a socket without a path", options: .init(unixSocket: ""),
            message: "the path of the unix socket is empty"),
        Refused(
            id: "an address without a port",
            options: .init(resolve: ["a.example:80:127.0.0.1", "a.example:127.0.0.1"]),
            message: "the address a.example:127.0.0.1: expected HOST:PORT:ADDRESS[,ADDRESS]…"),
    ])
    func unusableOptionsAreRefusedWithTheirReason(_ row: Refused) {
        let error = #expect(throws: TransportError.self) { try ConnectionPlan(row.options) }
        #expect(error?.message == row.message)
    }

    @Test func aNamedPipeIsRefusedAsAKey() throws {
        let pipe = try TemporaryFile.namedPipe()
        let error = #expect(throws: TransportError.self) { try ConnectionPlan(.init(clientKey: pipe.path)) }
        #expect(error?.message == "can't read the client's key \(pipe.path): it is a named pipe")
    }

    @Test func aDeviceIsRefusedAsAKey() throws {
        let error = #expect(throws: TransportError.self) { try ConnectionPlan(.init(clientKey: "/dev/zero")) }
        #expect(error?.message == "can't read the client's key /dev/zero: it is not a regular file")
    }

    @Test func aMissingPassphraseIsNamed() {
        let secret = Secret(variable: "PASSPHRASE", value: nil)
        #expect(throws: MissingCredential(alternatives: [["PASSPHRASE"]])) {
            try ConnectionPlan(ConnectionOptions(keyPassphrase: secret))
        }
    }

    @Test func thePassphraseIsEmptyUnlessGiven() throws {
        #expect(try ConnectionPlan(ConnectionOptions()).keyPassphrase == [0])
        let secret = Secret(variable: "PASSPHRASE", value: "ab")
        #expect(try ConnectionPlan(ConnectionOptions(keyPassphrase: secret)).keyPassphrase == [0x61, 0x62, 0])
    }

    @Test(arguments: [
        ("squid", "http://squid"),
        ("http://squid:3128", "http://squid:3128"),
        ("https://squid:3128/x", "https://squid:3128"),
        ("http://[::1]", "http://[::1]"),
        ("socks5h://[::1]:1080", "http://[::1]:1080"),
        ("http://user:pass@squid:3128", "http://squid:3128"),
        ("user:p/a@ss@squid:3128/", "http://squid:3128"),
        ("", nil),
    ])
    func theProxysNameHoldsNoPassword(_ proxy: String, _ url: String?) {
        #expect(TransportError.Peer(proxy: proxy)?.url == url)
    }

    @Test(arguments: [
        ("no URL", "no URL"),
        ("mail a@b.example", "mail a@b.example"),
        ("no_proxy == 'a.example,b'", "no_proxy == 'a.example,b'"),
        ("http://a:p@ss@squid now", "http://squid now"),
        ("x 'joe:s3 cr'et@h:1'", "x 'h:1'"),
        (" @ ://@", " @ ://"),
        ("http_proxy == 'http://joe:s3 cret@h:1' now", "http_proxy == 'h:1' now"),
        ("it's a@b", "it's a@b"),
        ("@", "@"),
    ])
    func userInformationInURLsIsNotShown(_ text: String, _ shown: String) {
        #expect(text.withoutUserInformation == shown)
    }

    @Test(arguments: [
        ("a.example:80:127.0.0.1", true),
        ("a.example:443:10.0.0.1,10.0.0.2", true),
        ("a.example:443:[::1]", true),
        ("a.example:443:::1,127.0.0.1", true),
        ("*:443:127.0.0.1", true),
        ("+a.example:443:127.0.0.1", true),
        ("a.example:65535:1.2.3.4", true),
        ("", false),
        ("a.example", false),
        ("a.example:80", false),
        ("a.example:80:", false),
        (":80:127.0.0.1", false),
        ("a.example::127.0.0.1", false),
        ("a.example:0:127.0.0.1", false),
        ("a.example:65536:127.0.0.1", false),
        ("a.example:+80:127.0.0.1", false),
        ("a.example:80:127.0.0.1,", false),
        ("a.example:80:b.example", false),
        ("a.example:80:127.0.0", false),
        ("a.example:80:[127.0.0.1]", false),
        ("a.example:80:[]", false),
        ("-a.example:80:127.0.0.1", false),
        ("+:80:127.0.0.1", false),
        ("a example:80:127.0.0.1", false),
        ("a.example:80:127.0.0.1\0", false),
    ])
    func anAddressHasHostPortAndNumericAddresses(_ entry: String, _ isWellFormed: Bool) {
        #expect((ResolveEntry.problem(entry) == nil) == isWellFormed)
    }

    struct Phases: Row {
        let id: String
        let ends: [Int64]
        let lengths: [Int64]
    }

    @Test(arguments: [
        Phases(id: "all", ends: [10, 30, 60], lengths: [10, 20, 30, 40]),
        Phases(id: "all, with TLS", ends: [10, 30, 50, 80], lengths: [10, 20, 20, 30, 20]),
        Phases(id: "nothing", ends: [0, 0, 0], lengths: [100, 0, 0, 0]),
        Phases(id: "no connection", ends: [10, 0, 0], lengths: [10, 90, 0, 0]),
        Phases(id: "no response", ends: [10, 30, 0], lengths: [10, 20, 70, 0]),
        Phases(id: "ends in disorder", ends: [50, 30, 60], lengths: [50, 0, 10, 40]),
        Phases(id: "an end after the end", ends: [10, 30, 200], lengths: [10, 20, 70, 0]),
    ])
    func phases(_ row: Phases) {
        let lengths = PhaseLengths.lengths(ends: row.ends, total: 100)
        #expect(lengths == row.lengths)
        #expect(lengths.reduce(0, +) == 100)
    }
}
