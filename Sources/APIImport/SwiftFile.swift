import EndpointKit
import JSONText

/// A file of Swift with an enum, into which endpoints are inserted without touching anything else. It is read by lines: where the formatter has
/// been, their indentation tells what belongs together.
package struct SwiftFile {
    private let lines: [String]

    package init(_ text: String) {
        lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// A line without its comment, and without blanks around it.
    private func code(_ line: Int) -> String {
        let text = lines[line]
        let end = text.firstRange(of: "//")?.lowerBound ?? text.endIndex
        return String(exactBytes: Array(text.utf8[..<end]).trimmingBlanks())
    }

    private func indent(_ line: Int) -> Int { lines[line].utf8.prefix { $0 == 0x20 }.count }

    private static func words(_ text: String) -> [String] {
        text.utf8.split { !$0.isLetterOrDigit && !"_`".utf8.contains($0) && $0 < 0x80 }.map { String(Substring($0)) }
    }

    /// The words that follow one of these keywords.
    private static func declared(_ keywords: Set<String>, _ code: String) -> [String] {
        let words = words(code)
        return zip(words, words.dropFirst()).filter { keywords.contains($0.0) }.map(\.1)
    }

    /// The names of all types that the text declares.
    package var typeNames: Set<String> {
        let keywords: Set = ["actor", "class", "enum", "protocol", "struct", "typealias"]
        return Set(lines.indices.flatMap { Self.declared(keywords, code($0)) })
    }

    /// How the API codes JSON, as far as models depend on it.
    package var coding: Coding {
        let words = Set(lines.flatMap(Self.words))
        let isISO = words.isDisjoint(with: ["secondsSince1970", "millisecondsSince1970", "deferredToDate"])
        return Coding(
            keys: words.contains("convertFromSnakeCase") ? .convertFromSnakeCase : .useDefaultKeys,
            dates: isISO ? .iso8601 : .secondsSince1970)
    }

    /// The lines of each member of the only enum `api`; nil if indentation does not tell them.
    private func members(of api: String) -> [Range<Int>]? {
        let starts = lines.indices.filter { Self.declared(["enum"], code($0)).contains(api) }
        guard starts.count == 1, let start = starts.first, code(start).hasSuffix("{"),
            let end = lines.indices[(start + 1)...].first(where: { code($0) == "}" && indent($0) <= indent(start) })
        else { return nil }
        let body = (start + 1..<end).filter { !code($0).isEmpty }
        guard let level = body.first.map(indent), level > indent(start), indent(end) == indent(start) else {
            return nil
        }
        var members: [Range<Int>] = []
        for line in body {
            let code = code(line)
            // What lines do not tell: conditions, and what is in comments and literals of several lines.
            if code.hasPrefix("#") || code.contains("/*") || indent(line) < level { return nil }
            let isStart = indent(line) == level && !")]}".contains(code.prefix(1))
            if isStart, code.hasPrefix("\"\"\"") { return nil }
            let first = isStart ? line : members.popLast()?.lowerBound ?? line
            members.append(first..<line + 1)
        }
        return members
    }

    /// Whether the enum `api` has a case or another member of that name: a word of it outside brackets.
    package func hasMember(_ name: String, of api: String) -> Bool {
        (members(of: api) ?? []).contains { member in
            var depth = 0
            let own = member.map(code).joined(separator: " ").filter { character in
                depth += "([{".contains(character) ? 1 : ")]}".contains(character) ? -1 : 0
                return depth == 0
            }
            return Self.words(own).contains(SwiftNames.quoted(name))
        }
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
        let line = member.lowerBound + (code(member.lowerBound).hasSuffix("{") ? 1 : 0)
        let (text, margin) = (lines[line], String(repeating: " ", count: indent(line)))
        let inner = margin + "    "
        let added = example.printed(indent: inner.utf8.count)
        let starts = ["= [", "{ [", margin + "["].compactMap { text.firstRange(of: $0)?.upperBound }
        guard let start = starts.min() else { return nil }
        let rest = text[start...]
        if rest.isEmpty {
            guard let end = member.first(where: { $0 > line && indent($0) == indent(line) }), end > line + 1,
                code(end).hasPrefix("]")
            else { return nil }
            let last = lines[end - 1]
            let comment = last.firstRange(of: " //").map { last[$0.lowerBound...] } ?? ""
            // It may as well be in a literal.
            if !comment.isEmpty, last.contains("\"") { return nil }
            let element = last.dropLast(comment.count)
            return (end - 1..<end, "\(element)\(element.hasSuffix(",") ? "" : ",")\(comment)\n\(inner)\(added),")
        }
        guard let close = rest.lastIndex(of: "]"), ["]", "] }"].contains(rest[close...]) else { return nil }
        let (before, elements, after) = (text[..<start], rest[..<close], rest[close...])
        let all = "\(before)\(elements)\(elements.isEmpty ? "" : ", ")\(added)\(after)"
        let isShort = elements.isEmpty || all.utf8.count <= SwiftLiteral.lineLength
        return (
            line..<line + 1, isShort ? all : "\(before)\n\(inner)\(elements),\n\(inner)\(added),\n\(margin)\(after)"
        )
    }

    /// The last arm of `var endpoint: Endpoint { switch self {...} }`.
    private func edit(arm endpoint: EndpointText, _ member: Range<Int>) -> Edit? {
        let (first, end) = (member.lowerBound + 1, member.upperBound - 2)
        guard first < end, code(first) == "switch self {", code(end) == "}", indent(end) == indent(first),
            !(first..<end).contains(where: { indent($0) == indent(first) && code($0).hasPrefix("default") })
        else { return nil }
        let statements = (first..<end).filter { indent($0) <= indent(first) + 4 }.map(code)
        let usesReturn = statements.contains { $0.hasPrefix("return ") || $0.contains(": return ") }
        return (end..<end, String(endpoint.arm(usesReturn: usesReturn).printed(indent: indent(first)).dropLast()))
    }
}
