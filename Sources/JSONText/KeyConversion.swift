/// Converts keys of the text into those of models and back, by the strategy of a ``Coding``.
///
/// Converted keys are cached, because the same keys come again and again.
package struct KeyConversion {
    /// The most keys that are cached in each direction, so that a text with ever new keys does not fill the memory.
    private static let maxCachedKeys = 10_000

    private let strategy: Coding.Keys
    private var modelKeys: [String: String] = [:]
    private var writtenKeys: [String: String] = [:]

    /// Makes a conversion by a strategy.
    ///
    /// Keys that the strategy excepts, such as `iso_639_1`, go into both caches, so that they are never converted.
    package init(_ strategy: Coding.Keys) {
        self.strategy = strategy
        guard case .convertFromSnakeCase(let exceptions) = strategy else { return }
        for key in exceptions {
            modelKeys[key] = key
            writtenKeys[key] = key
        }
    }

    /// Whether keys of the text differ from those of models.
    var changesKeys: Bool { if case .useDefaultKeys = strategy { false } else { true } }

    /// Returns the key that a model has for a key of the text: `posterPath` for `poster_path`, if the strategy is to
    /// convert from snake case.
    ///
    /// - Parameters:
    ///   - writtenKey: The key in the text.
    ///   - path: The keys from the root to the key's object, for a custom strategy.
    package mutating func modelKey(_ writtenKey: String, path: @autoclosure () -> [any CodingKey]) -> String {
        switch strategy {
        case .useDefaultKeys: return writtenKey
        case .convertFromSnakeCase(except: _):
            // The excepted keys need no rule: they are in the cache from the start, unconverted.
            return Self.lookUpOrConvert(writtenKey, in: &modelKeys, convert: Self.camelCase)
        case .custom(let decode, _): return decode(path() + [PositionKey(stringValue: writtenKey)]).stringValue
        }
    }

    /// Returns the key that is written in the text for a key of a model: `poster_path` for `posterPath`, if the
    /// strategy is to convert to snake case.
    ///
    /// - Parameters:
    ///   - key: The key of the model.
    ///   - path: The keys from the root to the key's object, for a custom strategy.
    @inline(__always)
    mutating func writtenKey(_ key: some CodingKey, path: @autoclosure () -> [any CodingKey]) -> String {
        switch strategy {
        case .useDefaultKeys: key.stringValue
        case .convertFromSnakeCase(except: _):
            // The excepted keys need no rule: they are in the cache from the start, unconverted.
            Self.lookUpOrConvert(key.stringValue, in: &writtenKeys, convert: Self.snakeCase)
        case .custom(_, let encode): encode(path() + [key]).stringValue
        }
    }

    /// Returns the converted form of a key: from a cache, or else by converting the key and adding it to the cache.
    ///
    /// A full cache stays as it is, so that a text with ever new keys does not fill the memory.
    ///
    /// - Parameters:
    ///   - key: The key to convert, such as `poster_path`.
    ///   - cache: The converted keys by the original keys.
    ///   - convert: Converts a key that is not in the cache.
    private static func lookUpOrConvert(
        _ key: String, in cache: inout [String: String], convert: (String) -> String
    ) -> String {
        if let cachedKey = cache[key] { return cachedKey }
        let convertedKey = convert(key)
        if cache.count < maxCachedKeys { cache[key] = convertedKey }
        return convertedKey
    }

    /// Converts a key from snake case to camel case, by the rules of `JSONDecoder`: `_poster_path_` becomes
    /// `_posterPath_`.
    ///
    /// Underscores at the start and the end stay. A key without an underscore between them stays as it is.
    private static func camelCase(_ key: String) -> String {
        let underscore = UInt8(ascii: "_")
        // Most keys are one word, which takes less time to find out than the search below.
        guard key.utf8.contains(underscore) else { return key }
        guard let firstLetter = key.utf8.firstIndex(where: { $0 != underscore }),
            let lastLetter = key.utf8.lastIndex(where: { $0 != underscore })
        else {
            // The key has nothing but underscores.
            return key
        }
        let words = key[firstLetter...lastLetter].split(separator: "_")
        guard words.count > 1 else { return key }
        let leadingUnderscores = key[..<firstLetter]
        let trailingUnderscores = key[key.utf8.index(after: lastLetter)...]
        let laterWords = words.dropFirst().map(\.capitalized).joined()
        return leadingUnderscores + words[0].lowercased() + laterWords + trailingUnderscores
    }

    /// Converts a key from camel case to snake case, by the rules of `JSONEncoder`: `posterPath` becomes `poster_path`,
    /// and `myURLText` becomes `my_url_text`.
    private static func snakeCase(_ key: String) -> String {
        let letters = Array(key.unicodeScalars)
        let laterWordStarts = laterWordStarts(inCamelCase: letters)
        var separatedWords = String.UnicodeScalarView()
        for (index, letter) in letters.enumerated() {
            if laterWordStarts.contains(index) { separatedWords.append("_") }
            separatedWords.append(letter)
        }
        return String(separatedWords).lowercased()
    }

    /// Returns the indices at which the words of a key in camel case start, except the first word: 2 and 5 for
    /// `myURLText`, whose words are `my`, `URL` and `Text`.
    ///
    /// A word starts at an uppercase letter that follows other letters. Of several uppercase letters in a row, the last
    /// one before a lowercase letter starts another word.
    ///
    /// - Parameter letters: The key in Unicode scalars.
    private static func laterWordStarts(inCamelCase letters: [Unicode.Scalar]) -> Set<Int> {
        let categories = letters.map(\.properties.generalCategory)
        func isUppercase(_ index: Int) -> Bool {
            categories[index] == .uppercaseLetter || categories[index] == .titlecaseLetter
        }
        var starts: Set<Int> = []
        // The first letter starts the first word, whatever its case, so the search starts at the second one.
        var searchStart = 1
        while let firstUppercase = letters.indices.dropFirst(searchStart).first(where: isUppercase) {
            starts.insert(firstUppercase)
            // The key may end in uppercase letters, as in `posterURL`: they are one word.
            guard let nextLowercase = categories[firstUppercase...].firstIndex(of: .lowercaseLetter) else { break }
            // If there are several uppercase letters, the last one belongs to the next word: the `T` of `myURLText`.
            let isAcronym = nextLowercase > firstUppercase + 1
            if isAcronym { starts.insert(nextLowercase - 1) }
            searchStart = nextLowercase + 1
        }
        return starts
    }
}

extension Coding {
    /// Returns the key that is written in JSON for a key of a model: `poster_path` for `posterPath` in snake case.
    ///
    /// A custom strategy depends on the path of a key, which is not known here, so the key stays as it is.
    package func writtenKey(_ modelKey: String) -> String {
        guard case .convertFromSnakeCase(except: _) = keys else { return modelKey }
        var conversion = KeyConversion(keys)
        return conversion.writtenKey(PositionKey(stringValue: modelKey), path: [])
    }

    /// Returns the key that a model has for a key in JSON: `posterPath` for `poster_path` in snake case.
    ///
    /// A custom strategy depends on the path of a key, which is not known here, so the key stays as it is.
    package func modelKey(_ writtenKey: String) -> String {
        guard case .convertFromSnakeCase(except: _) = keys else { return writtenKey }
        var conversion = KeyConversion(keys)
        return conversion.modelKey(writtenKey, path: [])
    }

    /// Returns the key in JSON that is read as a model's key.
    ///
    ///     posterPath    poster_path, which is read as posterPath
    ///     ID            ID, because the key that would be written, i_d, is read as iD
    ///
    /// - Parameters:
    ///   - key: The model's key.
    ///   - path: The keys from the root to the key's object, for a custom strategy.
    /// - Returns: The key that is written for the model's key, if it is read as the model's key again. Otherwise the
    ///   model's own key, if that is read unchanged. If neither is, the written key.
    package func name(of key: any CodingKey, path: [any CodingKey]) -> String {
        var conversion = KeyConversion(keys)
        let modelKey = key.stringValue
        let writtenKey = conversion.writtenKey(key, path: path)
        let isReadBack = conversion.modelKey(writtenKey, path: path) == modelKey
        if isReadBack { return writtenKey }
        let isReadUnchanged = conversion.modelKey(modelKey, path: path) == modelKey
        return isReadUnchanged ? modelKey : writtenKey
    }
}
