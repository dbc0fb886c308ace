import EndpointKit
import EndpointTools
import JSONText

/// The Swift text of an endpoint: a case of an enum, an example of the case, and the arm of the switch that returns the
/// endpoint.
struct EndpointText {
    /// A value of the requests: a parameter of the case, or a constant.
    struct Parameter {
        /// The part of the request that has the value.
        enum Place: String { case path, query, header, body }

        /// How a value that is not a scalar is written.
        enum Style: Equatable { case plain, joined(String), indexed, fields, segments }

        /// The name in requests. For a value of the path, the name of its variable in ``EndpointText/path``.
        let key: String
        let place: Place
        /// The type without null.
        var type: InferredType
        var isOptional = false
        var style = Style.plain
        /// The description of the parameter; empty if there is none.
        var note = ""
        /// An example of the value; nil if there is none.
        var value: JSONValue?
        /// The text of a constant, which is no value of the case; nil for a parameter.
        var constant: SwiftText?
        /// The label of the value in the case.
        var name = ""
        var hasLabel = true
        /// Whether the parameter is a field of the structure that a long query becomes.
        var isInQuery = false
        /// The value in the example of the case; nil if none can be written.
        var example: SwiftText?

        /// The name as an identifier, in backticks if it is a keyword.
        var quoted: String { SwiftNames.quoted(name) }

        /// Returns the label of a parameter whose name has these words: `["page", "size"]` → `pageSize`.
        ///
        /// A name that can't be used gets `Value` at its end: `["self"]` → `selfValue`.
        static func name(_ words: [String]) -> String {
            let name = SwiftNames.memberName(words)
            // Swift 6.3 crashes when it derives `encode(to:)` for a case with a label such as `a0` and a value without
            // a label.
            let isPosition = name.first == "a" && Int(name.dropFirst()) != nil
            return isPosition || SwiftNames.unusableLabels.contains(name) ? name + "Value" : name
        }

        /// Whether the parameter is one value of the request, and neither a constant nor a structure of several values.
        var isOwn: Bool { !key.isEmpty && constant == nil }

        /// Returns a value or a type with the label in front.
        fileprivate func labelled(_ text: SwiftText) -> SwiftText { hasLabel ? "\(name): \(text)" : text }
    }

    typealias Piece = (text: String, isVariable: Bool)

    /// The most characters of a literal with a name. A longer one would take several lines.
    static let longestKey = 70

    /// How the content of requests is written.
    enum Body {
        /// An expression that is written as it is.
        case expression(SwiftText)
        /// The parameters of the body as the members of a JSON object: `.object(["name": name])`.
        case object
        /// The parameters of the body as the items of a form: `.form(["name": name])`.
        case form
        /// The last parameter as a whole.
        case whole(Encoding)
        /// The fields of the last parameter as items of a form, in the formats by their keys.
        case fields([String: FieldFormat])
        /// The fields of the last parameter as parts of a multipart body, in the formats by their keys.
        case parts([String: FieldFormat])

        /// How a value becomes a body.
        enum Encoding {
            case json
            case text(contentType: String)
            case bytes(contentType: String)
            /// A form in which each element of a list is an item.
            case form
            /// A form in which the elements of lists have positions.
            case indexedForm

            /// Returns the expression of the body: `.json(pet)` for `pet`.
            func expression(_ value: String) -> String {
                switch self {
                case .json: ".json(\(value))"
                case .text(let type): ".text(\(value), contentType: \(SwiftLiteral.string(type)))"
                case .bytes(let type): ".data(\(value), contentType: \(SwiftLiteral.string(type)))"
                case .form: ".form(Endpoint.Query(\(value)))"
                case .indexedForm: ".form(.indexed(Endpoint.Query(\(value))))"
                }
            }
        }
    }

    /// The model of a response that is not JSON.
    static let bytes = "RawResponse.self"

    /// The name of the case.
    var name = ""
    let method: String
    /// The fixed texts of the path, and the keys of the parameters between them.
    let path: [Piece]
    var parameters: [Parameter] = []
    var body: Body?
    var returns = ""
    var summary = ""
    /// The comment of the case; empty if the summary says enough.
    var documentation = ""
    /// Whether the API advises against the endpoint.
    var isDeprecated = false
    /// The credentials of the endpoint; nil if they are those of the API.
    var credentials: [Credential]?
    var pages: String?
    var sample: String?
    /// Whether the call may be an example, which a check sends: no value is made up, and the method is safe.
    var isExampleReal = true
    /// Remarks about parts that can't be declared, for people to look at.
    var comments: [String] = []

    // MARK: The case

    /// The associated values.
    private var values: [Parameter] { parameters.filter { $0.constant == nil && !$0.isInQuery } }

    /// `popular(page: Int?)`
    var declaration: SwiftText {
        .call(
            SwiftNames.quoted(name),
            values.map { $0.labelled("\($0.type.text(isOpen: false))\($0.isOptional ? "?" : "")") })
    }

    /// `.popular(page: 1)`; nil if a type has no value.
    var example: SwiftText? {
        let texts = values.compactMap { value in value.example.map(value.labelled) }
        return texts.count == values.count ? .call(".\(name)", texts) : nil
    }

    /// The case, after comments and attributes.
    var caseLines: [SwiftLine] {
        comments.map { .comment("import: \($0)", mark: "//") }
            + (documentation.isEmpty ? [] : [.comment(documentation)])
            + (isDeprecated ? ["@available(*, deprecated)"] : []) + ["case \(declaration)"]
    }

    /// Returns the arm of the switch: `case .popular(let page):`, followed by the endpoint.
    ///
    /// - Parameter usesReturn: Whether the arm is a `return` statement. With many arms, a switch as an expression would
    ///   take long to compile.
    func arm(usesReturn: Bool) -> [SwiftLine] {
        // `.head(…)` takes no body, so a HEAD request with one needs the initializer.
        let isUsual =
            ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].contains(method) || method == "HEAD" && body == nil
        let start = (usesReturn ? "return " : "") + (isUsual ? ".\(method.lowercased())(" : "Endpoint(")
        let pattern = SwiftText.call("case .\(name)", values.map { "let \($0.quoted)" })
        return ["\(pattern):", .indented([.text(.list(start, (isUsual ? [] : [.literal(method)]) + arguments, ")"))])]
    }

    /// Returns the enum of an API.
    ///
    /// - Parameters:
    ///   - type: The name of the enum.
    ///   - endpoints: The endpoints.
    ///   - usesReturn: Whether the arms of the switch are statements.
    ///   - members: The lines between the cases and the examples.
    static func api(_ type: String, _ endpoints: [EndpointText], usesReturn: Bool, members: [SwiftLine]) -> SwiftLine {
        var lines = endpoints.flatMap(\.caseLines) + [""] + members
        // A use of what is deprecated is a warning.
        let shown = endpoints.filter { !$0.isDeprecated }
        for (name, isReal) in [("examples", true), ("signatures", false)] {
            let examples = shown.filter { $0.isExampleReal == isReal }.compactMap(\.example)
            if !isReal, examples.isEmpty { continue }
            lines.append("public static let \(name): [\(type)] = \(SwiftText.list("[", examples, "]"))")
        }
        let arms = endpoints.flatMap { $0.arm(usesReturn: usesReturn) }
        let endpoint = SwiftLine.block("public var endpoint: Endpoint", ["switch self {"] + arms + ["}"])
        return .block("public enum \(type): API", lines + ["", endpoint])
    }

    // MARK: What makes the endpoint

    private var arguments: [SwiftText] {
        let notes = parameters.filter { !$0.isInQuery && !$0.note.isEmpty }.map { one in
            "\"\(one.name)\": \(SwiftText.literal(one.note))" as SwiftText
        }
        let query = query
        let headers = parameters.filter { $0.place == .header }.map(item)
        let all: [SwiftText?] = [
            pathText, query.isEmpty ? nil : "query: \(SwiftText.sum(query))",
            headers.isEmpty ? nil : .list("headers: [", headers, "]"), bodyText.map { "body: \($0)" },
            method == "HEAD" && body == nil ? nil : "returns: \(returns)", "summary: \(SwiftText.literal(summary))",
            notes.isEmpty ? nil : .list("notes: [", notes, "]"), credentials.map { "credentials: \($0.list)" },
            pages.map { "pages: \($0)" }, sample.map { "sample: \($0)" },
        ]
        return all.compactMap(\.self)
    }

    /// Returns the Swift expression that makes text of a value.
    ///
    /// | Type | `value` | Expression |
    /// |---|---|---|
    /// | a string | `name` | `name` |
    /// | an integer | `id` | `"\(id)"` |
    /// | an enum of strings | `sort` | `sort.rawValue` |
    /// | a list of strings | `tags` | `tags.joined(separator: ",")` |
    ///
    /// The expression is optional if the value is: `sort?.rawValue`.
    static func text(
        _ type: InferredType, _ value: String, isOptional: Bool = false, separator: String = ","
    ) -> String {
        let dot = isOptional ? "?." : "."
        let mark = SwiftLiteral.string(separator)
        switch type {
        case .string: return value
        case .array(.string): return "\(value)\(dot)joined(separator: \(mark))"
        case .array(let element): return "\(value)\(dot)map { \(text(element, "$0")) }.joined(separator: \(mark))"
        case .model(let model) where model.jsonKind == .string: return "\(value)\(dot)rawValue"
        case .model: return isOptional ? "\(value).map { \"\\($0.rawValue)\" }" : "\"\\(\(value).rawValue)\""
        default: return isOptional ? "\(value).map { \"\\($0)\" }" : "\"\\(\(value))\""
        }
    }

    /// Returns the expression for a value as text, as ``text(_:_:isOptional:separator:)`` does.
    func text(_ type: InferredType, _ value: String) -> String { Self.text(type, value) }

    /// The string literal of the path, with the parameters interpolated: `"/pets/\(id)"`.
    ///
    /// A variable without a parameter stays as text between braces.
    private var pathText: SwiftText {
        let inPath = parameters.filter { $0.place == .path }.map { ($0.key, $0) }
        let known = Dictionary(inPath) { first, _ in first }
        return .pieces(
            path.flatMap { piece -> [String] in
                guard piece.isVariable, let own = known[piece.text] else {
                    let text = piece.isVariable ? "{\(piece.text)}" : piece.text
                    return SwiftLiteral.pieces(ofPath: ImportedRequest.pathText(text))
                }
                switch own.type {
                case .model: return ["\\(\(own.quoted).rawValue)"]
                case .array: return ["\\(\(Self.text(own.type, own.quoted)))"]
                default: return ["\\(\(own.style == .segments ? "rest: " : "")\(own.quoted))"]
                }
            })
    }

    /// The terms of the endpoint's query: `["page": page]`, `Endpoint.Query.indexed(["ids": ids])` and, for a structure
    /// of fields, `Endpoint.Query(query)`.
    private var query: [SwiftText] {
        let parameters = parameters.filter { $0.place == .query && !$0.isInQuery }
        let items = parameters.filter { $0.style != .fields }
        let hasIndexed = items.contains { $0.style == .indexed }
        let areInOneLiteral = hasIndexed && items.allSatisfy(Self.canBeIndexed)
        let plainItems = areInOneLiteral ? [] : items.filter { $0.style != .indexed }
        let indexedItems = areInOneLiteral ? items : items.filter { $0.style == .indexed }
        // The structure that holds the many parameters of a long query has no key, and comes first.
        let structures = parameters.filter { $0.style == .fields }.sorted { $0.key.isEmpty && !$1.key.isEmpty }
        var terms: [SwiftText] = []
        if !plainItems.isEmpty { terms.append(.list("[", plainItems.map(item), "]")) }
        if !indexedItems.isEmpty {
            // A term beside others has to name its type.
            let isAlone = plainItems.isEmpty && structures.isEmpty
            terms.append(.list(isAlone ? ".indexed([" : "Endpoint.Query.indexed([", indexedItems.map(item), "])"))
        }
        return terms + structures.map { "Endpoint.Query(\($0.quoted))" }
    }

    /// Whether a parameter can stand in a literal whose lists get positions: `.indexed(["page": page, "ids": ids])`.
    ///
    /// Only lists get positions, so a scalar can. A list with an item for each element can't.
    private static func canBeIndexed(_ parameter: Parameter) -> Bool {
        if parameter.style == .indexed { return true }
        if case .array = parameter.type { return parameter.style != .plain }
        return parameter.type.isScalar
    }

    /// Returns the element of a dictionary literal for a query item, a header or a field of a form: `"key": value`.
    private func item(_ parameter: Parameter) -> SwiftText {
        let value = parameter.constant ?? "\(Self.value(of: parameter))"
        return "\(SwiftLiteral.string(parameter.key)): \(value)"
    }

    /// Returns the expression of a parameter's value in a dictionary literal.
    ///
    /// The value of a header is made into text: `"\(id)"`. A list in a single item is joined: `tags.joined(by: ",")`.
    private static func value(of parameter: Parameter) -> String {
        let type = parameter.type
        let name = parameter.quoted
        let isOptional = parameter.isOptional
        switch (parameter.place, parameter.style) {
        case (.header, .joined(let separator)): return text(type, name, isOptional: isOptional, separator: separator)
        case (.header, _): return text(type, name, isOptional: isOptional)
        case (_, .joined(let separator)): return joined(type, name, isOptional: isOptional, by: separator)
        default: return name
        }
    }

    /// Returns the expression of a list as one item: `tags?.joined(by: ",")`.
    ///
    /// A list of enum values takes their texts first: `kinds.map(\.rawValue).joined(by: ",")`.
    static func joined(_ type: InferredType, _ value: String, isOptional: Bool, by separator: String) -> String {
        let isListed = if case .array(let element) = type { element.model?.isListed == true } else { false }
        let texts = (isOptional ? "?" : "") + (isListed ? ".map(\\.rawValue)" : "")
        return "\(value)\(texts).joined(by: \(SwiftLiteral.string(separator)))"
    }

    /// The expression of the body; nil if there is none, if the body has no parameter, or if it needs a model and
    /// its type has none.
    ///
    /// | `body` | Expression |
    /// |---|---|
    /// | `expression` | the expression as it is |
    /// | `object`, `form` | the parameters by their keys: `.form(["a": a])` |
    /// | `whole` | the parameter: `.json(body)`; if it may be nil, `body.map { Body.json($0) }` |
    /// | `fields` | the fields of the parameter's model, as a form |
    /// | `parts` | the fields of the parameter's model, as a multipart body |
    private var bodyText: SwiftText? {
        let own = parameters.filter { $0.place == .body }
        switch (body, own.last) {
        case (.expression(let text), _): return text
        case (.object, _): return .list(".object([", own.isEmpty ? [":"] : own.map(item), "])")
        case (.form, _): return .list(".form([", own.isEmpty ? [":"] : own.map(item), "])")
        case (.whole(let encoding), let one?):
            if !one.isOptional { return "\(encoding.expression(one.name))" }
            return "\(one.name).map { Body\(encoding.expression("$0")) }"
        case (.fields(let formats), let one?):
            return one.type.model.map { BodyFieldsText($0, formats, isBodyOptional: one.isOptional).form }
        case (.parts(let formats), let one?):
            return one.type.model.map { BodyFieldsText($0, formats, isBodyOptional: one.isOptional).multipart }
        default: return nil
        }
    }
}

extension InferredModel.Property {
    /// Whether the field can be an item of a form or a part of a multipart body: its name fits on a line.
    var isPart: Bool { SwiftLiteral.string(key).count <= EndpointText.longestKey }
}
