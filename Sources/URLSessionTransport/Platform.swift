import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where URLSession on Linux is not what it is on Apple's systems; every such difference stands in this file.
enum Platform {
    #if canImport(FoundationNetworking)
    /// Whether `suspend()` holds a running transfer. On Linux it starts the request over, so the answer would come twice.
    static let canPause = false
    /// Whether a challenge for a password comes when the whole answer is there. On Linux it does, and refusing it makes an
    /// error of an answer that was good.
    static let challengeEndsAnswer = true
    #else
    static let canPause = true
    static let challengeEndsAnswer = false
    #endif

    /// What an error means where the systems disagree; nil where they agree.
    static func failure(_ error: URLError, afterHead: Bool) -> TransportFailure? {
        #if canImport(FoundationNetworking)
        switch error.code {
        // What libcurl calls HTTP/0.9: bytes without a status line.
        case .unsupportedURL: return .notHTTP
        // The connection ended without a single byte.
        case .badServerResponse: return .cutShort
        // All that libcurl has a code for and URLSession has not; libcurl's own words tell.
        case .unknown:
            let text = error.localizedDescription
            if afterHead, text.contains("closed") || text.contains("missing") { return .cutShort }
            if !afterHead, text.contains("SSL") || text.contains("TLS") || text.contains("certificate") { return .tls }
            return nil
        default: return nil
        }
        #else
        return nil
        #endif
    }
}
