import EndpointKit
import SystemCalls

/// The type of an option's value: its placeholder in help, and how it is parsed.
struct OptionValueType<Value>: Sendable {
    let placeholder: String
    /// Whether an empty text is a valid value.
    var mayBeEmpty = false
    /// What a shell offers.
    var completion = OptionSpec.Completion.nothing
    /// Parses a word; `flag` is the option's name for messages. Throws ``UsageError``.
    let read: @Sendable (_ word: SourcedText, _ flag: String) throws(UsageError) -> Value

    /// Returns the type whose values `transform` makes of the values of this one and the words that they were read from.
    func map<Other>(_ transform: @escaping @Sendable (Value, SourcedText) -> Other) -> OptionValueType<Other> {
        OptionValueType<Other>(placeholder: placeholder, mayBeEmpty: mayBeEmpty, completion: completion) {
            word, flag throws(UsageError) in
            transform(try read(word, flag), word)
        }
    }
}

extension OptionValueType where Value == SourcedText {
    /// Any text, with its position.
    static func word(
        _ placeholder: String, mayBeEmpty: Bool = false, completion: OptionSpec.Completion = .nothing
    ) -> OptionValueType {
        OptionValueType(placeholder: placeholder, mayBeEmpty: mayBeEmpty, completion: completion) { word, _ in word }
    }
}

extension OptionValueType where Value == DocumentSource {
    /// An OpenAPI document, which may have a name.
    static let source = OptionValueType(placeholder: "[NAME=]FILE|URL", completion: .files) {
        word, flag throws(UsageError) in
        try DocumentSource(word, of: flag)
    }
}

extension OptionValueType where Value == (name: String, text: String) {
    /// `NAME=VALUE`.
    static let member = OptionValueType(placeholder: "NAME=VALUE") { word, flag throws(UsageError) in
        // Unicode scalars, because a value may start with a combining mark, which makes one character with the sign.
        let scalars = word.text.unicodeScalars
        guard let equals = scalars.firstIndex(of: "="), equals != scalars.startIndex else {
            throw .invalidValue(option: flag, value: word.start, expected: "NAME=VALUE", source: word.source)
        }
        return (String(scalars[..<equals]), String(scalars[equals...].dropFirst()))
    }
}

extension OptionValueType where Value == String {
    /// The name of a file or directory.
    static let file = text("FILE", completion: .files)
    static let directory = text("DIR", completion: .files)

    /// A text for which `problem` returns nil. The message does not repeat the text, which may hold a password.
    static func text(
        _ placeholder: String, mayBeEmpty: Bool = false, completion: OptionSpec.Completion = .nothing,
        problem: @escaping @Sendable (String) -> String? = { _ in nil }
    ) -> OptionValueType {
        OptionValueType(placeholder: placeholder, mayBeEmpty: mayBeEmpty, completion: completion) {
            word, flag throws(UsageError) in
            guard let problem = problem(word.text) else { return word.text }
            throw .unusableValue(option: flag, problem: problem, source: word.source)
        }
    }
}

extension OptionValueType {
    /// A value parsed by `parse`; `expected` describes valid values.
    static func parsed(
        _ placeholder: String, expected: String, completion: OptionSpec.Completion = .nothing,
        _ parse: @escaping @Sendable (String) -> Value?
    ) -> OptionValueType {
        OptionValueType(placeholder: placeholder, completion: completion) { word, flag throws(UsageError) in
            guard let value = parse(word.text) else {
                throw .invalidValue(option: flag, value: word.text, expected: expected, source: word.source)
            }
            return value
        }
    }
}

extension OptionValueType where Value: Comparable & LosslessStringConvertible & Sendable {
    /// A number in that range; `subject` is what it is in messages.
    static func number(_ range: ClosedRange<Value>, _ subject: String = "a number") -> OptionValueType {
        // 1000000, not 1000000.0.
        let bounds = [range.lowerBound, range.upperBound].map {
            "\($0)".hasSuffix(".0") ? "\($0)".dropLast(2) : "\($0)"
        }
        return parsed("N", expected: "\(subject) from \(bounds[0]) to \(bounds[1])") { text in
            Value(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension OptionValueType where Value == Int {
    static let count = atLeast(0, .max)
    static let positive = atLeast(1, 1_000_000_000)
    static let size = size(0)

    static func size(_ least: Int) -> OptionValueType {
        let bound = least > 0 ? ", at least \(least)" : ""
        return parsed("SIZE", expected: ByteCountText.expectation + bound) { text in
            ByteCountText.parse(text).flatMap { $0 >= least ? $0 : nil }
        }
    }

    private static func atLeast(_ lower: Int, _ upper: Int) -> OptionValueType {
        parsed("N", expected: "\(lower) or a higher number") { text in
            Int(text).flatMap { (lower...upper).contains($0) ? $0 : nil }
        }
    }
}

extension OptionValueType where Value == Duration {
    static let duration = parsed("DURATION", expected: DurationText.expectation, DurationText.parse)
}

extension OptionValueType where Value == HTTPMethod {
    static let method = parsed("METHOD", expected: "a method such as POST") { text in
        (try? Header(text, "").checked()).map { HTTPMethod(rawValue: $0.name) }
    }
}

extension OptionValueType where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// One of the names of the cases.
    static func choice(_ type: Value.Type) -> OptionValueType {
        let names = Value.allCases.map(\.rawValue)
        let expected = names.dropLast().joined(separator: ", ") + names.suffix(1).map { " or \($0)" }.joined()
        return parsed(names.joined(separator: "|"), expected: expected, completion: .values(names)) {
            Value(rawValue: $0)
        }
    }
}

/// Checks the values of connection options; each check returns what is wrong, or nil. The messages do not repeat values that may hold a
/// password.
enum OptionValueRules {
    /// Checks for `[SCHEME://]HOST[:PORT]`, as in curl; empty means no proxy.
    static func problem(proxy text: String) -> String? {
        if text.isEmpty { return nil }
        if text.utf8.contains(UInt8(ascii: "@")) {
            return "the proxy URL holds credentials; they would show in process lists: "
                + "set http_proxy or https_proxy instead"
        }
        let mark = text.firstRange(of: "://")
        let scheme = mark.map { text[..<$0.lowerBound].lowercased() } ?? "http"
        do throws(BaseURL.Problem) {
            let rest = mark.map { text[$0.upperBound...] } ?? text[...]
            let isHost = try BaseURL("http://" + rest).path.isEmpty
            if isHost, ["http", "https", "socks4", "socks4a", "socks5", "socks5h"].contains(scheme) { return nil }
        } catch .internationalHost {
            return nil
        } catch {}
        return
            "expected a proxy such as http://HOST:PORT, with the scheme http, https, socks4, socks4a, socks5 or socks5h"
    }

    /// Checks for what browsers send as `Origin` (RFC 6454, section 6.2); `null` and `file://` are those of files, `*` is any.
    static func problem(origin text: String) -> String? {
        if ["*", "null", "file://"].contains(text) { return nil }
        if let mark = text.firstRange(of: "://"), text == text.lowercased(), text.first?.isLetter == true,
            text[..<mark.lowerBound].utf8.allSatisfy({ $0.isLetterOrDigit || "+-.".utf8.contains($0) }),
            let base = try? BaseURL("http" + text[mark.lowerBound...]), base.text == "http" + text[mark.lowerBound...],
            base.path.isEmpty, base.port == nil || base.port != ["http": 80, "https": 443][text[..<mark.lowerBound]]
        {
            return nil
        }
        return "expected an origin as browsers send it, such as http://localhost:3000 (scheme, host and port, "
            + "in lower case, no path, no default port), '*' or null"
    }

    /// Checks that the system allows a socket path of that length.
    static func problem(unixSocket path: String) -> String? {
        let (longest, count) = (Socket.maxUnixPath, path.utf8.count)
        return count > longest ? "a socket path can have at most \(longest) bytes; this one has \(count)" : nil
    }
}
