import EndpointKit
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Headers that follow from the body or the connection and can't be withheld.
    private static let fixed = ["host", "content-length", "transfer-encoding", "connection"]

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
            add(header.name, try Self.value(of: header))
        }
        for name in request.withheldHeaders {
            let isSet = value(forHTTPHeaderField: name) != nil
            if isSet || Self.fixed.contains(name.lowercased()) { continue }
            // URLSession adds some headers if they are not set, and can't be told to omit one. Empty is the closest.
            setValue("", forHTTPHeaderField: name)
        }
    }

    /// Returns the value of a header with its secrets filled in.
    ///
    /// - Throws: `TransportError` if the header is not allowed or not UTF-8, and `MissingCredential` if a secret's
    ///   variable is not set.
    private static func value(of header: HTTPField) throws -> String {
        func refused(_ reason: String) -> TransportError {
            TransportError(.invalidRequest, detail: "the header \(header.name) can't be sent: \(reason)")
        }
        do throws(RequestError) {
            _ = try header.checked()
        } catch {
            let part = error == .invalidHeaderName(header.name) ? "name" : "value"
            throw refused("its \(part) is not allowed")
        }
        let value = try header.revealedValue()
        guard !value.holdsRawBytes else { throw refused("URLSession accepts UTF-8 only") }
        return value
    }

    /// Adds a header. If there is one with the same name, both values are joined: `a, b` (RFC 9110, section 5.3), or
    /// `a=1; b=2` for cookies (RFC 6265, section 5.4).
    private mutating func add(_ name: String, _ value: String) {
        if let old = self.value(forHTTPHeaderField: name) {
            let separator = name.lowercased() == "cookie" ? "; " : ", "
            setValue(old + separator + value, forHTTPHeaderField: name)
        } else {
            setValue(value, forHTTPHeaderField: name)
        }
    }
}
