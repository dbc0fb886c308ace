import EndpointKit
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Headers that follow from the body or the connection and can't be withheld.
    private static let fixed = ["host", "content-length", "transfer-encoding", "connection"]

    /// The method, URL and headers of `request`.
    ///
    /// - Throws: `MissingCredential`, and `TransportError` for what URLSession can't send as it is.
    init(_ request: Request) throws {
        // Foundation would otherwise repair the URL and send a different one.
        guard let url = URL(string: try request.revealedURL(), encodingInvalidCharacters: false) else {
            throw TransportError(.invalidRequest, detail: "URLSession does not accept the URL \(request.redactedURL)")
        }
        self.init(url: url)
        httpMethod = request.method.rawValue
        for header in request.headers {
            add(header.name, try Self.value(of: header))
        }
        for name in request.withheldHeaders
        where self.value(forHTTPHeaderField: name) == nil && !Self.fixed.contains(name.lowercased()) {
            // URLSession adds a header that is not set and has no way to omit it; empty is the closest.
            setValue("", forHTTPHeaderField: name)
        }
    }

    /// Returns the value of a header with its secrets filled in.
    ///
    /// - Throws: `TransportError` if the header is not allowed or not UTF-8, and `MissingCredential`.
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

    /// Adds a header. Repeated headers become one (RFC 9110, section 5.3); cookies have a separator of their own (RFC
    /// 6265, section 5.4).
    private mutating func add(_ name: String, _ value: String) {
        if let old = self.value(forHTTPHeaderField: name) {
            let separator = name.lowercased() == "cookie" ? "; " : ", "
            setValue(old + separator + value, forHTTPHeaderField: name)
        } else {
            setValue(value, forHTTPHeaderField: name)
        }
    }
}
