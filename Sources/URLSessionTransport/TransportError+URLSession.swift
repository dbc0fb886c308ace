import EndpointKit
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// What URLSession's `error` means for a transfer with `server`.
    init(_ error: any Error, server: Peer, afterHead: Bool) {
        guard let cause = (error as? URLError).flatMap({ Self.cause($0, afterHead: afterHead) }) else {
            self.init(.other, server: server, detail: error.localizedDescription)
            return
        }
        self.init(cause, party: cause == .nameNotResolved ? .resolver : .server, server: server)
        if phase == .handshaking { detail = error.localizedDescription }
    }

    /// The cause of URLSession's errors that have one; nil for all others.
    private static func cause(_ error: URLError, afterHead: Bool) -> Cause? {
        if let cause = Platform.cause(error, afterHead: afterHead) { return cause }
        return switch error.code {
        case .cannotFindHost, .dnsLookupFailed: .nameNotResolved
        case .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
            .notConnected
        case .secureConnectionFailed, .appTransportSecurityRequiresSecureConnection: .tls(.failed)
        case .serverCertificateHasBadDate: .certificate(.expired)
        case .serverCertificateNotYetValid: .certificate(.notYetValid)
        case .serverCertificateHasUnknownRoot: .certificate(.unknownIssuer)
        case .serverCertificateUntrusted: .certificate(.other)
        case .clientCertificateRequired: .clientCertificate(.required)
        case .clientCertificateRejected: .clientCertificate(.rejected)
        case .timedOut: .timedOut(.idle(nil))
        case .networkConnectionLost: .cutShort(.broken)
        case .badServerResponse, .cannotParseResponse: .notHTTP(.malformed)
        default: nil
        }
    }
}
