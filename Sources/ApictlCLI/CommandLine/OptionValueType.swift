import EndpointKit

/// The type of an option's value: its name in help, and how a word is read.
struct OptionValueType<Value>: Sendable {
    /// The name of the value in help, such as `FILE`.
    let placeholder: String
    /// Whether an empty text is a valid value.
    var mayBeEmpty = false
    /// The values that a shell offers.
    var completion = OptionSpec.Completion.nothing
    /// Reads a word as a value.
    ///
    /// - Parameters:
    ///   - word: The word.
    ///   - flag: The option as it is shown in messages.
    /// - Throws: ``UsageError`` for an invalid value.
    let read: @Sendable (_ word: SourcedText, _ flag: String) throws(UsageError) -> Value

    /// Returns a type that reads the same words and converts their values.
    ///
    /// - Parameter transform: Converts a value. Its second parameter is the word that the value was read from.
    func map<Other>(_ transform: @escaping @Sendable (Value, SourcedText) -> Other) -> OptionValueType<Other> {
        OptionValueType<Other>(placeholder: placeholder, mayBeEmpty: mayBeEmpty, completion: completion) {
            word, flag throws(UsageError) in
            transform(try read(word, flag), word)
        }
    }
}

// MARK: Texts

extension OptionValueType where Value == SourcedText {
    /// Any text, with its place.
    static func word(
        _ placeholder: String, mayBeEmpty: Bool = false, completion: OptionSpec.Completion = .nothing
    ) -> OptionValueType {
        OptionValueType(placeholder: placeholder, mayBeEmpty: mayBeEmpty, completion: completion) { word, _ in word }
    }
}

extension OptionValueType where Value == String {
    /// The name of a file.
    static let file = text("FILE", completion: .files)
    /// The name of a directory.
    static let directory = text("DIR", completion: .files)

    /// Makes the type of a text that follows a rule. Messages do not repeat the text, because it may hold a password.
    ///
    /// - Parameters:
    ///   - placeholder: The name of the value in help, such as `URL`.
    ///   - mayBeEmpty: Whether an empty text is a valid value.
    ///   - completion: The values that a shell offers.
    ///   - problem: Returns what is wrong with a text; nil for a valid one. By default, every text is valid.
    static func text(
        _ placeholder: String, mayBeEmpty: Bool = false, completion: OptionSpec.Completion = .nothing,
        problem: @escaping @Sendable (String) -> String? = { _ in nil }
    ) -> OptionValueType {
        OptionValueType(placeholder: placeholder, mayBeEmpty: mayBeEmpty, completion: completion) {
            word, flag throws(UsageError) in
            if let problem = problem(word.text) {
                throw .unusableValue(option: flag, problem: problem, source: word.source)
            }
            return word.text
        }
    }
}

extension OptionValueType where Value == DocumentSource {
    /// An OpenAPI document, which may have a name.
    static let source = OptionValueType(placeholder: "[NAME=]FILE|URL", completion: .files) {
        word, flag throws(UsageError) in
        try DocumentSource(word, of: flag)
    }
}

/// A text with a name, such as a query item: `page=2`.
struct NamedText: Sendable {
    let name: String
    let text: String
}

extension OptionValueType where Value == NamedText {
    /// A name and a text: `page=2`. The text may be empty, the name may not.
    static let member = OptionValueType(placeholder: "NAME=VALUE") { word, flag throws(UsageError) in
        // Unicode scalars, because a value may start with a combining mark, which makes one character with the `=`.
        let scalars = word.text.unicodeScalars
        guard let equals = scalars.firstIndex(of: "="), equals > scalars.startIndex else {
            // Only the start is shown, because the rest may be a secret.
            throw .invalidValue(option: flag, value: word.start, expected: "NAME=VALUE", source: word.source)
        }
        return NamedText(name: String(scalars[..<equals]), text: String(scalars[equals...].dropFirst()))
    }
}

// MARK: Parsed values

extension OptionValueType {
    /// Makes the type of a value that a function parses from a word. The message about an invalid word shows the word.
    ///
    /// - Parameters:
    ///   - placeholder: The name of the value in help, such as `N`.
    ///   - expected: A description of valid values for messages, such as `a number from 0 to 1`.
    ///   - completion: The values that a shell offers.
    ///   - parse: Returns the value of a text; nil for an invalid one.
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
    /// A number in a range.
    ///
    /// - Parameter subject: The kind of number in messages, such as `a port`.
    static func number(_ range: ClosedRange<Value>, _ subject: String = "a number") -> OptionValueType {
        let expected = "\(subject) from \(shownBound(range.lowerBound)) to \(shownBound(range.upperBound))"
        return parsed("N", expected: expected) { text in
            guard let value = Value(text), range.contains(value) else { return nil }
            return value
        }
    }

    /// Returns a bound for messages: `1`, also if the numbers are floating-point.
    private static func shownBound(_ bound: Value) -> String {
        let text = String(bound)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension OptionValueType where Value == Int {
    /// A number of things, which may be 0.
    static let count = integer(in: 0...Int.max)
    /// A number of things, of which there is at least one.
    static let positive = integer(in: 1...1_000_000_000)
    /// A number of bytes, such as `64k`.
    static let size = size(atLeast: 0)

    /// A number of bytes that is not below a bound.
    static func size(atLeast lowerBound: Int) -> OptionValueType {
        let bound = lowerBound > 0 ? ", at least \(lowerBound)" : ""
        return parsed("SIZE", expected: ByteCountText.expectation + bound) { text in
            guard let size = ByteCountText.parse(text), size >= lowerBound else { return nil }
            return size
        }
    }

    /// An integer in a range whose upper bound is so high that messages do not name it.
    private static func integer(in range: ClosedRange<Int>) -> OptionValueType {
        parsed("N", expected: "\(range.lowerBound) or a higher number") { text in
            guard let value = Int(text), range.contains(value) else { return nil }
            return value
        }
    }
}

extension OptionValueType where Value == Duration {
    static let duration = parsed("DURATION", expected: DurationText.expectation, DurationText.parse)
}

extension OptionValueType where Value == HTTPMethod {
    /// An HTTP method. Any token is one (RFC 9110, section 9.1), and the same is true of the name of a header.
    static let method = parsed("METHOD", expected: "a method such as POST") { text in
        // A name that can be checked is that of a header. It is any token, as a method is.
        guard let token = try? HTTPField(text, "").checked().name else { return nil }
        return HTTPMethod(rawValue: token)
    }
}

extension OptionValueType where Value: CaseIterable & RawRepresentable<String> & Sendable {
    /// One of the names of an enum's cases.
    static func choice(_ type: Value.Type) -> OptionValueType {
        let names = Value.allCases.map(\.rawValue)
        let placeholder = names.joined(separator: "|")
        return parsed(placeholder, expected: names.joinedAsAlternatives, completion: .values(names)) {
            Value(rawValue: $0)
        }
    }
}
