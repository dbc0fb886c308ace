import EndpointKit

/// Finds options by the names that people type, and the options that they probably mean by unknown ones.
struct OptionLookup: Sendable {
    /// The known options. If two have the same name, the first one counts.
    let options: [OptionSpec]

    // MARK: Known names

    /// Returns the option of a long name, in kebab case or in Swift's spelling: `max-pages` or `maxPages`.
    ///
    /// An option's own name counts more than the synonym of another option.
    ///
    /// - Parameter name: The name without its dashes. It may have positions in lists: `records.0.name` is an element
    ///   of the option `records.N.name`.
    /// - Returns: The option; nil if there is none.
    func option(named name: String) -> OptionSpec? {
        if let option = options.first(where: { $0.name == name }) { return option }
        let words = name.split(separator: ".")
        let kebabName = words.map { KebabCase.text(String($0)) }.joined(separator: ".")
        for option in options {
            if let elementOption = option.element(named: kebabName) { return elementOption }
        }
        return options.first { $0.synonyms.contains(kebabName) }
    }

    /// Returns the option of a letter, such as `o` for `-o`; nil if there is none.
    func option(short letter: Character) -> OptionSpec? {
        options.first { $0.short == letter }
    }

    /// Returns the switch that a name negates: `raw` for `no-raw`.
    ///
    /// The switch may be one that can't be turned off. The caller must check that.
    ///
    /// - Returns: The switch; nil if the name does not start with `no-`, or if no switch has the name after it.
    func switchNegated(by name: String) -> OptionSpec? {
        guard name.hasPrefix(Self.negation) else { return nil }
        guard let option = option(named: Self.withoutNegation(name)) else { return nil }
        let isSwitch = option.placeholder == nil
        return isSwitch ? option : nil
    }

    // MARK: Suggestions

    /// Returns the end of the message about an unknown long name, such as `; did you mean '--max-pages'?` The first
    /// rule that fits the name decides.
    ///
    /// - Parameter name: The unknown name without its dashes.
    /// - Returns: The suggestion; nil if the name resembles nothing.
    func suggestion(for name: String) -> String? {
        if let negatedSwitch = switchNegated(by: name) { return NearestWord.question([negatedSwitch.flag]) }
        if let advice = ForeignOptions.advice(about: name, in: options) { return advice }
        let isLetter = name.unicodeScalars.count == 1
        if isLetter { return suggestion(forLetter: name) }
        if let advice = adviceAboutField(name) { return advice }
        guard let similarName = fieldName(endingIn: name) ?? similarNegation(name) ?? similarName(name) else {
            return nil
        }
        return NearestWord.question(["--" + similarName])
    }

    /// The most options that a message suggests for a single letter.
    private static let maxOptionsForLetter = 3

    /// Returns the end of the message about a name of one letter: for `--q`, `; did you mean '--query'?`
    ///
    /// A letter resembles no name, so the options with a value that start with it are suggested.
    ///
    /// - Returns: The suggestion; nil if no such option starts with the letter.
    private func suggestion(forLetter letter: String) -> String? {
        let optionsOfLetter = options.filter { $0.placeholder != nil && $0.name.hasPrefix(letter) }
        if optionsOfLetter.isEmpty { return nil }
        return NearestWord.question(optionsOfLetter.prefix(Self.maxOptionsForLetter).map(\.flag))
    }

    /// Returns the end of the message about letters after a single dash, if the first letter is no option.
    ///
    ///     -page   →   ; did you mean '--page'?
    ///
    /// - Parameter letters: The text after the dash.
    /// - Returns: The suggestion; nil if there is none.
    func suggestion(forLetters letters: String) -> String? {
        let name = String(letters.unicodeScalars.prefix { $0 != "=" })
        let isLongName = name.unicodeScalars.count > 1 && option(named: name) != nil
        if isLongName { return NearestWord.question(["--" + name]) }
        let firstLetter = String(letters.unicodeScalars.prefix(1))
        return ForeignOptions.advice(about: firstLetter, in: options)
    }

    /// The most fields that a message names.
    private static let maxFields = 5

    /// Returns the end of the message about an unknown field of a parameter.
    ///
    ///     pet.nmae   →   ; did you mean '--pet.name'?
    ///     pet.size   →   ; --pet takes JSON|@FILE|-, its fields are --pet.name, --pet.tags
    ///     data.id    →   ; --data takes KEY=TEXT
    ///
    /// - Returns: The text; nil if no part of the name before a dot is a parameter with a value.
    private func adviceAboutField(_ name: String) -> String? {
        guard let parameter = enclosingParameter(ofField: name) else { return nil }
        guard let placeholder = parameter.placeholder else { return nil }
        let fieldPrefix = parameter.name + "."
        let fullNamesOfFields = options.map(\.firstElementName).filter { $0.hasPrefix(fieldPrefix) }
        let fields = fullNamesOfFields.map { String($0.dropFirst(fieldPrefix.count)) }
        // The name may spell the parameter differently, such as `maxSize` for `max-size`, but with as many words.
        let parameterWordCount = parameter.name.split(separator: ".").count
        let nameWords = name.split(separator: ".", omittingEmptySubsequences: false)
        let unknownField = nameWords.dropFirst(parameterWordCount).joined(separator: ".")
        if let similarField = NearestWord.match(unknownField, in: fields) {
            return NearestWord.question(["--" + fieldPrefix + similarField])
        }
        let advice = "; \(parameter.flag) takes \(placeholder)"
        if fields.isEmpty { return advice }
        let flagsOfFields = fields.map { "--" + fieldPrefix + $0 }
        return "\(advice), its fields are \(Self.shortList(of: flagsOfFields))"
    }

    /// Returns flags as a list of which only the first ones are shown: `--pet.name, --pet.tags, …`.
    private static func shortList(of flags: [String]) -> String {
        let shownFlags = flags.prefix(maxFields) + (flags.count > maxFields ? ["…"] : [])
        return shownFlags.joined(separator: ", ")
    }

    /// Returns the innermost parameter that the name of a field starts with.
    ///
    ///     pet.home.town   →   pet.home if that is a parameter, or else pet
    ///
    /// - Returns: The option of the parameter; nil if no part of the name before a dot is a parameter.
    private func enclosingParameter(ofField fieldName: String) -> OptionSpec? {
        var words = fieldName.split(separator: ".", omittingEmptySubsequences: false).dropLast()
        while !words.isEmpty {
            let candidate = option(named: words.joined(separator: "."))
            // An option of the command, which has no path, has no fields either.
            if let candidate, !candidate.path.isEmpty { return candidate }
            words = words.dropLast()
        }
        return nil
    }

    /// Returns the name of the first option whose last part is `name`: `pet.name` for `name`.
    ///
    /// - Returns: The full name; nil if no option has such a field.
    private func fieldName(endingIn name: String) -> String? {
        let ending = "." + KebabCase.text(name)
        return options.first { $0.name.hasSuffix(ending) }?.firstElementName
    }

    /// Returns the name of the option that a misspelled name resembles most; nil if it resembles none.
    private func similarName(_ name: String) -> String? {
        NearestWord.match(name, in: options.map(\.firstElementName))
    }

    /// Returns the option that a misspelled name with `no-` probably means.
    ///
    ///     no-validat      →   no-validate
    ///     no-raw-string   →   raw-strings, if that option can't be turned off
    ///
    /// - Returns: The name of the option, with `no-` if the option can have that prefix. Nil if `name` does not start
    ///   with `no-` or resembles nothing.
    private func similarNegation(_ name: String) -> String? {
        guard name.hasPrefix(Self.negation) else { return nil }
        let allNames = options.map(\.firstElementName)
        // The names are compared without `no-`. It may stand before the name of a switch that can be turned off, and
        // some names start with it themselves, such as `no-pager`.
        let switchNames = options.filter(\.isNegatable).map(\.firstElementName)
        let ownNegations = allNames.filter { $0.hasPrefix(Self.negation) }.map(Self.withoutNegation)
        let namesAfterNegation = switchNames + ownNegations

        let candidates = namesAfterNegation + allNames
        guard let match = NearestWord.match(Self.withoutNegation(name), in: candidates) else { return nil }
        return namesAfterNegation.contains(match) ? Self.negation + match : match
    }

    /// The start of a name that turns a switch off.
    private static let negation = "no-"

    /// Returns a name without the `no-` at its start: `raw` for `no-raw`.
    private static func withoutNegation(_ name: String) -> String { String(name.dropFirst(negation.count)) }
}
