import EndpointKit
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where URLSession on Linux differs from Apple's; all such differences are in this file.
enum Platform {
    #if canImport(FoundationNetworking)
    /// Whether `suspend()` pauses a running transfer. On Linux it repeats the request, and the response would come
    /// twice.
    static let canPause = false
    /// Whether a password challenge comes after the whole response. On Linux it does, and rejecting it turns a good
    /// response into an error.
    static let challengeEndsResponse = true
    static let certificateChallenges: [String] = []
    #else
    static let canPause = true
    static let challengeEndsResponse = false
    static let certificateChallenges = [
        NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
    ]
    #endif

    /// Returns what an error code means on this system, if the systems disagree about it; nil if they agree.
    ///
    /// FoundationNetworking, as on Linux, sends requests with libcurl and turns libcurl's errors into these codes.
    static func cause(_ code: URLError.Code) -> TransportError.Cause? {
        #if canImport(FoundationNetworking)
        switch code {
        // libcurl takes bytes without a status line for HTTP/0.9, which had none.
        case .unsupportedURL: .notHTTP
        // The connection ended without a single byte.
        case .badServerResponse: .cutShort(.noResponse)
        default: nil
        }
        #else
        nil
        #endif
    }
}

extension TransportError {
    /// The error of a transfer with `server` that URLSession ended with `error`.
    ///
    /// Many errors have a code of their own only on Apple's systems. On Linux they are ``Cause/other`` with libcurl's
    /// text.
    init(_ error: any Error, server: Peer) {
        let code = (error as? URLError)?.code
        guard let code, let cause = Platform.cause(code) ?? Self.cause(code) else {
            self.init(.other, server: server, detail: error.localizedDescription)
            return
        }
        self.init(cause, server: server)
        if phase == .handshaking { detail = error.localizedDescription }
    }

    /// Returns the cause that an error code stands for on all systems; nil if there is none.
    private static func cause(_ code: URLError.Code) -> Cause? {
        switch code {
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
