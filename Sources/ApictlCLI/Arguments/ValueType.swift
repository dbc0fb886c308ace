/// The type of an option's value: its placeholder in help, and how it is parsed.
struct ValueType<Value>: Sendable {
    let placeholder: String
    /// Whether an empty text is a valid value.
    var mayBeEmpty = false
    /// Parses a word; `flag` is the option's name for messages. Throws ``UsageError``.
    let read: @Sendable (_ word: Word, _ flag: String) throws(UsageError) -> Value
}

extension ValueType where Value == Word {
    /// Any text, with its position.
    static func word(_ placeholder: String, mayBeEmpty: Bool = false) -> ValueType {
        ValueType(placeholder: placeholder, mayBeEmpty: mayBeEmpty) { word, _ in word }
    }
}

extension ValueType where Value == String {
    /// Any text.
    static func text(_ placeholder: String) -> ValueType {
        ValueType(placeholder: placeholder) { word, _ in word.text }
    }

    /// A text for which `problem` returns nil. The message does not repeat the text, which may hold a password.
    static func text(
        _ placeholder: String, mayBeEmpty: Bool = false, problem: @escaping @Sendable (String) -> String?
    ) -> ValueType {
        ValueType(placeholder: placeholder, mayBeEmpty: mayBeEmpty) { word, flag throws(UsageError) in
            guard let problem = problem(word.text) else { return word.text }
            throw .unusableValue(option: flag, problem: problem, position: word.position)
        }
    }
}

extension ValueType {
    /// A value parsed by `parse`; `expected` describes valid values.
    static func parsed(
        _ placeholder: String, expected: String, _ parse: @escaping @Sendable (String) -> Value?
    ) -> ValueType {
        ValueType(placeholder: placeholder) { word, flag throws(UsageError) in
            guard let value = parse(word.text) else {
                throw .invalidValue(option: flag, value: word.text, expected: expected, position: word.position)
            }
            return value
        }
    }
}

extension ValueType where Value == Int {
    static let count = parsed("N", expected: "0 or a higher number") { text in Int(text).flatMap { $0 < 0 ? nil : $0 } }
    static let positive = parsed("N", expected: "1 or a higher number") { text in
        Int(text).flatMap { (1...1_000_000_000).contains($0) ? $0 : nil }
    }
    static let size = parsed("SIZE", expected: ByteCountText.expectation, ByteCountText.parse)
}

extension ValueType where Value == Duration {
    static let duration = parsed("DURATION", expected: DurationText.expectation, DurationText.parse)
}

extension ValueType where Value == ColorChoice {
    static let color = parsed("auto|always|never", expected: "auto, always or never", ColorChoice.init(rawValue:))
}
