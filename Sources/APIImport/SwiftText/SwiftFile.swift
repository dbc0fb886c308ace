import EndpointKit

/// Inserts endpoints into the enum of an API in a file of Swift.
///
/// The file is not parsed. It is read by its lines and their indentation, as `swift format` lays them out:
/// - The enum starts with a line such as `public enum Movies: API {` and ends with the next line `}` of the same
///   indentation. Its members are indented by four blanks more.
/// - `static let examples: [Movies] = [` is closed at the end of the same line, or by a line `]` after a comma.
/// - `var endpoint: Endpoint {` holds one `switch self {`, in which no arm matches everything.
///
/// Nothing is inserted into an enum that is laid out in another way.
package struct SwiftFile {
    private let lines: [String]

    package init(_ text: String) { lines = text.parts(at: "\n") }

    // MARK: What the file declares

    /// The names of the enums that conform to `API` in their declaration.
    package var apis: [String] { lines.compactMap(Self.apiName) }

    /// Returns the name of the API that a line declares: `public enum Movies: API {` → `Movies`; nil for another line.
    private static func apiName(_ line: String) -> String? {
        guard line.hasSuffix("{"), let colon = line.firstIndex(of: ":") else { return nil }
        let words = words(line[..<colon])
        guard let name = declaredType(line), words.last == name, words.dropLast().last == "enum" else { return nil }
        let protocols = line[colon...].dropFirst().dropLast().split(separator: ",")
        let names = protocols.map { $0.split(separator: " ").joined() }
        return names.contains("API") || names.contains("EndpointKit.API") ? name : nil
    }

    /// Returns the name of the type that a line declares: `public struct Movie {` → `Movie`.
    ///
    /// - Returns: The name; nil if the line is a comment, or if it has no keyword such as `struct`.
    private static func declaredType(_ line: String) -> String? {
        let isComment = line.first { $0 != " " } == "/"
        if isComment { return nil }
        let keywords: Set = ["actor", "class", "enum", "protocol", "struct", "typealias"]
        let words = words(line)
        guard let keyword = words.firstIndex(where: keywords.contains) else { return nil }
        return words[(keyword + 1)...].first
    }

    /// Returns the words of a text. A name in backticks keeps the backticks.
    ///
    /// `public enum Movies` → `["public", "enum", "Movies"]`
    private static func words(_ text: some StringProtocol) -> [String] {
        let words = String(text).utf8.split { byte in
            let isWordByte = byte.isLetterOrDigit || "_`".utf8.contains(byte) || byte >= 0x80
            return !isWordByte
        }
        return words.map { String(Substring($0)) }
    }

    /// Returns the names of the types that the file declares.
    ///
    /// - Parameter includesNested: Whether types that are declared in another type count. Their lines are indented.
    package func typeNames(includesNested: Bool) -> Set<String> {
        Set(lines.filter { includesNested || !$0.hasPrefix(" ") }.compactMap(Self.declaredType))
    }

    /// The coding of keys and dates that the file names, such as `convertFromSnakeCase`.
    ///
    /// All codings of dates as numbers are the same here, because only texts can look like dates.
    package var coding: Coding {
        func contains(_ word: String) -> Bool { lines.contains { $0.firstRange(of: word) != nil } }
        let datesAreNumbers = ["secondsSince1970", "millisecondsSince1970", "deferredToDate"].contains(where: contains)
        return Coding(
            keys: contains("convertFromSnakeCase") ? .convertFromSnakeCase : .useDefaultKeys,
            dates: datesAreNumbers ? .secondsSince1970 : .iso8601)
    }

    /// Returns the lines inside of the enum `api`, or the whole text if the enum has another layout.
    package func text(of api: String) -> String {
        guard let apiEnum = Enum(api, in: lines) else { return lines.joined(separator: "\n") }
        return lines[apiEnum.body].joined(separator: "\n")
    }

    /// Whether the enum `api` has a case or another member of that name.
    package func hasMember(_ name: String, of api: String) -> Bool {
        guard let apiEnum = Enum(api, in: lines) else { return false }
        return lines[apiEnum.body].contains { line in
            // The lines inside of a member are indented more.
            let isMember = line.hasPrefix(apiEnum.margin) && line.dropFirst(apiEnum.margin.count).first != " "
            guard isMember else { return false }
            let head = line.prefix { !"(=:{".contains($0) }
            return Self.words(head).contains(SwiftNames.identifier(name))
        }
    }

    // MARK: Inserting

    /// An enum of an API in the lines of a file.
    private struct Enum {
        let name: String
        /// The lines between the one that opens the enum and the one that closes it.
        let body: Range<Int>
        /// The blanks before each member.
        let margin: String

        /// Finds the enum; nil if there is not exactly one of that name, or if it has no end.
        init?(_ name: String, in lines: [String]) {
            let starts = lines.indices.filter { SwiftFile.apiName(lines[$0]) == name }
            guard starts.count == 1, let start = starts.first else { return nil }
            let blanks = String(lines[start].prefix { $0 == " " })
            guard let end = lines[start...].firstIndex(of: blanks + "}") else { return nil }
            self.name = name
            body = start + 1..<end
            margin = blanks + "    "
        }
    }

    /// A change of the file: lines that take the place of others, or that are inserted before one.
    private struct Edit {
        let replaced: Range<Int>
        let lines: [String]

        init(replacing replaced: Range<Int>, by lines: [String]) {
            self.replaced = replaced
            self.lines = lines
        }

        /// Inserts a text, which may have several lines, before the line with an index.
        init(before index: Int, text: String) { self.init(replacing: index..<index, by: [text]) }
    }

    /// Returns the text of the file with an endpoint in the enum `api`; nil if the enum has another layout.
    package func inserting(_ endpoint: ImportedEndpoint, into api: String) -> String? {
        inserting(endpoint.text, into: api)
    }

    /// Returns the text of the file with the case, the example and the arm of an endpoint in the enum `api`.
    ///
    /// - Returns: The text; nil if the enum is not laid out as `swift format` does it, or if it has conditions (`#if`).
    func inserting(_ endpoint: EndpointText, into api: String) -> String? {
        guard let apiEnum = Enum(api, in: lines) else { return nil }
        // The edits might fall between `#if` and `#endif`, so that the endpoint would be compiled only sometimes.
        let hasCondition = lines[apiEnum.body].contains { $0.drop { $0 == " " }.hasPrefix("#if") }
        if hasCondition { return nil }
        guard let newCase = editAddingCase(endpoint, to: apiEnum), let arm = editAddingArm(endpoint, to: apiEnum)
        else { return nil }
        var edits = [newCase, arm]
        if let example = endpoint.example {
            guard let call = editAddingCall(example, to: apiEnum, isExample: endpoint.isExampleReal) else {
                return nil
            }
            edits.append(call)
        }
        // The last edit comes first, so that no edit moves the lines of another.
        var editedLines = lines
        for edit in edits.sorted(by: { $0.replaced.lowerBound > $1.replaced.lowerBound }) {
            editedLines.replaceSubrange(edit.replaced, with: edit.lines)
        }
        return editedLines.joined(separator: "\n")
    }

    /// Returns the edit that adds a case after the last one; nil if the enum has no case.
    private func editAddingCase(_ endpoint: EndpointText, to apiEnum: Enum) -> Edit? {
        let margin = apiEnum.margin
        let lastCaseIndex = apiEnum.body.last { lines[$0].hasPrefix(margin + "case ") }
        guard let lastCaseIndex else { return nil }
        // A case with many values goes on in lines that are indented more, and may end with a bracket.
        let indexAfterCase = apiEnum.body[(lastCaseIndex + 1)...].first { index in
            !lines[index].hasPrefix(margin + " ") && !lines[index].hasPrefix(margin + ")")
        }
        let text = endpoint.caseLines.printed(indent: margin.count)
        // The text ends with a line break, which the file gets when its lines are joined.
        return Edit(before: indexAfterCase ?? apiEnum.body.upperBound, text: String(text.dropLast()))
    }

    /// Returns the edit that adds a value such as `.get(id: 1)` to `examples` or to `placeholders`.
    ///
    /// The list `placeholders` has values that are not sent. It is added if the enum has none.
    ///
    /// - Parameters:
    ///   - call: The value, which is a call of the endpoint.
    ///   - apiEnum: The enum of the API.
    ///   - isExample: Whether the value belongs to `examples`, which a check sends.
    /// - Returns: The edit; nil if the lists of the enum have another layout.
    private func editAddingCall(_ call: SwiftText, to apiEnum: Enum, isExample: Bool) -> Edit? {
        if isExample { return editAdding(call, toList: "examples", of: apiEnum) }
        return editAdding(call, toList: "placeholders", of: apiEnum) ?? editAddingPlaceholders(call, to: apiEnum)
    }

    /// Returns the edit that adds the line `static let placeholders: [Movies] = [.get(id: 1)]` before `examples`.
    ///
    /// - Returns: The edit; nil if there is no `examples`, from which the line gets its modifiers.
    private func editAddingPlaceholders(_ example: SwiftText, to apiEnum: Enum) -> Edit? {
        let examplesIndex = apiEnum.body.first { index in
            lines[index].firstRange(of: "static let examples: [\(apiEnum.name)] = [") != nil
        }
        guard let examplesIndex else { return nil }
        let examplesLine = lines[examplesIndex]
        guard let keyword = examplesLine.firstRange(of: "static let ") else { return nil }
        // `public ` or nothing
        let modifiers = examplesLine[..<keyword.lowerBound].drop { $0 == " " }
        let list = SwiftText.list("[", [example], "]")
        let line = SwiftLine.text("\(String(modifiers))static let placeholders: [\(apiEnum.name)] = \(list)")
        let text = [line].printed(indent: apiEnum.margin.count)
        // The text ends with a line break, which the file gets when its lines are joined.
        return Edit(before: examplesIndex, text: String(text.dropLast()))
    }

    /// Returns the edit that adds an element to a list of calls: `examples` or `placeholders`.
    ///
    /// A list whose opening bracket ends the line has several lines, and gets another one before `]`. A list on one
    /// line gets the element at its end: `[.list]` → `[.list, .get(id: 1)]`.
    ///
    /// - Returns: The edit; nil if the list is not found, or has another layout.
    private func editAdding(_ call: SwiftText, toList list: String, of apiEnum: Enum) -> Edit? {
        let opening = "static let \(list): [\(apiEnum.name)] = ["
        let start = apiEnum.body.first { index in
            lines[index].hasPrefix(apiEnum.margin) && lines[index].firstRange(of: opening) != nil
        }
        guard let start, let bracket = lines[start].firstRange(of: opening)?.upperBound else { return nil }
        if bracket == lines[start].endIndex { return editAdding(call, toLinesFrom: start, of: apiEnum) }
        return editAdding(call, toLine: start, afterBracket: bracket, margin: apiEnum.margin)
    }

    /// Returns the edit that adds an element to a list of several lines, before the line `]`.
    ///
    /// - Returns: The edit; nil if there is no line `]`, or if the line before it has no comma at its end.
    private func editAdding(_ call: SwiftText, toLinesFrom start: Int, of apiEnum: Enum) -> Edit? {
        let closeIndex = lines[start..<apiEnum.body.upperBound].firstIndex(of: apiEnum.margin + "]")
        guard let closeIndex else { return nil }
        let isEmpty = closeIndex == start + 1
        guard isEmpty || lines[closeIndex - 1].hasSuffix(",") else { return nil }
        return Edit(before: closeIndex, text: Self.elementLine(call, margin: apiEnum.margin))
    }

    /// Returns the edit that adds an element to a list on one line: `[.list]` → `[.list, .get(id: 1)]`.
    ///
    /// If the line would be too long, the old elements get a line of their own, and the new element the next one.
    ///
    /// - Parameters:
    ///   - call: The element to add, such as `.get(id: 1)`.
    ///   - index: The index of the line.
    ///   - bracket: The position after the opening bracket.
    ///   - margin: The blanks before the line.
    /// - Returns: The edit; nil if the line does not end with the closing bracket, or has a comma before it.
    private func editAdding(
        _ call: SwiftText, toLine index: Int, afterBracket bracket: String.Index, margin: String
    ) -> Edit? {
        guard lines[index].hasSuffix("]") else { return nil }
        let elements = String(lines[index][bracket...].dropLast())
        if elements.hasSuffix(",") { return nil }
        let textUpToBracket = String(lines[index][..<bracket])
        let separator = elements.isEmpty ? "" : ", "
        let longerLine = "\(textUpToBracket)\(elements)\(separator)\(call.line)]"
        if longerLine.count <= SwiftLiteral.lineLength {
            return Edit(replacing: index..<index + 1, by: [longerLine])
        }
        var newLines = [textUpToBracket]
        if !elements.isEmpty { newLines.append("\(margin)    \(elements),") }
        newLines.append(Self.elementLine(call, margin: margin))
        newLines.append(margin + "]")
        return Edit(replacing: index..<index + 1, by: newLines)
    }

    /// Returns the line for an element of a list of several lines, with a comma at its end.
    private static func elementLine(_ call: SwiftText, margin: String) -> String {
        "\(margin)    \(call.printed(indent: margin.utf8.count + 4)),"
    }

    /// Returns the edit that adds an arm to the end of the switch in `var endpoint`.
    ///
    /// - Returns: The edit; nil if there is no such switch, or if it has an arm that matches everything.
    private func editAddingArm(_ endpoint: EndpointText, to apiEnum: Enum) -> Edit? {
        guard let armIndices = findArmIndices(of: apiEnum) else { return nil }
        let armLines = lines[armIndices]
        let margin = String(armLines[armIndices.lowerBound].prefix { $0 == " " })
        // An arm after one that matches everything would never be executed.
        let startsOfCatchAlls = ["default:", "@unknown default:", "case _", "case let "].map { margin + $0 }
        let hasCatchAll = armLines.contains { line in startsOfCatchAlls.contains(where: line.hasPrefix) }
        if hasCatchAll { return nil }
        // If one of the arms is written with `return`, the new one needs it too.
        let usesReturn = armLines.contains { line in
            line.hasPrefix(margin + "    return ") || line.firstRange(of: ": return ") != nil
        }
        let text = endpoint.arm(usesReturn: usesReturn).printed(indent: margin.count)
        // The text ends with a line break, which the file gets when its lines are joined.
        return Edit(before: armIndices.upperBound, text: String(text.dropLast()))
    }

    /// Returns the indices of the lines between `switch self {` and its closing brace in `var endpoint`.
    ///
    /// - Returns: The indices, at least one; nil if the property is not found, if it has more than the switch, or if
    ///   the switch is empty.
    private func findArmIndices(of apiEnum: Enum) -> Range<Int>? {
        let margin = apiEnum.margin
        let propertyIndex = apiEnum.body.first { index in
            lines[index].hasPrefix(margin) && lines[index].hasSuffix("var endpoint: Endpoint {")
        }
        guard let propertyIndex, lines[propertyIndex + 1] == margin + "    switch self {" else { return nil }
        let firstIndex = propertyIndex + 2
        let closeIndex = lines[firstIndex..<apiEnum.body.upperBound].firstIndex(of: margin + "    }")
        guard let closeIndex, lines[closeIndex + 1] == margin + "}", firstIndex < closeIndex else { return nil }
        return firstIndex..<closeIndex
    }
}
