import EndpointKit
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The failures of URLSession that have a name of their own.
enum TransportFailure {
    case nameNotResolved, notConnected, tls, timedOut, cutShort, notHTTP, unreadableBody

    /// What `error` means; nil for all else.
    init?(_ error: URLError, afterHead: Bool) {
        if let known = Platform.failure(error, afterHead: afterHead) {
            self = known
            return
        }
        switch error.code {
        case .cannotFindHost, .dnsLookupFailed: self = .nameNotResolved
        case .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
            self = .notConnected
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            self = .tls
        case .timedOut: self = .timedOut
        case .networkConnectionLost: self = .cutShort
        case .badServerResponse, .cannotParseResponse: self = .notHTTP
        case .fileDoesNotExist, .fileIsDirectory, .noPermissionsToReadFile: self = .unreadableBody
        default: return nil
        }
    }

    /// The error that tells what happened with `server`, such as `127.0.0.1 port 9`.
    func error(_ server: String) -> TransportError {
        switch self {
        case .nameNotResolved: TransportError(.nameNotResolved, "could not resolve the name of \(server)")
        case .notConnected: TransportError(.notConnected, "could not connect to \(server)")
        case .tls: TransportError(.tls, "could not set up TLS with \(server)")
        case .timedOut: TransportError(.timedOut, "\(server) was silent for too long")
        case .cutShort: TransportError(.cutShort, "the connection to \(server) ended before the answer did")
        case .notHTTP: TransportError(.notHTTP, "the answer of \(server) is not HTTP")
        case .unreadableBody: TransportError(.unreadableBody, "could not read the file to send to \(server)")
        }
    }
}

extension TransportError {
    /// What URLSession's `error` means for a transfer with `server`.
    init(_ error: any Error, server: String, afterHead: Bool) {
        if let failure = (error as? URLError).flatMap({ TransportFailure($0, afterHead: afterHead) }) {
            self = failure.error(server)
            if failure == .tls { message += ": \(error.localizedDescription)" }
        } else {
            self.init(.other, "the transfer with \(server) failed: \(error.localizedDescription)")
        }
    }
}
