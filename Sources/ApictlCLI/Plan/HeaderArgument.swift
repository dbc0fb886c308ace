import EndpointKit

/// The value of `-H`: `Name: value` adds a header, `Name:` removes one, `Name;` sends it empty, as in curl.
struct HeaderArgument {
    private let name: String
    /// Nil removes the header.
    private let value: String?

    /// Parses `text`. Throws ``UsageError``.
    init(_ text: String) throws(UsageError) {
        // Unicode scalars, because a value may start with a combining mark, which makes one character with the colon.
        let scalars = text.unicodeScalars
        guard let end = scalars.firstIndex(where: { $0 == ":" || $0 == ";" }), end > text.startIndex else {
            // Only the first word is shown, because the rest may be a secret.
            throw .invalidHeader(name: String(text.prefix { $0 != " " }), problem: "expected 'Name: value'")
        }
        name = String(text[..<end])
        let rest = scalars[scalars.index(after: end)...]
        if scalars[end] == ";" {
            guard rest.isEmpty else {
                throw .invalidHeader(name: name, problem: "expected 'Name: value', or 'Name;' for an empty one")
            }
            value = ""
        } else {
            let trimmed = rest.drop { $0 == " " || $0 == "\t" }
            value = trimmed.isEmpty ? nil : String(trimmed)
        }
    }

    /// Adds or removes the header in `additions`. Throws ``UsageError`` for a header that can't be sent.
    func add(to additions: inout RequestOptions) throws(UsageError) {
        do {
            let header = try Header(name, value ?? "").checked()
            if value == nil { additions.withheldHeaders.append(name) } else { additions.headers.append(header) }
        } catch {
            throw .invalidHeader(name: error.name, problem: error.sentence)
        }
    }
}

extension QueryItem {
    /// The item of `--query NAME=VALUE`. Throws ``UsageError``.
    init(argument text: String) throws(UsageError) {
        guard let equals = text.unicodeScalars.firstIndex(of: "="), equals != text.startIndex else {
            throw .invalidValue(option: "--query", value: text, expected: "NAME=VALUE", position: nil)
        }
        self.init(String(text[..<equals]), String(text.unicodeScalars[equals...].dropFirst()))
    }
}

extension InvalidHeader {
    /// What is wrong with the header.
    var sentence: String {
        switch reason {
        case .name: "the name may contain only letters, digits and !#$%&'*+-.^_`|~"
        case .value:
            "the value\(variable.map { " of \($0)" } ?? "") contains a line break or another control character"
        }
    }
}
