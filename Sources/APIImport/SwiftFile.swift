import EndpointKit
import JSONText

/// A file of Swift with an enum, into which endpoints are inserted without touching anything else. It is read by lines: where the formatter has
/// been, their indentation tells what belongs together.
package struct SwiftFile {
    private let lines: [String]
    /// The same lines with blanks in the place of comments and of what is in literals.
    private let codes: [String]

    package init(_ text: String) { (lines, codes) = (text.parts(at: "\n"), Self.code(text).parts(at: "\n")) }

    private static func code(_ text: String) -> String {
        let text = Array(text.utf8)
        var (result, index, comments) = (text, 0, 0)
        // The literals around, and how many parentheses are open in an interpolation of each.
        var open: [(escape: [UInt8], end: [UInt8], depth: Int)] = []
        while index < text.count {
            let (start, rest) = (index, text[index...])
            func skip(_ word: some Collection<UInt8>) -> Bool {
                let isNext = rest.starts(with: word)
                if isNext { index += word.count }
                return isNext
            }
            var isCode = open.isEmpty
            if comments > 0 || rest.starts(with: "/*".utf8), open.last?.depth != 0 {
                isCode = false
                comments += skip("/*".utf8) ? 1 : skip("*/".utf8) ? -1 : 0
            } else if let literal = open.last, literal.depth == 0 {
                // Only one with three quotes goes on in the next line.
                if skip(literal.end) || literal.end.count == literal.escape.count && rest.first == 0x0A {
                    open.removeLast()
                    isCode = open.isEmpty
                } else if skip(literal.escape + "(".utf8) {
                    open[open.count - 1].depth = 1
                } else if skip(literal.escape) {
                    index += 1
                }
            } else if rest.starts(with: "//".utf8) {
                isCode = false
                index = rest.firstIndex(of: 0x0A) ?? text.count
            } else if "#\"".utf8.contains(text[start]) {
                let hashes = rest.prefix { $0 == UInt8(ascii: "#") }
                let quotes = rest.dropFirst(hashes.count).prefix(3).prefix { $0 == UInt8(ascii: "\"") }
                let end = quotes.count == 3 ? quotes : quotes.prefix(1)
                index += hashes.count + end.count
                if !end.isEmpty { open.append((Array("\\".utf8 + hashes), Array(end + hashes), 0)) }
            } else if !isCode, "()".utf8.contains(text[start]) {
                open[open.count - 1].depth += text[start] == UInt8(ascii: "(") ? 1 : -1
            }
            index = min(max(index, start + 1), text.count)
            for place in start..<index where !isCode && text[place] != 0x0A { result[place] = 0x20 }
        }
        return String(exactBytes: result)
    }

    /// A line without its comment, and without blanks around it.
    private func code(_ line: Int) -> String { String(exactBytes: codes[line].exactBytes.trimmingBlanks()) }

    /// The code of lines outside of all brackets.
    private func outerCode(_ lines: Range<Int>) -> String {
        var depth = 0
        return lines.map(code).joined(separator: " ").filter { character in
            depth += "([{".contains(character) ? 1 : ")]}".contains(character) ? -1 : 0
            return depth == 0
        }
    }

    private func indent(_ line: Int) -> Int { lines[line].utf8.prefix { $0 == 0x20 }.count }

    /// The words of a text of Swift, names in backticks with them.
    package static func words(_ text: String) -> [String] {
        text.utf8.split { !$0.isLetterOrDigit && !"_`".utf8.contains($0) && $0 < 0x80 }.map { String(Substring($0)) }
    }

    /// The words that follow one of these keywords.
    private static func declared(_ keywords: Set<String>, _ code: String) -> [String] {
        let words = words(code)
        return zip(words, words.dropFirst()).filter { keywords.contains($0.0) }.map(\.1)
    }

    /// The names of the types that the text declares, with or without those in another type.
    package func typeNames(areInner: Bool = true) -> Set<String> {
        let keywords: Set = ["actor", "class", "enum", "protocol", "struct", "typealias"]
        return Set(lines.indices.filter { areInner || indent($0) == 0 }.flatMap { Self.declared(keywords, code($0)) })
    }

    /// How the API codes JSON, as far as models depend on it.
    package var coding: Coding {
        let words = Set(codes.flatMap(Self.words))
        let isISO = words.isDisjoint(with: ["secondsSince1970", "millisecondsSince1970", "deferredToDate"])
        return Coding(
            keys: words.contains("convertFromSnakeCase") ? .convertFromSnakeCase : .useDefaultKeys,
            dates: isISO ? .iso8601 : .secondsSince1970)
    }

    /// The enums that are an API, by their declaration or by an extension.
    package var apis: [String] {
        // What is declared stands before a brace.
        codes.joined(separator: " ").split(separator: "{").compactMap { text in
            let words = Self.words(String(text))
            guard let keyword = words.lastIndex(where: ["enum", "extension"].contains) else { return nil }
            let header = words[keyword...].dropFirst()
            return header.dropFirst().contains("API") ? header.first : nil
        }
    }

    /// The lines of the only enum `api`, without its end; nil if indentation does not tell them.
    private func lines(of api: String) -> Range<Int>? {
        let starts = lines.indices.filter { Self.declared(["enum"], code($0)).contains(api) }
        guard starts.count == 1, let start = starts.first, code(start).hasSuffix("{"),
            let end = lines.indices[(start + 1)...].first(where: { code($0) == "}" && indent($0) <= indent(start) }),
            indent(end) == indent(start)
        else { return nil }
        return start..<end
    }

    /// The text of the enum `api`; all of it if that is not sure.
    package func text(of api: String) -> String { lines[lines(of: api) ?? lines.indices].joined(separator: "\n") }

    /// The lines of each member of the only enum `api`; nil if indentation does not tell them.
    private func members(of api: String) -> [Range<Int>]? {
        guard let all = lines(of: api) else { return nil }
        let body = all.dropFirst().filter { !code($0).isEmpty }
        guard let level = body.first.map(indent), level > indent(all.lowerBound) else { return nil }
        var members: [Range<Int>] = []
        for line in body {
            let code = code(line)
            // What lines do not tell: conditions.
            if code.hasPrefix("#") || indent(line) < level { return nil }
            let isStart = indent(line) == level && !")]}\"".contains(code.prefix(1))
            let first = isStart ? line : members.popLast()?.lowerBound ?? line
            members.append(first..<line + 1)
        }
        return members
    }

    /// Whether the enum `api` has a case or another member of that name: a word of it outside brackets.
    package func hasMember(_ name: String, of api: String) -> Bool {
        (members(of: api) ?? []).contains { Self.words(outerCode($0)).contains(SwiftNames.quoted(name)) }
    }

    // MARK: Inserting

    /// Lines, and what is to stand in their place.
    private typealias Edit = (lines: Range<Int>, text: String)

    /// The text with the case, the example and the arm of an endpoint in the enum `api`; nil if it is not sure where they belong.
    package func inserting(_ endpoint: ImportedEndpoint, into api: String) -> String? {
        inserting(endpoint.text, into: api)
    }

    func inserting(_ endpoint: EndpointText, into api: String) -> String? {
        guard let members = members(of: api) else { return nil }
        func member(_ name: String) -> Range<Int>? {
            members.first { Self.declared(["var", "let"], code($0.lowerBound)).first == name }
        }
        guard let cases = members.last(where: { Self.words(code($0.lowerBound)).first == "case" }),
            let arm = member("endpoint").flatMap({ edit(arm: endpoint, $0) }), let examples = member("examples"),
            let example = endpoint.example.map({ edit(example: $0, examples) }) ?? (0..<0, "")
        else { return nil }
        let declaration = endpoint.caseLines.printed(indent: indent(cases.lowerBound)).dropLast()
        var lines = lines
        let edits: [Edit] = [(cases.upperBound..<cases.upperBound, String(declaration)), arm, example]
        for edit in edits.sorted(by: { $0.lines.lowerBound > $1.lines.lowerBound }) where !edit.text.isEmpty {
            lines.replaceSubrange(edit.lines, with: [edit.text])
        }
        return lines.joined(separator: "\n")
    }

    /// Another element of `static let examples: [API] = [...]`, or of `static var examples: [API] { [...] }`.
    private func edit(example: SwiftText, _ member: Range<Int>) -> Edit? {
        let text = lines[member].joined(separator: "\n").exactBytes
        let code = codes[member].joined(separator: "\n").exactBytes
        guard let sign = code.firstIndex(where: "={".utf8.contains), let list = Self.list(after: sign + 1, code)
        else { return nil }
        // The list must be all.
        let rest = code[list.upperBound...].filter { $0 > 0x20 }
        guard rest.isEmpty || rest == [UInt8(ascii: "}")] else { return nil }
        return Self.adding(example, to: list, text, code).map { (member, $0) }
    }

    /// The list literal that comes next, with its brackets.
    private static func list(after start: Int, _ code: [UInt8]) -> Range<Int>? {
        guard let open = code[start...].firstIndex(where: { $0 > 0x20 }), code[open] == UInt8(ascii: "[") else {
            return nil
        }
        var depth = 0
        let close = code[open...].firstIndex { byte in
            depth += "([{".utf8.contains(byte) ? 1 : ")]}".utf8.contains(byte) ? -1 : 0
            return depth == 0
        }
        return close.map { open..<$0 + 1 }
    }

    /// How many blanks the line of that byte begins with.
    private static func indent(_ place: Int, _ text: [UInt8]) -> Int {
        let start = text[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return text[start...].prefix { $0 == 0x20 }.count
    }

    /// The text with another element at the end of a list; nil if it is not sure where it belongs.
    private static func adding(_ element: SwiftText, to list: Range<Int>, _ text: [UInt8], _ code: [UInt8]) -> String? {
        let (open, close) = (list.lowerBound, list.upperBound - 1)
        guard let last = code[..<close].lastIndex(where: { $0 > 0x20 && $0 != UInt8(ascii: ",") }) else { return nil }
        let comma = code[last..<close].lastIndex(of: UInt8(ascii: ",")) ?? last
        let lineEnd = text[comma..<close].lastIndex(of: 0x0A)
        let margin = String(repeating: " ", count: indent(lineEnd == nil ? open : close, text))
        let inner = "\n\(margin)    "
        let added = element.printed(indent: margin.utf8.count + 4)
        func part(_ range: Range<Int>) -> String { String(exactBytes: text[range]) }
        if let lineEnd {
            let (before, comment) = (part(0..<last + 1), part(comma + 1..<lineEnd))
            return "\(before)\(last > open ? "," : "")\(comment)\(inner)\(added),\(part(lineEnd..<text.count))"
        }
        if code[open..<close].contains(0x0A) { return nil }
        let (start, elements, after) = (part(0..<open + 1), part(open + 1..<last + 1), part(close..<text.count))
        let all = "\(elements)\(elements.isEmpty ? "" : ", ")\(added)"
        let line = (start.parts(at: "\n").last ?? "") + all + after.prefix { $0 != "\n" }
        let isShort = elements.isEmpty || line.parts(at: "\n").allSatisfy { $0.utf8.count <= SwiftLiteral.lineLength }
        return start + (isShort ? all : "\(inner)\(elements),\(inner)\(added),\n\(margin)") + after
    }

    /// A text with another element in the list after `start`, or with another term in the sum that begins with the list, in lines as the formatter
    /// wants them; as it is if it has that, and nil if it is not sure where it belongs.
    package static func adding(_ word: String, isTerm: Bool = false, after start: String, in text: String) -> String? {
        let (bytes, code) = (text.exactBytes, code(text).exactBytes)
        let place = text.firstRange(of: start).map { text.utf8.distance(from: text.startIndex, to: $0.upperBound) }
        func isPart(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "_.`".utf8.contains(byte) }
        let known = word.hasPrefix("\"") ? text : String(exactBytes: code)
        let isKnown = known.ranges(of: word).contains { range in
            !(known[..<range.lowerBound].utf8.last.map(isPart) ?? false)
                && !(known[range.upperBound...].utf8.first.map(isPart) ?? false)
        }
        if isKnown { return text }
        guard let place, let list = list(after: place, code) else { return nil }
        guard isTerm else { return adding("\(word)", to: list, bytes, code) }
        var end = list.upperBound
        func next(_ place: Int) -> Int? { code[place...].firstIndex { $0 > 0x20 } }
        while let sign = next(end), code[sign] == UInt8(ascii: "+"), let term = next(sign + 1), isPart(code[term]) {
            end = code[term...].firstIndex { !isPart($0) } ?? code.count
        }
        // The sum must be all.
        guard let after = next(end), code[end..<after].contains(0x0A), !".+".utf8.contains(code[after]) else {
            return nil
        }
        let margin = String(repeating: " ", count: indent(place, bytes) + 4)
        var sum = String(exactBytes: bytes[list.lowerBound..<end])
        if !code[place..<list.lowerBound].contains(0x0A) { sum = sum.replacingBytes(of: "\n", with: "\n    ") }
        sum = "\n\(margin)\(sum)"
        let length = (sum.parts(at: "\n").last ?? "").utf8.count + " + \(word)".utf8.count
        sum += (length <= SwiftLiteral.lineLength ? " " : "\n\(margin)") + "+ \(word)"
        return String(exactBytes: bytes[..<place]) + sum + String(exactBytes: bytes[end...])
    }

    /// The last arm of `var endpoint: Endpoint { switch self {...} }`.
    private func edit(arm endpoint: EndpointText, _ member: Range<Int>) -> Edit? {
        let (first, end) = (member.lowerBound + 1, member.upperBound - 2)
        guard first < end, code(first) == "switch self {", code(end) == "}", indent(end) == indent(first) else {
            return nil
        }
        let arms = first + 1..<end
        let outer = outerCode(arms)
        // Nothing comes after an arm for all other cases.
        guard let level = arms.first(where: { !code($0).isEmpty }).map(indent),
            Set(Self.words(outer)).isDisjoint(with: ["default", "_"]),
            outer.ranges(of: "case let ").allSatisfy({ outer[$0.upperBound...].first == "." })
        else { return nil }
        let statements = arms.filter { indent($0) <= level + 4 }.map(code)
        let returns = arms.contains { Self.words(code($0)).contains("return") }
        // In a switch that is an expression, only closures return.
        let isExpression = statements.contains { code in
            code.hasPrefix(".") || code.hasPrefix("Endpoint(") || code.hasPrefix("case ") && code.contains(": .")
        }
        let usesReturn =
            returns && !isExpression || statements.contains { $0.hasPrefix("return ") || $0.contains(": return ") }
        return (end..<end, String(endpoint.arm(usesReturn: usesReturn).printed(indent: level).dropLast()))
    }
}
