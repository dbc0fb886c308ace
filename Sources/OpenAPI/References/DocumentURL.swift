import EndpointKit

/// The URL of a document that was loaded with HTTP.
struct DocumentURL {
    private let reference: URIReference

    /// Reads a URL. Returns nil if the text is a path, or a URL with another scheme than `http` and `https`.
    init?(_ text: String) {
        reference = URIReference(text)
        guard Self.origin(of: reference) != nil else { return nil }
    }

    /// Returns the URL of a file that the document refers to.
    ///
    /// In the document `https://shop.example/api/shop.yaml`:
    ///
    ///     ../pets.yaml                 →  https://shop.example/pets.yaml
    ///     //other.example/pets.yaml    →  an error
    ///
    /// - Parameter writtenReference: The reference without its fragment.
    /// - Throws: ``PartFailure`` if the file has another origin (RFC 6454, section 4) than the document.
    func fileURL(of writtenReference: some StringProtocol) throws(PartFailure) -> String {
        let target = URIReference(String(writtenReference)).resolved(against: reference)
        guard let origin = Self.origin(of: target), origin == Self.origin(of: reference) else {
            throw PartFailure(
                expected: "a file on the server of the document",
                found: "'\(SecretRules.redacted(String(writtenReference)))', which is not loaded")
        }
        return target.text
    }

    /// Returns the scheme, host and port of a URL; nil if the scheme is neither `http` nor `https`.
    ///
    ///     https://shop.example:443/a     →  https://shop.example
    ///     https://me@shop.example/a      →  https://me@shop.example
    ///
    /// User and password are part of the result, so that a document can't make the program send its own.
    private static func origin(of url: URIReference) -> String? {
        let defaultPorts = ["http": ":80", "https": ":443"]
        guard let scheme = url.scheme?.lowercased(), let defaultPort = defaultPorts[scheme] else { return nil }
        guard var authority = url.authority?.lowercased(), !authority.isEmpty else { return nil }
        if authority.hasSuffix(defaultPort) { authority.removeLast(defaultPort.count) }
        return "\(scheme)://\(authority)"
    }
}
