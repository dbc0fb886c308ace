/// What an option's value may be: what help calls it, and how its text is read.
struct ValueType<Value>: Sendable {
    let placeholder: String
    /// Whether an empty text is a value like any other.
    var mayBeEmpty = false
    /// The value of a word; `flag` is the option's name for messages. Throws ``UsageError``.
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

    /// A text in which `problem` finds nothing wrong; the message does not repeat the text, which may hold a password.
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
    /// A text that `parse` reads; `expected` says what it takes.
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
    static let size = parsed("SIZE", expected: ByteCountText.expectation, ByteCountText.parse)
}

extension ValueType where Value == Duration {
    static let duration = parsed("DURATION", expected: DurationText.expectation, DurationText.parse)
}

extension ValueType where Value == ColorChoice {
    static let color = parsed("auto|always|never", expected: "auto, always or never", ColorChoice.init(rawValue:))
}
