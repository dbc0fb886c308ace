import EndpointKit

/// An item of a command line.
enum CommandLineItem: Sendable, Equatable {
    case option(OptionSpec, value: String?, source: ValueSource)
    case positional(SourcedText)
}

/// Splits a command line into options and other words, one item at a time; the known options may change in between.
///
/// The grammar is that of POSIX utilities with GNU's long options: `--name value`, `--name=value`, `-n value`, `-nvalue`, `-abc` for
/// switches, `--` ends the options, `-` alone is a word. A value may start with a dash.
struct OptionScanner {
    /// The options known now; if two have the same name, the first one wins.
    var options: [OptionSpec]
    /// What to say about an unknown option that resembles none.
    var unknownHint = ""
    /// The words not scanned yet.
    private(set) var words: ArraySlice<SourcedText>
    /// The last option, if its value was to follow.
    private(set) var openOption: OptionSpec?
    private var shortRest: (letters: Substring.UnicodeScalarView, source: ValueSource)?
    private var isPastOptions = false

    init(_ words: some Collection<SourcedText>, options: [OptionSpec]) {
        self.options = options
        self.words = Array(words)[...]
    }

    /// The next item, or nil at the end. Throws ``UsageError``.
    mutating func next() throws(UsageError) -> CommandLineItem? {
        if let rest = shortRest { return try short(rest.letters, rest.source) }
        guard let word = words.popFirst() else { return nil }
        if isPastOptions || word.text == "-" || !word.text.hasPrefix("-") { return .positional(word) }
        if word.text == "--" {
            isPastOptions = true
            return try next()
        }
        if word.text.hasPrefix("--") { return try long(word) }
        return isNumber(word.text) ? .positional(word) : try short(word.text.unicodeScalars.dropFirst(), word.source)
    }

    /// The words that are not scanned yet, which are none of this scanner's any more.
    mutating func takeRest() -> ArraySlice<SourcedText> {
        defer { words = [] }
        return words
    }

    private mutating func long(_ word: SourcedText) throws(UsageError) -> CommandLineItem {
        // Unicode scalars, because a value may start with a combining mark, which makes one character with the equals sign.
        let text = word.text.unicodeScalars.dropFirst(2)
        let name = String(text.prefix { $0 != "=" })
        let attached = text.firstIndex(of: "=").map { String(text[$0...].dropFirst()) }
        if let option = option(named: name) {
            let value = try value(of: option, "--" + name, attached, word.source)
            return .option(option, value: value, source: word.source)
        }
        var hint = ForeignOptions.hint(name, in: options)
        if let option = negated(name) {
            if let attached { throw .noValueTaken("--" + name, attached, word.source) }
            if option.isNegatable { return .option(option, value: OptionSpec.off, source: word.source) }
            hint = NearestWord.question([option.flag])
        }
        // A field of a structure without its name, otherwise a slip.
        let field = options.first { $0.name.hasSuffix("." + KebabCase.text(name)) }?.firstName
        let names = options.map(\.firstName)
        var slip: String?
        if name.hasPrefix("no-") {
            let switches =
                options.filter(\.isNegatable).map(\.firstName)
                + names.filter { $0.hasPrefix("no-") }.map { String($0.dropFirst(3)) }
            slip = NearestWord.match(String(name.dropFirst(3)), in: switches + names)
                .map { switches.contains($0) ? "no-" + $0 : $0 }
        }
        hint = hint ?? (field ?? slip ?? NearestWord.match(name, in: names)).map { NearestWord.question(["--" + $0]) }
        throw .unknownOption(word.with("--" + name), hint ?? unknownHint)
    }

    private mutating func short(
        _ letters: Substring.UnicodeScalarView, _ source: ValueSource
    ) throws(UsageError) -> CommandLineItem {
        shortRest = nil
        guard let letter = letters.first, let option = options.first(where: { $0.short == Character(letter) }) else {
            // `-page` probably means `--page`.
            let name = String(letters.prefix { $0 != "=" })
            let isName = name.unicodeScalars.count > 1 && option(named: name) != nil
            let first = String(letters.prefix(1))
            let hint = isName ? NearestWord.question(["--" + name]) : ForeignOptions.hint(first, in: options)
            throw .unknownOption(SourcedText("-" + first, source), hint ?? unknownHint)
        }
        let rest = letters.dropFirst()
        guard option.placeholder != nil else {
            if rest.first == "=" { throw .noValueTaken("-\(letter)", String(rest.dropFirst()), source) }
            if !rest.isEmpty { shortRest = (rest, source) }
            return .option(option, value: nil, source: source)
        }
        let attached = rest.isEmpty ? nil : String(rest.first == "=" ? rest.dropFirst() : rest)
        return .option(option, value: try value(of: option, "-\(letter)", attached, source), source: source)
    }

    /// The option's value; for a switch, only one attached with `=`, which the caller checks.
    private mutating func value(
        of option: OptionSpec, _ shown: String, _ attached: String?, _ source: ValueSource
    ) throws(UsageError) -> String? {
        guard let placeholder = option.placeholder, attached == nil else { return attached }
        if words.isEmpty { openOption = option }
        guard let next = words.first, !isOption(next.text) else { throw .valueExpected(shown, placeholder, source) }
        words = words.dropFirst()
        return next.text
    }

    /// Whether a word in the place of a value is itself an option, so that the value was probably forgotten.
    private func isOption(_ text: String) -> Bool {
        guard !isPastOptions, text.hasPrefix("--"), text.count > 2 else { return text == "--" }
        let name = String(text.unicodeScalars.dropFirst(2).prefix { $0 != "=" })
        return option(named: name) != nil || negated(name) != nil
    }

    /// The switch `name` of `no-name`.
    private func negated(_ name: String) -> OptionSpec? {
        guard name.hasPrefix("no-"), let option = option(named: String(name.dropFirst(3))) else { return nil }
        return option.placeholder == nil ? option : nil
    }

    /// The option of that name, in kebab case or in Swift's spelling; an option's own name counts before a synonym of another.
    private func option(named name: String) -> OptionSpec? {
        if let option = options.first(where: { $0.name == name }) { return option }
        let kebab = name.split(separator: ".").map { KebabCase.text(String($0)) }.joined(separator: ".")
        return options.lazy.compactMap { $0.named(kebab) }.first ?? options.first { $0.synonyms.contains(kebab) }
    }

    /// Negative numbers are words, not options.
    private func isNumber(_ text: String) -> Bool {
        guard let second = text.dropFirst().first else { return false }
        return (second.isASCII && second.isNumber || second == ".") && Double(text) != nil
    }
}
