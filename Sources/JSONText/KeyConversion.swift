/// Converts keys of the text into those of models and back, by the strategy of a ``Coding``.
///
/// Converted keys are remembered, because the same keys come again and again.
package struct KeyConversion {
    /// The most keys that are remembered, so that a text with ever new keys does not fill the memory.
    private static let maxKnown = 10_000

    private let strategy: Coding.Keys
    private var modelKeys: [String: String] = [:]
    private var textKeys: [String: String] = [:]

    package init(_ strategy: Coding.Keys) {
        self.strategy = strategy
        guard case .convertFromSnakeCase(let exceptions) = strategy else { return }
        for key in exceptions {
            modelKeys[key] = key
            textKeys[key] = key
        }
    }

    /// Whether keys of the text differ from those of models.
    var changesKeys: Bool { if case .useDefaultKeys = strategy { false } else { true } }

    /// Returns the key that a model has for a key of the text.
    ///
    /// - Parameter path: The way to the key's object, for a custom strategy.
    package mutating func modelKey(_ text: String, path: @autoclosure () -> [any CodingKey]) -> String {
        switch strategy {
        case .useDefaultKeys: return text
        case .convertFromSnakeCase(except: _): return Self.remembered(text, &modelKeys, Self.camelCase)
        case .custom(let decode, _): return decode(path() + [PositionKey(stringValue: text)]).stringValue
        }
    }

    /// Returns the key that is written in the text for a key of a model.
    ///
    /// - Parameter path: The way to the key's object, for a custom strategy.
    @inline(__always)
    mutating func textKey(_ key: some CodingKey, path: @autoclosure () -> [any CodingKey]) -> String {
        switch strategy {
        case .useDefaultKeys: key.stringValue
        case .convertFromSnakeCase(except: _): Self.remembered(key.stringValue, &textKeys, Self.snakeCase)
        case .custom(_, let encode): encode(path() + [key]).stringValue
        }
    }

    private static func remembered(
        _ key: String, _ known: inout [String: String], _ convert: (String) -> String
    ) -> String {
        if let converted = known[key] { return converted }
        let converted = convert(key)
        if known.count < maxKnown { known[key] = converted }
        return converted
    }

    /// Converts `_poster_path_` into `_posterPath_`, by the rules of `JSONDecoder`.
    ///
    /// Underscores at the start and the end stay. A key without an underscore between them stays as it is.
    private static func camelCase(_ key: String) -> String {
        let underscore = UInt8(ascii: "_")
        // Most keys are one word.
        guard key.utf8.contains(underscore) else { return key }
        guard let first = key.utf8.firstIndex(where: { $0 != underscore }),
            let last = key.utf8.lastIndex(where: { $0 != underscore })
        else { return key }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        let leadingUnderscores = key[..<first]
        let trailingUnderscores = key[key.utf8.index(after: last)...]
        let laterWords = words.dropFirst().map(\.capitalized).joined()
        return leadingUnderscores + words[0].lowercased() + laterWords + trailingUnderscores
    }

    /// Converts `posterPath` into `poster_path` and `myURLText` into `my_url_text`, by the rules of `JSONEncoder`.
    private static func snakeCase(_ key: String) -> String {
        let letters = Array(key.unicodeScalars)
        let starts = wordStarts(letters)
        var result = String.UnicodeScalarView()
        for (index, letter) in letters.enumerated() {
            if starts.contains(index) { result.append("_") }
            result.append(letter)
        }
        return String(result).lowercased()
    }

    /// Returns the indices at which a word of a key in camel case starts, without the first word.
    ///
    /// A word starts at an uppercase letter that follows other letters. Of several uppercase letters in a row, the last
    /// one before a lowercase letter starts another word: `my|URL|Text`, at the indices 2 and 5.
    ///
    /// - Parameter letters: The key in Unicode scalars.
    private static func wordStarts(_ letters: [Unicode.Scalar]) -> Set<Int> {
        let categories = letters.map(\.properties.generalCategory)
        func isUppercase(_ index: Int) -> Bool {
            categories[index] == .uppercaseLetter || categories[index] == .titlecaseLetter
        }
        var starts: Set<Int> = []
        var index = 1
        while let upper = letters.indices.dropFirst(index).first(where: isUppercase) {
            starts.insert(upper)
            // The key may end in uppercase letters, as in `posterURL`: they are one word.
            guard let lower = categories[upper...].firstIndex(of: .lowercaseLetter) else { break }
            // The uppercase letter right before the lowercase one belongs to the next word.
            if lower > upper + 1 { starts.insert(lower - 1) }
            index = lower + 1
        }
        return starts
    }
}

extension Coding {
    /// Returns the key that is written for a key of a model. A custom strategy, which depends on the path, changes
    /// nothing here.
    package func writtenKey(_ modelKey: String) -> String {
        guard case .convertFromSnakeCase(except: _) = keys else { return modelKey }
        var conversion = KeyConversion(keys)
        return conversion.textKey(PositionKey(stringValue: modelKey), path: [])
    }

    /// Returns the key that a model has for a key of a text. A custom strategy, which depends on the path, changes
    /// nothing here.
    package func modelKey(_ text: String) -> String {
        guard case .convertFromSnakeCase(except: _) = keys else { return text }
        var conversion = KeyConversion(keys)
        return conversion.modelKey(text, path: [])
    }

    /// Returns the key of the text from which a model's key is read.
    ///
    /// This is the key that would be written, unless only the model's key itself is read back: a model's key `ID` is
    /// written `i_d`, which is read as `iD`, but `ID` is read as `ID`.
    ///
    /// - Parameter path: The way to the key's object.
    package func name(of key: any CodingKey, path: [any CodingKey]) -> String {
        var conversion = KeyConversion(keys)
        let modelKey = key.stringValue
        let writtenKey = conversion.textKey(key, path: path)
        if conversion.modelKey(writtenKey, path: path) == modelKey { return writtenKey }
        return conversion.modelKey(modelKey, path: path) == modelKey ? modelKey : writtenKey
    }
}

/// A key of any name, or the position of an element, which is written as the standard library writes it: `Index 3`.
package struct PositionKey: CodingKey {
    /// The key of the part of a class that its superclass encodes.
    package static let `super` = PositionKey(stringValue: "super")

    package let stringValue: String
    package let intValue: Int?

    package init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    package init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }
}
