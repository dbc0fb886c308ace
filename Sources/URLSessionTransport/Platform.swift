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
    #else
    static let canPause = true
    static let challengeEndsResponse = false
    #endif

    /// What an error means if the systems disagree; nil if they agree.
    static func cause(_ error: URLError, afterHead: Bool) -> TransportError.Cause? {
        #if canImport(FoundationNetworking)
        switch error.code {
        // libcurl's HTTP/0.9: bytes without a status line.
        case .unsupportedURL: return .notHTTP(.noStatusLine)
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
            return text.contains("SSL") || text.contains("TLS") ? .tls(.init(openSSL: text)) : nil
        default: return nil
        }
        #else
        return nil
        #endif
    }
}
