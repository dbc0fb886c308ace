import EndpointKit

/// Finds options by the names that people type, and the options that they probably mean by unknown ones.
struct OptionLookup: Sendable {
    /// The known options. If two have the same name, the first one counts.
    let options: [OptionSpec]

    // MARK: Known names

    /// Returns the option of a long name, in kebab case or in Swift's spelling: `max-pages` or `maxPages`.
    ///
    /// If the name is that of one option and a synonym of another one, it means the first.
    ///
    /// - Parameter name: The name without its dashes. It may have positions in lists: `records.0.name` is an element
    ///   of the option `records.N.name`.
    /// - Returns: The option; nil if there is none.
    func option(named name: String) -> OptionSpec? {
        if let option = options.first(where: { $0.name == name }) { return option }
        let words = name.split(separator: ".")
        let kebabName = words.map { KebabCase.text(String($0)) }.joined(separator: ".")
        for option in options {
            if let element = option.element(named: kebabName) { return element }
        }
        return options.first { $0.synonyms.contains(kebabName) }
    }

    /// Returns the option of a letter, such as `-o`.
    func option(short letter: Character) -> OptionSpec? {
        options.first { $0.short == letter }
    }

    /// Returns the switch that a name negates: `raw` for `no-raw`. The caller must check whether the switch can be
    /// turned off.
    ///
    /// - Returns: The switch; nil if the name negates none.
    func switchNegated(by name: String) -> OptionSpec? {
        guard name.hasPrefix(Self.negation), let option = option(named: Self.withoutNegation(name)) else { return nil }
        return option.placeholder == nil ? option : nil
    }

    // MARK: Suggestions

    /// Returns the end of the message about an unknown long name: `; did you mean '--max-pages'?`
    ///
    /// - Returns: The suggestion; nil if the name resembles nothing.
    func suggestion(for name: String) -> String? {
        if let option = switchNegated(by: name) { return NearestWord.question([option.flag]) }
        if let advice = ForeignOptions.advice(about: name, in: options) { return advice }
        // A single letter resembles no name, but options with a value may start with it: `--q` for `--query`.
        if name.unicodeScalars.count == 1 {
            let names = options.filter { $0.placeholder != nil && $0.name.hasPrefix(name) }.map(\.flag)
            return names.isEmpty ? nil : NearestWord.question(Array(names.prefix(3)))
        }
        if let advice = adviceAboutField(name) { return advice }
        guard let similar = fieldName(endingIn: name) ?? similarNegation(name) ?? similarName(name) else { return nil }
        return NearestWord.question(["--" + similar])
    }

    /// Returns the end of the message about letters after a single dash, the first of which is no option: for
    /// `-page`, `; did you mean '--page'?`
    ///
    /// - Returns: The suggestion; nil if there is none.
    func suggestion(forLetters letters: String) -> String? {
        let name = String(letters.unicodeScalars.prefix { $0 != "=" })
        let isLongName = name.unicodeScalars.count > 1 && option(named: name) != nil
        if isLongName { return NearestWord.question(["--" + name]) }
        let first = String(letters.unicodeScalars.prefix(1))
        return ForeignOptions.advice(about: first, in: options)
    }

    /// The most fields that a message names.
    private static let maxFields = 5

    /// Returns the end of the message about a field that a known parameter does not have.
    ///
    ///     pet.nmae   →   ; did you mean '--pet.name'?
    ///     pet.size   →   ; --pet takes JSON|@FILE|-, its fields are --pet.name, --pet.tags
    ///     data.id    →   ; --data takes KEY=TEXT
    ///
    /// - Returns: The text; nil if no part of the name before a dot is a parameter with a value.
    private func adviceAboutField(_ name: String) -> String? {
        guard let parameter = parameter(around: name), let placeholder = parameter.placeholder else { return nil }
        let start = parameter.name + "."
        let names = options.map(\.firstElementName).filter { $0.hasPrefix(start) }
        let fields = names.map { String($0.dropFirst(start.count)) }
        let depth = parameter.name.split(separator: ".").count
        let field = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst(depth)
        if let field = NearestWord.match(field.joined(separator: "."), in: fields) {
            return NearestWord.question(["--" + start + field])
        }
        let advice = "; \(parameter.flag) takes \(placeholder)"
        if names.isEmpty { return advice }
        let flags = names.prefix(Self.maxFields).map { "--" + $0 } + (names.count > Self.maxFields ? ["…"] : [])
        return "\(advice), its fields are \(flags.joined(separator: ", "))"
    }

    /// Returns the innermost parameter that the name of a field starts with: `pet` for `pet.home.town`.
    private func parameter(around name: String) -> OptionSpec? {
        var words = name.split(separator: ".", omittingEmptySubsequences: false).dropLast()
        while !words.isEmpty {
            if let option = option(named: words.joined(separator: ".")), !option.path.isEmpty { return option }
            words = words.dropLast()
        }
        return nil
    }

    /// Returns the option of a field of which only the last part was given: `pet.name` for `name`. Nil if there is
    /// none.
    private func fieldName(endingIn name: String) -> String? {
        let ending = "." + KebabCase.text(name)
        return options.first { $0.name.hasSuffix(ending) }?.firstElementName
    }

    /// Returns the option whose name resembles a name; nil if there is none.
    private func similarName(_ name: String) -> String? {
        NearestWord.match(name, in: options.map(\.firstElementName))
    }

    /// Returns the option that a misspelled name with `no-` probably means.
    ///
    ///     no-validat      →   no-validate
    ///     no-raw-string   →   raw-strings, if that option can't be turned off
    private func similarNegation(_ name: String) -> String? {
        guard name.hasPrefix(Self.negation) else { return nil }
        let names = options.map(\.firstElementName)
        let negatable = options.filter(\.isNegatable).map(\.firstElementName)
        // The names of some switches start with `no-` themselves, such as `no-pager`.
        let negative = names.filter { $0.hasPrefix(Self.negation) }.map(Self.withoutNegation)
        let switches = negatable + negative
        guard let match = NearestWord.match(Self.withoutNegation(name), in: switches + names) else { return nil }
        return switches.contains(match) ? Self.negation + match : match
    }

    /// The start of a name that turns a switch off.
    private static let negation = "no-"

    /// Returns a name without the `no-` at its start.
    private static func withoutNegation(_ name: String) -> String { String(name.dropFirst(negation.count)) }
}
