import EndpointKit
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where URLSession on Linux differs from Apple's; all such differences are in this file.
enum Platform {
    #if canImport(FoundationNetworking)
    /// Whether `suspend()` pauses a running transfer. On Linux it repeats the request, and the response would come twice.
    static let canPause = false
    /// Whether a password challenge comes after the whole response. On Linux it does, and rejecting it turns a good response into an
    /// error.
    static let challengeEndsResponse = true
    static let certificateChallenges: [String] = []
    #else
    static let canPause = true
    static let challengeEndsResponse = false
    static let certificateChallenges = [
        NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
    ]
    #endif

    /// What an error means if the systems disagree; nil if they agree.
    static func cause(_ error: URLError, afterHead: Bool) -> TransportError.Cause? {
        #if canImport(FoundationNetworking)
        switch error.code {
        // libcurl's HTTP/0.9: bytes without a status line.
        case .unsupportedURL: return .notHTTP
        // The connection ended without a single byte.
        case .badServerResponse: return .cutShort(.noResponse)
        // libcurl has a code for it and URLSession has none: only libcurl's text distinguishes them.
        case .unknown:
            let text = error.localizedDescription
            if afterHead, text.contains("closed") || text.contains("missing") {
                return .cutShort(.inBody(expected: nil))
            }
            if afterHead { return nil }
            if text.contains("certificate") { return .certificate(.other) }
            return text.contains("SSL") || text.contains("TLS") ? .handshake(openSSL: text) : nil
        default: return nil
        }
        #else
        return nil
        #endif
    }
}

extension TransportError {
    /// What URLSession's `error` means for a transfer with `server`.
    init(_ error: any Error, server: Peer, afterHead: Bool) {
        guard let cause = (error as? URLError).flatMap({ Self.cause($0, afterHead: afterHead) }) else {
            self.init(.other, server: server, detail: error.localizedDescription)
            return
        }
        self.init(cause, server: server)
        if phase == .handshaking { detail = error.localizedDescription }
    }

    /// The cause of URLSession's errors that have one; nil for all others.
    private static func cause(_ error: URLError, afterHead: Bool) -> Cause? {
        if let cause = Platform.cause(error, afterHead: afterHead) { return cause }
        return switch error.code {
        case .cannotFindHost, .dnsLookupFailed: .nameNotResolved
        case .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
            .notConnected
        case .secureConnectionFailed, .appTransportSecurityRequiresSecureConnection: .tls
        case .serverCertificateHasBadDate: .certificate(.expired)
        case .serverCertificateNotYetValid: .certificate(.notYetValid)
        case .serverCertificateHasUnknownRoot: .certificate(.unknownIssuer)
        case .serverCertificateUntrusted: .certificate(.other)
        case .clientCertificateRequired: .clientCertificateRequired
        case .clientCertificateRejected: .clientCertificateRejected
        case .timedOut: .timedOut(.idle(nil))
        case .networkConnectionLost: .cutShort(.broken)
        case .badServerResponse, .cannotParseResponse: .malformedResponse
        default: nil
        }
    }
}
