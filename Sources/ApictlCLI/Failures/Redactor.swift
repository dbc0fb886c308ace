import EndpointKit

/// Takes the secrets of a request out of text that may hold them: wire traffic, messages of servers and libraries.
struct Redactor: Sendable {
    /// The texts to look for, the longest first, so that no secret is left half shown.
    private let needles: [String]

    init(_ request: Request? = nil) {
        var found: Set<String> = []
        for text in (request?.headers.map(\.value) ?? []) + (request?.query.map(\.value) ?? []) {
            for case .basic(let user, let password) in text.pieces {
                let pair = SensitiveText([.basic(user: user, password: password)])
                if let encoded = try? pair.reveal() { found.insert(encoded) }
            }
            for value in text.secrets.compactMap({ $0.reveal() }) where !value.isEmpty {
                let encoded = PercentEncoding.encode(value)
                found.formUnion([value, encoded, encoded.replacing("%20", with: "+"), encoded.lowercased()])
            }
        }
        needles = found.sorted { $0.utf8.count > $1.utf8.count }
    }

    func redact(_ text: String) -> String {
        needles.reduce(text) { $0.replacingBytes(of: $1, with: "(redacted)") }
    }
}
