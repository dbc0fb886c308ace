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
    private(set) var remainingWords: ArraySlice<SourcedText>
    /// The option whose value is missing because the words end after it. Completion then offers values.
    private(set) var openOption: OptionSpec?

    /// The letters of a word such as `-abc` that are still to be scanned as the next items.
    private var pendingLetters: ShortLetters?
    /// Whether `--` has ended the options.
    private var isPastOptions = false

    /// One or more letters after a single dash, with the place of their word.
    ///
    /// They are Unicode scalars, because a value may start with a combining mark. As characters, the mark and the
    /// letter of the option would be one.
    private struct ShortLetters {
        var scalars: Substring.UnicodeScalarView
        let source: ValueSource
    }

    /// The parts of a word such as `--name=value`.
    private struct LongOptionWord {
        /// The name without its dashes.
        let name: String
        /// The text after the first `=`; nil if there is none.
        let attachedValue: String?

        /// Splits a word that starts with two dashes: `--name` or `--name=value`.
        init(_ word: String) {
            // Unicode scalars, because a value may start with a combining mark, which makes one character with the `=`.
            let scalars = word.unicodeScalars.dropFirst(2)
            guard let equals = scalars.firstIndex(of: "=") else {
                name = String(scalars)
                attachedValue = nil
                return
            }
            name = String(scalars[..<equals])
            attachedValue = String(scalars[equals...].dropFirst())
        }
    }

    /// Prepares the scan of the words of a command line. Nothing is scanned yet.
    init(_ words: some Collection<SourcedText>, options: [OptionSpec]) {
        self.options = options
        remainingWords = Array(words)[...]
    }

    private var lookup: OptionLookup { OptionLookup(options: options) }

    // MARK: Items

    /// Returns the next option or positional word, and moves past it.
    ///
    /// An item may be less than a word, such as one switch of `-abc`, or two words, such as an option and its value.
    ///
    /// - Returns: The item; nil after the last word.
    /// - Throws: ``UsageError`` for an unknown option, for an option whose value is missing, and for a switch with a
    ///   value.
    mutating func next() throws(UsageError) -> CommandLineItem? {
        if let letters = pendingLetters {
            pendingLetters = nil
            return try scanShort(letters)
        }
        guard let word = remainingWords.popFirst() else { return nil }
        let text = word.text
        // A single dash stands for stdin.
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
    mutating func takeRemainingWords() -> ArraySlice<SourcedText> {
        let words = remainingWords
        remainingWords = []
        return words
    }

    /// Scans a word that starts with two dashes, and the next word if it is the option's value.
    ///
    /// - Throws: ``UsageError`` for an unknown option, a missing value, and a value of a negated switch.
    private mutating func scanLong(_ word: SourcedText) throws(UsageError) -> CommandLineItem {
        let optionWord = LongOptionWord(word.text)
        let name = optionWord.name
        let flag = "--" + name
        if let option = lookup.option(named: name) {
            let value = try takeValue(
                of: option, flag: flag, attachedValue: optionWord.attachedValue, source: word.source)
            return .option(option, value: value, source: word.source)
        }
        if let negatedSwitch = lookup.switchNegated(by: name) {
            if let value = optionWord.attachedValue {
                throw .noValueTaken(option: flag, value: value, source: word.source)
            }
            // The name of a switch that can't be turned off is unknown with `no-`. The suggestion names the switch.
            if negatedSwitch.isNegatable {
                return .option(negatedSwitch, value: OptionSpec.off, source: word.source)
            }
        }
        throw .unknownOption(word.with(flag), hint: lookup.suggestion(for: name) ?? unknownHint)
    }

    /// Scans the first of the letters after a single dash, and the next word if it is the option's value.
    ///
    /// The letters after a switch are left for the next item: `-abc` is `-a` and then `-bc`. The letters after an
    /// option with a value are this value: `-n5`.
    ///
    /// - Throws: ``UsageError`` for an unknown letter, a missing value, and a value of a switch.
    private mutating func scanShort(_ letters: ShortLetters) throws(UsageError) -> CommandLineItem {
        let source = letters.source
        let letter = String(letters.scalars.prefix(1))
        let flag = "-" + letter
        guard let option = lookup.option(short: Character(letter)) else {
            let suggestion = lookup.suggestion(forLetters: String(letters.scalars))
            throw .unknownOption(SourcedText(flag, source), hint: suggestion ?? unknownHint)
        }
        let scalarsAfterLetter = letters.scalars.dropFirst()
        let hasEquals = scalarsAfterLetter.first == "="
        let attachedText = String(hasEquals ? scalarsAfterLetter.dropFirst() : scalarsAfterLetter)

        let isSwitch = option.placeholder == nil
        if isSwitch {
            if hasEquals { throw .noValueTaken(option: flag, value: attachedText, source: source) }
            if !scalarsAfterLetter.isEmpty {
                pendingLetters = ShortLetters(scalars: scalarsAfterLetter, source: source)
            }
            return .option(option, value: nil, source: source)
        }
        // `-n=` has an empty value, `-n` has none.
        let attachedValue = scalarsAfterLetter.isEmpty ? nil : attachedText
        let value = try takeValue(of: option, flag: flag, attachedValue: attachedValue, source: source)
        return .option(option, value: value, source: source)
    }

    // MARK: Values

    /// Returns the value of an option: the text attached to it, or else the next word. The scanner moves past that
    /// word.
    ///
    /// If the words end before the value, the option becomes ``openOption``.
    ///
    /// - Parameters:
    ///   - option: The option. A switch never takes the next word.
    ///   - flag: The option as it is written, for messages.
    ///   - attachedValue: The text after the `=`, or after the letter of a short option; nil if there is none.
    ///   - source: The place of the option.
    /// - Returns: The value; nil for a switch without an attached text.
    /// - Throws: ``UsageError`` if the words end, or if the next word is an option.
    private mutating func takeValue(
        of option: OptionSpec, flag: String, attachedValue: String?, source: ValueSource
    ) throws(UsageError) -> String? {
        if let attachedValue { return attachedValue }
        // Only options with a value have a placeholder.
        guard let placeholder = option.placeholder else { return nil }
        guard let nextWord = remainingWords.first else {
            openOption = option
            throw .valueExpected(option: flag, placeholder: placeholder, source: source)
        }
        if followsMissingValue(nextWord.text) {
            throw .valueExpected(option: flag, placeholder: placeholder, source: source)
        }
        remainingWords.removeFirst()
        return nextWord.text
    }

    /// Whether the word after an option is an option itself or `--`, so that the value was probably forgotten.
    ///
    /// Only long options count, because a value may well start with a single dash.
    private func followsMissingValue(_ nextWord: String) -> Bool {
        if nextWord == "--" { return true }
        guard nextWord.hasPrefix("--") else { return false }
        let name = LongOptionWord(nextWord).name
        return lookup.option(named: name) != nil || lookup.switchNegated(by: name) != nil
    }

    /// Whether a word that starts with a dash is a number, such as `-5` or `-.5`.
    ///
    /// Swift also reads words such as `-inf` and `-nan` as numbers, which may be the letters of options.
    private func isNegativeNumber(_ word: String) -> Bool {
        guard let characterAfterDash = word.dropFirst().first else { return false }
        let startsAsNumber =
            characterAfterDash == "." || (characterAfterDash.isASCII && characterAfterDash.isNumber)
        return startsAsNumber && Double(word) != nil
    }
}
