import EndpointKit
import Testing

@testable import CurlTransport

@Suite struct TrustStoreTests {
    struct Variables: Row {
        let id: String
        let variables: [String: String]
        var bundle: String?
        var directory: String?
    }

    @Test(arguments: [
        Variables(id: "none", variables: [:]),
        Variables(
            id: "CURL_CA_BUNDLE hides the others",
            variables: ["CURL_CA_BUNDLE": "a", "SSL_CERT_FILE": "b", "SSL_CERT_DIR": "c"], bundle: "a"),
        Variables(
            id: "one for each", variables: ["SSL_CERT_FILE": "b", "SSL_CERT_DIR": "c"], bundle: "b", directory: "c"),
        Variables(id: "a file", variables: ["SSL_CERT_FILE": "b"], bundle: "b"),
        Variables(id: "a directory", variables: ["SSL_CERT_DIR": "c"], directory: "c"),
        Variables(
            id: "empty ones", variables: ["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "", "SSL_CERT_DIR": "c"],
            directory: "c"),
    ])
    func variables(_ row: Variables) {
        #expect(
            CurlConfiguration { row.variables[$0] }
                == CurlConfiguration(certificateBundle: row.bundle, certificateDirectory: row.directory))
    }

    @Test(arguments: [
        ("5ed36f99.0", true), ("00000000.12", true), ("5ed36f9.0", false), ("5ed36f990.0", false), ("5ed36f99", false),
        ("5ed36f99.", false), ("5ed36f99.r0", false), ("5ED36F99.0", false), ("5ed36f9g.0", false),
        ("5ed36f99.0.0", false), ("authority.pem", false), ("", false), (".", false),
    ])
    func hashLinks(_ name: String, _ isLink: Bool) {
        #expect(HashLinks.isHashLink(name.utf8) == isLink)
    }

    @Test func aFileIsNotADirectoryOfLinks() throws {
        #expect(!HashLinks.exist(in: try TemporaryFile([]).path))
    }

    @Test func anErrorNamesThePlaces() {
        var error = TransportError(.certificate(.unknownIssuer), server: .init(host: "a.example"), detail: "untrusted")
        error.searched = ["/certs", "/bundle.pem"]
        #expect(
            error.message
                == "the certificate of a.example has an unknown issuer: it is not in /certs or /bundle.pem (untrusted)")
    }
}
