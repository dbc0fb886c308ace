/// How keys are written, by the strategy of a ``Coding``.
struct KeyNames {
    private let strategy: Coding.Keys
    private var converted: [String: String] = [:]

    init(_ strategy: Coding.Keys) { self.strategy = strategy }

    /// The name of `key` in the text. The path is that of its object.
    @inline(__always)
    mutating func name(of key: some CodingKey, path: @autoclosure () -> [any CodingKey]) -> String {
        switch strategy {
        case .useDefaultKeys: return key.stringValue
        case .convertFromSnakeCase: return snakeCase(key.stringValue)
        case .custom(_, let encode): return encode(path() + [key]).stringValue
        }
    }

    @inline(never)
    private mutating func snakeCase(_ name: String) -> String {
        if let known = converted[name] { return known }
        let result = Self.converted(name)
        converted[name] = result
        return result
    }

    /// `posterPath` becomes `poster_path`, `myURLText` becomes `my_url_text`, by the rules of Foundation's `JSONEncoder`.
    ///
    /// A word starts at a capital letter after other letters; of several capitals in a row, the last before a small letter starts the
    /// next word.
    private static func converted(_ name: String) -> String {
        let letters = Array(name.unicodeScalars)
        var starts: [Int] = []
        var index = 1
        while let capital = letters.indices.dropFirst(index).first(where: { letters[$0].isCapital }) {
            starts.append(capital)
            guard let small = letters.indices.dropFirst(capital).first(where: { letters[$0].isSmall }) else { break }
            if small > capital + 1 { starts.append(small - 1) }
            index = small + 1
        }
        var result = String.UnicodeScalarView()
        for (index, letter) in letters.enumerated() {
            if index == starts.first {
                result.append("_")
                starts.removeFirst()
            }
            result.append(letter)
        }
        return String(result).lowercased()
    }
}

extension Coding {
    /// The name in the text of a model's key; the path is that of its object.
    package func name(of key: any CodingKey, path: [any CodingKey]) -> String {
        var names = KeyNames(keys)
        let name = names.name(of: key, path: path)
        // `ID` would be read from `ID` only, not from `i_d`.
        return modelKey(name) == key.stringValue || modelKey(key.stringValue) != key.stringValue
            ? name : key.stringValue
    }
}

extension Unicode.Scalar {
    fileprivate var isCapital: Bool {
        properties.generalCategory == .uppercaseLetter || properties.generalCategory == .titlecaseLetter
    }

    fileprivate var isSmall: Bool { properties.generalCategory == .lowercaseLetter }
}
