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

    /// Returns the cause of an error code that means different things on different systems. It is nil for a code that
    /// means the same on all of them.
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
    /// Makes the error of a transfer from the error with which URLSession has ended it.
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

    /// Returns the cause of an error code that means the same on all systems, or nil for any other code.
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
