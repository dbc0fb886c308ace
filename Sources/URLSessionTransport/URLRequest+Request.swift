import EndpointKit
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Headers that follow from the body or the connection and can't be withheld.
    private static let unavoidableHeaders = ["host", "content-length", "transfer-encoding", "connection"]

    /// Makes a request for URLSession with the same method, URL and headers. The body is set by the caller.
    ///
    /// - Throws: `MissingCredential` if a secret's variable is not set, and `TransportError` if URLSession can't send
    ///   the URL or a header as it is.
    init(_ request: Request) throws {
        // Foundation would otherwise repair the URL and send a different one.
        guard let url = URL(strict: try request.revealedURL()) else {
            throw TransportError(.invalidRequest, detail: "URLSession does not accept the URL \(request.redactedURL)")
        }
        self.init(url: url)
        httpMethod = request.method.rawValue
        for header in request.headers {
            addHeader(header.name, value: try Self.revealedValue(of: header))
        }
        for name in request.withheldHeaders {
            let isSet = value(forHTTPHeaderField: name) != nil
            let isUnavoidable = Self.unavoidableHeaders.contains(name.lowercased())
            // URLSession adds some headers if they are not set, and can't be told to omit one. Empty is the closest.
            if !isSet, !isUnavoidable { setValue("", forHTTPHeaderField: name) }
        }
    }

    /// Returns the value of a header with its secrets filled in.
    ///
    /// - Throws: `TransportError` if the header is not allowed or not UTF-8, and `MissingCredential` if a secret's
    ///   variable is not set.
    private static func revealedValue(of header: HTTPField) throws -> String {
        try validate(header)
        let value = try header.revealedValue()
        if value.holdsRawBytes { throw unsendableHeaderError(header, reason: "URLSession accepts UTF-8 only") }
        return value
    }

    /// Checks that the name of a header is a token and that its value has no control characters (RFC 9110, sections 5.1
    /// and 5.5).
    ///
    /// - Throws: `TransportError` if the name or the value is not allowed.
    private static func validate(_ header: HTTPField) throws(TransportError) {
        do throws(RequestError) {
            _ = try header.checked()
        } catch {
            switch error {
            case .invalidHeaderName: throw unsendableHeaderError(header, reason: "its name is not allowed")
            default: throw unsendableHeaderError(header, reason: "its value is not allowed")
            }
        }
    }

    /// Returns the error for a header that URLSession can't send.
    private static func unsendableHeaderError(_ header: HTTPField, reason: String) -> TransportError {
        TransportError(.invalidRequest, detail: "the header \(header.name) can't be sent: \(reason)")
    }

    /// Adds a header. If there is one with the same name, both values are joined: `a, b` (RFC 9110, section 5.3), or
    /// `a=1; b=2` for cookies (RFC 6265, section 5.4).
    private mutating func addHeader(_ name: String, value: String) {
        if let earlierValue = self.value(forHTTPHeaderField: name) {
            let separator = name.lowercased() == "cookie" ? "; " : ", "
            setValue(earlierValue + separator + value, forHTTPHeaderField: name)
        } else {
            setValue(value, forHTTPHeaderField: name)
        }
    }
}
