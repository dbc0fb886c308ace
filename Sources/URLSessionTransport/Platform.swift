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

    /// Returns the cause of an error for a code that has another meaning on this system than on Apple's. It is nil for
    /// a code that means the same on all systems.
    ///
    /// On Linux, FoundationNetworking sends requests with libcurl and turns libcurl's errors into these codes.
    static func cause(of code: URLError.Code) -> TransportError.Cause? {
        #if canImport(FoundationNetworking)
        switch code {
        // The response has no status line. libcurl takes that for HTTP/0.9, which had none, and refuses the protocol as
        // unsupported. FoundationNetworking has one code for that and for a URL whose scheme is unsupported.
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
    /// On Linux, many errors lack the code that they have on Apple's systems. They have the cause ``Cause/other``, and
    /// libcurl's text as their detail.
    init(_ error: any Error, server: Peer) {
        let code = (error as? URLError)?.code
        guard let code, let cause = Platform.cause(of: code) ?? Self.cause(of: code) else {
            self.init(.other, server: server, detail: error.localizedDescription)
            return
        }
        self.init(cause, server: server)
        // The causes of a failed TLS handshake are broad. Only the text tells what is wrong.
        if phase == .handshaking { detail = error.localizedDescription }
    }

    /// Returns the cause of an error code that means the same on all systems, or nil for any other code.
    private static func cause(of code: URLError.Code) -> Cause? {
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
