import JSONText

/// A file of Swift text with an enum, into which an endpoint is inserted without touching anything else.
package struct SwiftFile {
    private let tokens: SwiftTokens

    /// Nil if the text is not understood.
    package init?(_ text: String) {
        guard let tokens = SwiftTokens(text) else { return nil }
        self.tokens = tokens
    }

    /// The names of all types that the text declares.
    package var typeNames: Set<String> {
        let words: Set = ["actor", "class", "enum", "protocol", "struct", "typealias"]
        return Set(tokens.all.indices.dropFirst().filter { words.contains(tokens[$0 - 1]) }.map { tokens[$0] })
    }

    /// How the API codes JSON, as far as models depend on it.
    package var coding: Coding {
        let words = Set(tokens.all.map(\.text))
        let isISO = words.isDisjoint(with: ["secondsSince1970", "millisecondsSince1970", "deferredToDate"])
        return Coding(
            keys: words.contains("convertFromSnakeCase") ? .convertFromSnakeCase : .useDefaultKeys,
            dates: isISO ? .iso8601 : .secondsSince1970)
    }

    /// The text with a case, an example and an arm of the switch in the `endpoint` of an API; nil if it is not sure where they belong.
    ///
    /// - Parameters:
    ///   - case: `popular(page: Int?)`, without `case`.
    ///   - example: `.popular(page: 1)`.
    ///   - arm: `case .popular(let page):` and the lines after it, indented from there.
    package func inserting(case: String, example: String, arm: String, into api: String) -> String? {
        let found = tokens.all.indices.filter { tokens[$0] == "enum" && tokens[$0 + 1] == api }
        guard found.count == 1, let body = opening("{", from: found[0]) else { return nil }
        let members = tokens.members(of: body)
        guard !members.contains(where: { tokens[$0].hasPrefix("#") }) else { return nil }
        guard let caseEdit = caseEdit(`case`, body, members), let exampleEdits = exampleEdits(example, members),
            let armEdit = armEdit(arm, members)
        else { return nil }
        let edits = (caseEdit + exampleEdits + armEdit).enumerated()
            .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
        var bytes = tokens.bytes
        for (_, edit) in edits.reversed() { bytes.insert(contentsOf: edit.text.utf8, at: edit.offset) }
        let text = String(decoding: bytes, as: UTF8.self)
        return SwiftTokens(text) == nil ? nil : text
    }

    private struct Edit {
        let offset: Int
        let text: String
    }

    /// The first such bracket from a token on, not in others.
    private func opening(_ bracket: String, from start: Int) -> Int? {
        var index = start
        while tokens[index] != bracket {
            guard index < tokens.all.count, tokens[index] != "}" else { return nil }
            index = (tokens.closing[index] ?? index) + 1
        }
        return index
    }

    private func declaration(_ name: String, in members: [Int]) -> Int? {
        members.first { tokens[$0] == name && ["var", "let"].contains(tokens[$0 - 1]) }
    }

    /// A line after that of the last case.
    private func caseEdit(_ text: String, _ body: Int, _ members: [Int]) -> [Edit]? {
        guard let last = members.last(where: { tokens[$0] == "case" }), let close = tokens.closing[body] else {
            return nil
        }
        var end = last + 1
        while true {
            if tokens[end + 1] == "(" { end = tokens.closing[end + 1] ?? end }
            guard tokens[end + 1] == "," else { break }
            end += 2
        }
        let line = tokens.line(of: end)
        guard tokens.line(of: last).lowerBound > tokens.all[body].range.lowerBound,
            line.upperBound < tokens.all[close].range.lowerBound, end + 1 == close || isAfter(end + 1, line)
        else { return nil }
        return [Edit(offset: line.upperBound, text: "\n\(tokens.indent(of: last))case \(text)")]
    }

    private func isAfter(_ index: Int, _ line: Range<Int>) -> Bool {
        tokens.all[index].range.lowerBound > line.upperBound
    }

    /// Another element of `static let examples: [API] = [...]`, or of `static var examples: [API] { [...] }`.
    private func exampleEdits(_ text: String, _ members: [Int]) -> [Edit]? {
        guard let name = declaration("examples", in: members), tokens[name + 1] == ":", tokens[name + 2] == "[",
            let type = tokens.closing[name + 2], ["=", "{"].contains(tokens[type + 1]), tokens[type + 2] == "[",
            let close = tokens.closing[type + 2]
        else { return nil }
        let (open, last) = (type + 2, close - 1)
        let end = tokens.all[last].range.upperBound
        let hasComma = tokens[last] == ","
        if open == last { return [Edit(offset: end, text: text)] }
        let indent = tokens.indent(of: open)
        if isAfter(open + 1, tokens.line(of: open)) {
            let line = tokens.line(of: last)
            guard isAfter(close, line) else { return nil }
            return (hasComma ? [] : [Edit(offset: end, text: ",")])
                + [Edit(offset: line.upperBound, text: "\n\(tokens.indent(of: open + 1))\(text),")]
        }
        let line = tokens.line(of: open)
        guard line == tokens.line(of: close), !hasComma else { return nil }
        if line.count + text.utf8.count + 2 <= SwiftLiteral.lineLength { return [Edit(offset: end, text: ", " + text)] }
        return [
            Edit(offset: tokens.all[open].range.upperBound, text: "\n\(indent)    "),
            Edit(offset: end, text: ",\n\(indent)    \(text),\n\(indent)"),
        ]
    }

    /// The last arm of `var endpoint: Endpoint { switch self {...} }`.
    private func armEdit(_ text: String, _ members: [Int]) -> [Edit]? {
        guard let name = declaration("endpoint", in: members), let body = opening("{", from: name),
            tokens[body + 1] == "switch", tokens[body + 2] == "self", tokens[body + 3] == "{",
            let close = tokens.closing[body + 3], tokens.closing[body] == close + 1,
            !tokens.members(of: body + 3).contains(where: { tokens[$0] == "default" || tokens[$0].hasPrefix("#") })
        else { return nil }
        let indent = tokens.indent(of: close)
        let start = tokens.line(of: close).lowerBound
        guard start + indent.utf8.count == tokens.all[close].range.lowerBound else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : indent + $0 }
        return [Edit(offset: start, text: lines.joined(separator: "\n") + "\n")]
    }
}
