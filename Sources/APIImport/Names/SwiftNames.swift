import EndpointKit
import EndpointTools

/// Makes names for generated Swift declarations of texts such as keys, paths and titles.
package enum SwiftNames {
    /// Names with a meaning of their own in an initializer, or as the label of an argument.
    static let unusableLabels: Set<String> = ["self", "Type", "Protocol", "init", "let", "var", "inout"]

    /// Keywords that can't be an identifier without backticks (The Swift Programming Language, "Keywords and
    /// Punctuation").
    package static let keywords: Set<String> = [
        "associatedtype", "borrowing", "class", "consuming", "deinit", "enum", "extension", "fileprivate", "func",
        "import", "init", "inout", "internal", "let", "nonisolated", "open", "operator", "precedencegroup", "private",
        "protocol", "public", "rethrows", "static", "struct", "subscript", "typealias", "var", "break", "case", "catch",
        "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return",
        "switch", "throw", "where", "while", "Any", "as", "await", "false", "is", "nil", "self", "Self", "super",
        "throws", "true", "try", "Type", "Protocol",
    ]

    /// The types of Swift, Foundation, EndpointKit and SwiftUI that a model of the same name would hide.
    static let typesInUse: Set<String> = [
        "Actor", "Any", "AnyObject", "Array", "Bool", "Character", "Clock", "Codable", "CodingKey", "CodingKeys",
        "CaseIterable", "Collection", "Comparable", "Decodable", "Decoder", "Dictionary", "Double", "Duration",
        "Encodable", "Encoder",
        "Equatable", "Error", "ExpressibleByStringLiteral", "Float", "Hashable", "Hasher", "Identifiable", "Instant",
        "Int", "Iterator", "KeyPath",
        "Mirror", "Never", "Optional", "Protocol", "Range", "Regex", "Result", "Self", "Sendable", "Sequence", "Set",
        "Slice", "Snapshot", "String", "Substring", "Task", "Type", "UInt", "Void",
        "Bundle", "Calendar", "Data", "Date", "Decimal", "Dimension", "Formatter", "Host", "Locale", "Measurement",
        "Notification", "Operation", "Port", "Process", "Progress", "Scanner", "Stream", "Thread", "Timer", "Unit",
        "URL", "UUID",
        "API", "APIInfo", "BaseURL", "Body", "Client", "Coding", "Credential", "Endpoint", "ErrorModel", "HTTPField",
        "Headers",
        "EmptyResponse", "FieldKey", "HTTPMethod", "JSONObject", "JSONValue", "Nullable", "OpenEnum", "PageSequence",
        "ItemSequence",
        "Interceptor", "ClientLog", "CredentialChallenge", "RequestError", "ResponseError", "TransportError",
        "HTTPStatusError", "PagingError",
        "ParameterName", "ParameterRule", "QueryItem", "RawResponse", "ReportedFailure", "Paging",
        "Part", "Receipt", "Request",
        "PackageResources", "RequestBody",
        "Response", "Sample", "Samples", "Secret", "Server", "Transport", "Validated",
        "App", "Binding", "Button", "Color", "Environment", "Font", "Form", "Group", "Image", "Label", "Link", "List",
        "Menu", "Path", "Picker", "Query", "Scene", "Section", "Shape", "State", "Table", "Text", "Toggle", "View",
    ]

    /// The words that are written in capitals in names, as in `movieID`.
    private static let acronyms: Set<String> = [
        "api", "cpu", "css", "csv", "dns", "ean", "gif", "gps", "html", "http", "https", "iban", "id", "ip", "isbn",
        "iso", "jpg", "json", "jwt", "md5", "mime", "os", "pdf", "png", "ram", "rss", "sdk", "sha", "sha1", "sha256",
        "sku", "sms", "spdx", "sql", "ssh", "ssl", "svg", "tcp", "tls", "ttl", "tv", "udp", "ui", "uri", "url", "utc",
        "uuid", "vat", "xml",
    ]

    /// The most characters of a name. A property with two longer ones, its own and that of its type, would not fit on a
    /// line of 120 characters, which the formatter demands: `public let NAME: TYPE`.
    private static let maxLength = 48
    /// The most scalars of a text that are looked at for words.
    private static let maxScalars = 400

    /// Returns a name as an identifier: `class` → `` `class` ``, `movie` → `movie`.
    package static func identifier(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    /// Returns the name of the file for a type.
    ///
    /// It is never `main.swift`, in any case, because SwiftPM would make a program of the module.
    package static func fileName(ofType type: String) -> String {
        type.lowercased() == "main" ? "\(type)Model.swift" : "\(type).swift"
    }

    /// Whether a name that people chose can be an identifier: ASCII letters, digits and `_`, and no digit at the start.
    package static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, !first.isDigit, name != "_" else { return false }
        return name.unicodeScalars.allSatisfy { isLetterOrDigit($0) || $0 == "_" }
    }

    /// Returns the words of a text in lower case.
    ///
    /// `posterPath`, `poster_path`, `Poster-Path` and `poster path` → `["poster", "path"]`
    ///
    /// Letters become those of ASCII, as the formatter's rules demand: `Größe` → `["grosse"]`. Letters of other scripts
    /// are left out. Of words that would make a name too long, the first ones and the last one are kept.
    package static func words(_ text: some StringProtocol) -> [String] {
        var ascii = signWord(text)
        for scalar in text.unicodeScalars.prefix(maxScalars) {
            if isLetterOrDigit(scalar) {
                ascii.unicodeScalars.append(scalar)
            } else if let letters = LatinLetters.ascii(scalar) {
                ascii += letters
            } else if !scalar.properties.isAlphabetic, scalar.properties.generalCategory != .nonspacingMark {
                // A combining accent (a nonspacing mark) belongs to the letter before it, and ends no word.
                ascii += "-"
            }
        }
        return fitting(KebabCase.text(ascii).split(separator: "-").map(String.init))
    }

    /// Returns the word for the sign of a number, followed by `-`; empty without a sign.
    ///
    /// `+1` and `-1` would otherwise have the same words. They become `plus-1` and `minus-1`.
    private static func signWord(_ text: some StringProtocol) -> String {
        guard text.dropFirst().first?.isNumber == true else { return "" }
        switch text.first {
        case "+": return "plus-"
        case "-": return "minus-"
        default: return ""
        }
    }

    /// Returns as many of the first words as fit into a name, followed by the last one.
    ///
    /// The last word is always kept, because it often is the only difference from another name.
    static func fitting(_ words: [String]) -> [String] {
        let length = words.reduce(0) { $0 + $1.utf8.count }
        guard length > maxLength, let last = words.last else { return words }
        let lastWord = String(last.prefix(maxLength))
        var remainingLength = maxLength - lastWord.utf8.count
        var firstWords: [String] = []
        for word in words.dropLast() {
            remainingLength -= word.utf8.count
            if remainingLength < 0 { break }
            firstWords.append(word)
        }
        return firstWords + [lastWord]
    }

    /// Whether a scalar is an ASCII letter or digit.
    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: false
        }
    }

    /// Returns the name of a property, a case or a parameter.
    ///
    /// `["user", "id"]` → `userID`, `["404"]` → `value404`, `[]` → `value`
    package static func memberName(_ words: [String]) -> String {
        let nameWords = fitting(words)
        guard let firstWord = nameWords.first else { return "value" }
        let startsWithDigit = firstWord.utf8.first?.isDigit == true
        let start = startsWithDigit ? "value" + firstWord : firstWord
        return start + nameWords.dropFirst().map(capitalized).joined()
    }

    /// Returns the name of a type.
    ///
    /// `["html", "page"]` → `HTMLPage`, `["404"]` → `Value404`, `[]` → `Value`
    package static func typeName(_ words: [String]) -> String {
        let name = fitting(words).map(capitalized).joined()
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard let first = name.utf8.first, capitals.contains(first) else { return "Value" + name }
        return name
    }

    /// Returns a word with a capital letter, or an acronym in capitals: `page` → `Page`, `id` → `ID`, `ids` → `IDs`.
    private static func capitalized(_ word: String) -> String {
        if acronyms.contains(word) { return word.uppercased() }
        if word.hasSuffix("s"), acronyms.contains(String(word.dropLast())) { return word.dropLast().uppercased() + "s" }
        return word.prefix(1).uppercased() + word.dropFirst()
    }

    /// Returns words as a text that begins with a capital letter: `["movie", "videos"]` → `Movie videos`.
    static func sentence(_ words: [String]) -> String {
        let text = words.joined(separator: " ")
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// The singulars of nouns for which the rules of ``singular(_:)-(String)`` would be wrong.
    private static let singulars = [
        "children": "child", "people": "person", "men": "man", "women": "woman", "feet": "foot", "indices": "index",
        "vertices": "vertex", "matrices": "matrix", "movies": "movie", "cookies": "cookie", "series": "series",
        "news": "news", "species": "species", "criteria": "criterion", "aliases": "alias", "statuses": "status",
        "analyses": "analysis", "canvases": "canvas", "viruses": "virus", "leaves": "leaf", "shelves": "shelf",
        "buses": "bus", "bonuses": "bonus", "gas": "gas", "lens": "lens", "caches": "cache", "axes": "axis",
    ]

    /// Returns the words with the last one in the singular.
    ///
    /// `["movies"]` → `["movie"]`, `["product", "categories"]` → `["product", "category"]`
    package static func singular(_ words: [String]) -> [String] {
        guard let last = words.last else { return words }
        return words.dropLast() + [singular(last)]
    }

    /// Returns an English noun in the singular: irregular plurals from a list, others by their endings.
    ///
    /// `boxes` → `box`, `status` → `status`
    private static func singular(_ word: String) -> String {
        if let irregularSingular = singulars[word] { return irregularSingular }
        let endsLikeSingular = ["ss", "us", "is"].contains(where: word.hasSuffix)
        // Words of two letters, such as `os`, are no plurals.
        guard word.utf8.count > 2, word.hasSuffix("s"), !endsLikeSingular else { return word }
        // `queries` → `query`, but `ties` → `tie`
        if word.hasSuffix("ies"), word.utf8.count > 4 { return word.dropLast(3) + "y" }
        let hasLongEnding = ["sses", "xes", "ches", "shes", "zzes"].contains(where: word.hasSuffix)
        return String(word.dropLast(hasLongEnding ? 2 : 1))
    }
}

/// The names that are taken in one scope, such as the cases of an enum.
///
/// Names that differ only in case count as equal, because files may be named after them.
package struct NameTable {
    /// The names in lower case.
    private var taken: Set<String>
    /// The last number that each name has got, by the name in lower case.
    private var numbers: [String: Int] = [:]

    package init(_ taken: some Sequence<String> = []) { self.taken = Set(taken.map { $0.lowercased() }) }

    /// Whether a name is taken, in any case.
    package func contains(_ name: String) -> Bool { taken.contains(name.lowercased()) }

    /// Takes a name. If it is taken already, the name with its next number is taken: `Movie2`.
    mutating func take(_ name: String) { _ = unique(name) }

    /// Returns a name that is not taken yet, and takes it.
    ///
    /// `Movie` → `Movie`, then `Movie2`, `Movie3`
    package mutating func unique(_ name: String) -> String {
        let key = name.lowercased()
        var candidate = name
        // The numbers that this name has got before are not tried again.
        var number = numbers[key] ?? 1
        while !taken.insert(candidate.lowercased()).inserted {
            number += 1
            candidate = "\(name)\(number)"
        }
        numbers[key] = number
        return candidate
    }
}
