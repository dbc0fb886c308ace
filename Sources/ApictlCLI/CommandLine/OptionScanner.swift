import EndpointKit

/// An item of a command line.
enum CommandLineItem: Sendable, Equatable {
    /// An option. The value of a switch is nil, or the text after its `=`.
    case option(OptionSpec, value: String?, source: ValueSource)
    /// A word that is neither an option nor the value of one.
    case positional(SourcedText)
}

/// Splits a command line into options and other words, one item at a time.
///
/// The grammar is that of POSIX utilities with GNU's long options:
///
/// | Words | Meaning |
/// |---|---|
/// | `--name value`, `--name=value` | A long option with its value, which may start with a dash. |
/// | `-n value`, `-nvalue`, `-n=value` | A short option with its value. |
/// | `-abc` | Three switches, or two and an option with the value `c`. |
/// | `--` | The end of the options. |
/// | `-`, `-5` | Words that are not options. |
///
/// ``options`` may be changed between two items: the parameters of an endpoint are known only after its name.
struct OptionScanner {
    /// The known options. If two have the same name, the first one counts.
    var options: [OptionSpec]
    /// The end of the message about an unknown option that resembles no known one.
    var unknownHint = ""
    /// The words that are not scanned yet.
    private(set) var words: ArraySlice<SourcedText>
    /// The option whose value is missing because the words end after it. Completion then offers values.
    private(set) var openOption: OptionSpec?

    /// The letters of a word such as `-abc` that are still to be scanned as the next items.
    private var pendingLetters: ShortLetters?
    /// Whether `--` has ended the options.
    private var isPastOptions = false

    /// The letters after a single dash, with the place of their word.
    ///
    /// They are Unicode scalars, because a value may start with a combining mark. As characters, the mark and the
    /// letter of the option would be one.
    private struct ShortLetters {
        var scalars: Substring.UnicodeScalarView
        let source: ValueSource
    }

    /// Prepares the scan of the words of a command line.
    init(_ words: some Collection<SourcedText>, options: [OptionSpec]) {
        self.options = options
        self.words = Array(words)[...]
    }

    private var lookup: OptionLookup { OptionLookup(options: options) }

    // MARK: Items

    /// Returns the next item, and moves past it.
    ///
    /// - Returns: The item; nil at the end.
    /// - Throws: ``UsageError`` for an unknown option, for an option whose value is missing, and for a switch with a
    ///   value.
    mutating func next() throws(UsageError) -> CommandLineItem? {
        if let letters = pendingLetters {
            pendingLetters = nil
            return try scanShort(letters)
        }
        guard let word = words.popFirst() else { return nil }
        let text = word.text
        if isPastOptions || text == "-" || !text.hasPrefix("-") { return .positional(word) }
        if text == "--" {
            isPastOptions = true
            return try next()
        }
        if text.hasPrefix("--") { return try scanLong(word) }
        if isNegativeNumber(text) { return .positional(word) }
        return try scanShort(ShortLetters(scalars: text.unicodeScalars.dropFirst(), source: word.source))
    }

    /// Returns the words that are not scanned yet, and ends the scan.
    mutating func takeRest() -> ArraySlice<SourcedText> {
        let rest = words
        words = []
        return rest
    }

    /// Scans a word that starts with two dashes.
    private mutating func scanLong(_ word: SourcedText) throws(UsageError) -> CommandLineItem {
        let (name, attachedValue) = Self.longNameAndValue(word.text)
        let flag = "--" + name
        if let option = lookup.option(named: name) {
            let value = try value(of: option, writtenAs: flag, attachedValue, word.source)
            return .option(option, value: value, source: word.source)
        }
        if let option = lookup.switchNegated(by: name) {
            if let attachedValue { throw .noValueTaken(flag, attachedValue, word.source) }
            // If the switch can't be turned off, the name is unknown, and the suggestion below names the switch.
            if option.isNegatable { return .option(option, value: OptionSpec.off, source: word.source) }
        }
        throw .unknownOption(word.with(flag), lookup.suggestion(for: name) ?? unknownHint)
    }

    /// Scans the first of the letters after a single dash.
    ///
    /// The letters after a switch are left for the next item: `-abc` is `-a` and then `-bc`. After any other option,
    /// they are its value.
    private mutating func scanShort(_ letters: ShortLetters) throws(UsageError) -> CommandLineItem {
        let source = letters.source
        guard let letter = letters.scalars.first, let option = lookup.option(short: Character(letter)) else {
            let flag = "-" + String(letters.scalars.prefix(1))
            let suggestion = lookup.suggestion(forLetters: String(letters.scalars))
            throw .unknownOption(SourcedText(flag, source), suggestion ?? unknownHint)
        }
        let flag = "-\(letter)"
        let rest = letters.scalars.dropFirst()
        let hasEquals = rest.first == "="
        let attachedText = String(hasEquals ? rest.dropFirst() : rest)

        let isSwitch = option.placeholder == nil
        if isSwitch {
            if hasEquals { throw .noValueTaken(flag, attachedText, source) }
            if !rest.isEmpty { pendingLetters = ShortLetters(scalars: rest, source: source) }
            return .option(option, value: nil, source: source)
        }
        let value = try value(of: option, writtenAs: flag, rest.isEmpty ? nil : attachedText, source)
        return .option(option, value: value, source: source)
    }

    // MARK: Values

    /// Returns the value of an option: the text attached to it, or else the next word.
    ///
    /// - Parameters:
    ///   - option: The option. A switch has only an attached value, which the caller checks.
    ///   - flag: The option as it is written, for messages.
    ///   - attachedValue: The text after the `=`, or after the letter of a short option.
    ///   - source: The place of the option.
    /// - Throws: ``UsageError`` if the words end, or if the next word is an option.
    private mutating func value(
        of option: OptionSpec, writtenAs flag: String, _ attachedValue: String?, _ source: ValueSource
    ) throws(UsageError) -> String? {
        guard let placeholder = option.placeholder, attachedValue == nil else { return attachedValue }
        guard let next = words.first else {
            openOption = option
            throw .valueExpected(flag, placeholder, source)
        }
        if isOption(next.text) { throw .valueExpected(flag, placeholder, source) }
        words.removeFirst()
        return next.text
    }

    /// Whether the word after an option is itself an option, so that the value was probably forgotten.
    ///
    /// Only long options count, because a value may well start with a single dash.
    private func isOption(_ text: String) -> Bool {
        if text == "--" { return true }
        if isPastOptions || !text.hasPrefix("--") { return false }
        let name = Self.longNameAndValue(text).name
        return lookup.option(named: name) != nil || lookup.switchNegated(by: name) != nil
    }

    /// Splits a word such as `--name=value`. Without an equals sign, there is no value.
    private static func longNameAndValue(_ word: String) -> (name: String, value: String?) {
        // Unicode scalars, because a value may start with a combining mark, which makes one character with the `=`.
        let scalars = word.unicodeScalars.dropFirst(2)
        guard let equals = scalars.firstIndex(of: "=") else { return (String(scalars), nil) }
        return (String(scalars[..<equals]), String(scalars[equals...].dropFirst()))
    }

    /// Whether a word that starts with a dash is a number, such as `-5` or `-.5`.
    private func isNegativeNumber(_ text: String) -> Bool {
        guard let second = text.dropFirst().first else { return false }
        let startsAsNumber = second == "." || (second.isASCII && second.isNumber)
        return startsAsNumber && Double(text) != nil
    }
}
