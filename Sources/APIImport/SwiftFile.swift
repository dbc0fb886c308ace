import JSONText

/// A file of Swift text with an enum, into which an endpoint is inserted without touching anything else.
package struct SwiftFile {
    private struct Line {
        let range: Range<Int>
        /// Without comments, what is in literals, and blanks around it.
        let code: String
        /// How many brackets are open before it, and after it.
        let before: Int
        let after: Int
    }

    private let text: [UInt8]
    /// The text with blanks in the place of comments and of what is in literals.
    private var code: [UInt8]
    /// Those that have code.
    private var lines: [Line] = []

    /// Nil if a literal, a comment or a bracket is not closed, or where a regular expression may start.
    package init?(_ text: String) {
        self.text = Array(text.utf8)
        code = self.text.map { $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
        guard blankLiteralsAndComments() else { return nil }
        var depth = 0
        for line in code.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let before = depth
            for byte in line { depth += Self.change(byte) }
            let code = String(decoding: line.trimmingBlanks(), as: UTF8.self)
            if !code.isEmpty { lines.append(Line(range: line.indices, code: code, before: before, after: depth)) }
        }
    }

    /// What is open: a bracket, or a literal or comment, in which an escape may start an interpolation or another comment.
    private struct Opening {
        let end: [UInt8]
        var escape: [UInt8]?
    }

    private mutating func blankLiteralsAndComments() -> Bool {
        var open: [Opening] = []
        var blanks = 0
        var offset = 0
        func next(_ start: some Sequence<UInt8>) -> Bool { text[offset...].starts(with: start) }
        func begin(_ end: some Sequence<UInt8>, escape: [UInt8]? = nil, count: Int = 1) {
            open.append(Opening(end: Array(end), escape: escape))
            blanks += escape == nil ? 0 : 1
            offset += count
        }
        while offset < text.count {
            let (start, wasBlank) = (offset, blanks > 0)
            if let opening = open.last, next(opening.end) {
                open.removeLast()
                blanks -= opening.escape == nil ? 0 : 1
                offset += opening.end.count
            } else if let opening = open.last, let escape = opening.escape {
                if escape.isEmpty || !next(escape) {
                    let isLine = opening.end.first == UInt8(ascii: "\"") && !opening.end.starts(with: Self.quotes)
                    if isLine, next("\n".utf8) { return false }
                    offset += 1
                } else if next("/*".utf8) {
                    begin(opening.end, escape: escape, count: 2)
                } else {
                    offset += escape.count
                    if next("(".utf8) { begin(")".utf8) } else { offset += 1 }
                }
            } else if next("//".utf8) {
                begin("\n".utf8, escape: [])
            } else if next("/*".utf8) {
                begin("*/".utf8, escape: Array("/*".utf8), count: 2)
            } else if next("\"".utf8) || next("#".utf8) {
                let pounds = text[offset...].prefix { $0 == UInt8(ascii: "#") }
                offset += pounds.count
                if next("/".utf8) { return false }
                let quotes = next(Self.quotes) ? 3 : next("\"".utf8) ? 1 : 0
                if quotes > 0 {
                    begin(Self.quotes.prefix(quotes) + pounds, escape: [UInt8(ascii: "\\")] + pounds, count: quotes)
                }
            } else if let end = Self.brackets[text[start]] {
                begin([end])
            } else {
                // A slash between blanks divides.
                let isSlash = next("/".utf8) && !(next("/ ".utf8) && start > 0 && text[start - 1] == UInt8(ascii: " "))
                if isSlash || Self.change(text[start]) < 0 { return false }
                offset += 1
            }
            guard wasBlank || blanks > 0 else { continue }
            for index in start..<min(offset, text.count) where text[index] != UInt8(ascii: "\n") {
                code[index] = UInt8(ascii: " ")
            }
        }
        return open.allSatisfy { $0.end == [UInt8(ascii: "\n")] }
    }

    private static let quotes = Array(repeating: UInt8(ascii: "\""), count: 3)

    private static let brackets = Dictionary(uniqueKeysWithValues: zip("([{".utf8, ")]}".utf8))

    /// By how much a byte changes the number of open brackets.
    private static func change(_ byte: UInt8) -> Int {
        brackets[byte] != nil ? 1 : ")]}".utf8.contains(byte) ? -1 : 0
    }

    // MARK: Words

    private static func words(_ code: some Sequence<UInt8>) -> [String] {
        code.split { !$0.isLetterOrDigit && !"_`#".utf8.contains($0) && $0 < 0x80 }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether `code` has one of these keywords before the name.
    private static func declares(_ keywords: Set<String>, _ name: String, _ code: String) -> Bool {
        let words = words(code.utf8)
        return zip(words, words.dropFirst()).contains { keywords.contains($0) && $1 == name }
    }

    /// The names of all types that the text declares.
    package var typeNames: Set<String> {
        let keywords: Set = ["actor", "class", "enum", "protocol", "struct", "typealias"]
        let words = Self.words(code)
        return Set(zip(words, words.dropFirst()).filter { keywords.contains($0.0) }.map(\.1))
    }

    /// How the API codes JSON, as far as models depend on it.
    package var coding: Coding {
        let words = Set(Self.words(code))
        let isISO = words.isDisjoint(with: ["secondsSince1970", "millisecondsSince1970", "deferredToDate"])
        return Coding(
            keys: words.contains("convertFromSnakeCase") ? .convertFromSnakeCase : .useDefaultKeys,
            dates: isISO ? .iso8601 : .secondsSince1970)
    }
}

// MARK: Inserting

extension SwiftFile {
    private typealias Edit = (offset: Int, text: String)

    /// The text with the case, the example and the arm of an endpoint in the enum `api`; nil if it is not sure where they belong.
    package func inserting(_ endpoint: ImportedEndpoint, into api: String) -> String? {
        inserting(endpoint.text, into: api)
    }

    /// The lines in the only enum `api`, and how many brackets are open in it.
    private func body(of api: String) -> (lines: ArraySlice<Line>, level: Int)? {
        let starts = lines.indices.filter { Self.declares(["enum"], api, lines[$0].code) }
        guard starts.count == 1, let start = starts.first, case let level = lines[start].after,
            lines[start].code.hasSuffix("{"), lines[start].before == level - 1,
            let end = lines.indices.first(where: { $0 > start && lines[$0].after < level })
        else { return nil }
        return (lines[(start + 1)..<end], level)
    }

    /// Whether the enum `api` has a case or another member of that name: a word of it outside brackets.
    package func hasMember(_ name: String, of api: String) -> Bool {
        guard let lines = body(of: api)?.lines, let first = lines.first, let last = lines.last else { return false }
        var depth = 0
        let own = code[first.range.lowerBound..<last.range.upperBound].map { byte in
            depth += Self.change(byte)
            return depth == 0 ? byte : UInt8(ascii: " ")
        }
        return Self.words(own).contains(SwiftNames.quoted(name))
    }

    func inserting(_ endpoint: EndpointText, into api: String) -> String? {
        guard let (body, level) = body(of: api), case let members = body.filter({ $0.before == level }),
            !members.contains(where: { $0.code.hasPrefix("#") }),
            let last = body.lastIndex(where: { $0.before == level && Self.words($0.code.utf8).starts(with: ["case"]) }),
            let caseEnd = body[last...].first(where: { $0.after == level && !$0.code.hasSuffix(",") }),
            let examples = members.first(where: { Self.declares(["var", "let"], "examples", $0.code) }),
            let exampleEdits = endpoint.example.map({ edits(example: $0, examples) }) ?? [],
            let place = body.firstIndex(where: { $0.before == level && Self.declares(["var"], "endpoint", $0.code) }),
            let armEdit = edit(arm: endpoint, body[place...], level)
        else { return nil }
        let declaration = endpoint.caseLines.printed(indent: indent(body[last].range).utf8.count).dropLast()
        let caseEdit: Edit = (caseEnd.range.upperBound, "\n" + declaration)
        var result: [UInt8] = []
        var written = 0
        for edit in ([caseEdit, armEdit] + exampleEdits).sorted(by: { $0.offset < $1.offset }) {
            result += text[written..<edit.offset] + edit.text.utf8
            written = edit.offset
        }
        let inserted = String(decoding: result + text[written...], as: UTF8.self)
        return SwiftFile(inserted) == nil ? nil : inserted
    }

    private func isCode(_ byte: UInt8) -> Bool { !" \t\n".utf8.contains(byte) }

    private func closing(of open: Int) -> Int? {
        var depth = 0
        return code[open...].firstIndex { byte in
            depth += Self.change(byte)
            return depth == 0
        }
    }

    private func line(at offset: Int) -> Range<Int> {
        let start = text[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return start..<(text[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count)
    }

    /// The blanks at the start of a line.
    private func indent(_ line: Range<Int>) -> String {
        String(decoding: text[line].prefix { " \t".utf8.contains($0) }, as: UTF8.self)
    }

    /// Another element of `static let examples: [API] = [...]`, or of `static var examples: [API] { [...] }`.
    private func edits(example: SwiftText, _ declaration: Line) -> [Edit]? {
        guard let type = code[declaration.range].firstIndex(of: UInt8(ascii: "[")), let typeEnd = closing(of: type),
            let sign = code[(typeEnd + 1)...].firstIndex(where: isCode), "={".utf8.contains(code[sign]),
            let open = code[(sign + 1)...].firstIndex(where: isCode), code[open] == UInt8(ascii: "["),
            let close = closing(of: open), let first = code[(open + 1)...].firstIndex(where: isCode),
            let last = code[..<close].lastIndex(where: isCode)
        else { return nil }
        let margin = indent(line(at: open)) + "    "
        let text = example.printed(indent: margin.utf8.count)
        if open == last { return [(close, text)] }
        let (head, tail) = (line(at: open), line(at: last))
        let hasComma = code[last] == UInt8(ascii: ",")
        if first > head.upperBound {
            guard close > tail.upperBound else { return nil }
            let added = "\n\(margin)\(text),"
            return (hasComma ? [] : [(last + 1, ",")]) + [(tail.upperBound, added)]
        }
        guard head.contains(close), !hasComma else { return nil }
        if head.count + text.utf8.count + 2 <= SwiftLiteral.lineLength { return [(last + 1, ", " + text)] }
        return [(open + 1, "\n" + margin), (last + 1, ",\n\(margin)\(text),\n\(margin.dropLast(4))")]
    }

    /// The last arm of `var endpoint: Endpoint { switch self {...} }`, which starts the lines.
    private func edit(arm endpoint: EndpointText, _ lines: ArraySlice<Line>, _ level: Int) -> Edit? {
        let rest = lines.dropFirst()
        guard lines.first?.after == level + 1, rest.first?.code == "switch self {",
            let end = rest.firstIndex(where: { $0.after < level + 2 }), lines[end].code == "}",
            lines[(end + 1)...].first?.code == "}",
            !lines[..<end].contains(where: {
                $0.before == level + 2 && ($0.code.hasPrefix("default") || $0.code.hasPrefix("#"))
            })
        else { return nil }
        let usesReturn = lines[..<end].contains { Self.words($0.code.utf8).contains("return") }
        let indent = indent(lines[end].range).utf8.count
        return (lines[end].range.lowerBound, endpoint.arm(usesReturn: usesReturn).printed(indent: indent))
    }
}
