/// Keys of a text and of models, each made of the other by the strategy of a ``Coding``. The same keys come again and again.
package struct KeyConversion {
    /// So that hostile keys do not pile up.
    private static let maxKnown = 10_000

    private let strategy: Coding.Keys
    private var modelKeys: [String: String] = [:]
    private var textKeys: [String: String] = [:]

    package init(_ strategy: Coding.Keys) { self.strategy = strategy }

    /// Whether keys of the text differ from those of models.
    var changesKeys: Bool { if case .useDefaultKeys = strategy { false } else { true } }

    /// The key that a model has for a key of the text; `path` is the way to its object.
    package mutating func modelKey(_ text: String, path: @autoclosure () -> [any CodingKey]) -> String {
        switch strategy {
        case .useDefaultKeys: return text
        case .convertFromSnakeCase: return Self.known(text, &modelKeys, Self.camelCase)
        case .custom(let decode, _): return decode(path() + [PositionKey(stringValue: text)]).stringValue
        }
    }

    /// How a model's key is written; `path` is the way to its object.
    @inline(__always)
    mutating func textKey(_ key: some CodingKey, path: @autoclosure () -> [any CodingKey]) -> String {
        switch strategy {
        case .useDefaultKeys: key.stringValue
        case .convertFromSnakeCase: Self.known(key.stringValue, &textKeys, Self.snakeCase)
        case .custom(_, let encode): encode(path() + [key]).stringValue
        }
    }

    private static func known(_ key: String, _ known: inout [String: String], _ convert: (String) -> String) -> String {
        if let converted = known[key] { return converted }
        let converted = convert(key)
        if known.count < maxKnown { known[key] = converted }
        return converted
    }

    /// `_poster_path_` becomes `_posterPath_`, by the rules of `JSONDecoder`: underscores at the start and the end stay; a key without any
    /// between stays as it is.
    private static func camelCase(_ key: String) -> String {
        let underscore = UInt8(ascii: "_")
        let text = key.utf8
        guard let first = text.firstIndex(where: { $0 != underscore }),
            let last = text.lastIndex(where: { $0 != underscore })
        else { return key }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        return key[..<first] + words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
            + key[key.utf8.index(after: last)...]
    }

    /// `posterPath` becomes `poster_path`, `myURLText` becomes `my_url_text`, by the rules of `JSONEncoder`.
    ///
    /// A word starts at an uppercase letter after others; of several in a row, the last before a lowercase letter starts the next word.
    private static func snakeCase(_ key: String) -> String {
        let letters = Array(key.unicodeScalars)
        let kinds = letters.map(\.properties.generalCategory)
        var starts: Set<Int> = []
        var index = 1
        func isUpper(_ place: Int) -> Bool { [.uppercaseLetter, .titlecaseLetter].contains(kinds[place]) }
        while let upper = kinds.indices.dropFirst(index).first(where: isUpper) {
            starts.insert(upper)
            guard let lower = kinds[upper...].firstIndex(of: .lowercaseLetter) else { break }
            if lower > upper + 1 { starts.insert(lower - 1) }
            index = lower + 1
        }
        var result = String.UnicodeScalarView()
        for (index, letter) in letters.enumerated() {
            if starts.contains(index) { result.append("_") }
            result.append(letter)
        }
        return String(result).lowercased()
    }
}

extension Coding {
    /// The key that a model has for a key of a text, as far as that does not depend on where it is.
    package func modelKey(_ text: String) -> String {
        guard case .convertFromSnakeCase = keys else { return text }
        var conversion = KeyConversion(keys)
        return conversion.modelKey(text, path: [])
    }

    /// The name in the text of a model's key; the path is that of its object.
    package func name(of key: any CodingKey, path: [any CodingKey]) -> String {
        var conversion = KeyConversion(keys)
        let name = conversion.textKey(key, path: path)
        // `ID` would be read from `ID` only, not from `i_d`.
        let isRead = conversion.modelKey(name, path: path) == key.stringValue
        return isRead || conversion.modelKey(key.stringValue, path: path) != key.stringValue ? name : key.stringValue
    }
}

/// The key of an element, written as the standard library writes it, or of a class's superclass part.
package struct PositionKey: CodingKey {
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
