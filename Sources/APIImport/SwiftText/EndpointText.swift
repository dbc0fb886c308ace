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
        var lines = comments.map { SwiftLine.comment("import: \($0)", mark: "//") }
        if !documentation.isEmpty { lines.append(.comment(documentation)) }
        if isDeprecated { lines.append("@available(*, deprecated)") }
        return lines + ["case \(declaration)"]
    }

    /// Returns the arm of the switch: `case .popular(let page):`, followed by the endpoint.
    ///
    /// - Parameter usesReturn: Whether the arm is a `return` statement. With many arms, a switch as an expression would
    ///   take long to compile.
    func arm(usesReturn: Bool) -> [SwiftLine] {
        let pattern = SwiftText.call("case .\(name)", values.map { "let \($0.quoted)" })
        let keyword = usesReturn ? "return " : ""
        let endpoint: SwiftText =
            hasFactory
            ? .list("\(keyword).\(method.lowercased())(", arguments, ")")
            : .list("\(keyword)Endpoint(", [.literal(method)] + arguments, ")")
        return ["\(pattern):", .indented([.text(endpoint)])]
    }

    /// Whether `Endpoint` has a function for the request, such as `.get(…)`. Those of methods that only read take no
    /// body.
    private var hasFactory: Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS": body == nil
        case "POST": true
        case "PUT", "PATCH", "DELETE": pages == nil
        default: false
        }
    }

    /// Returns the enum of an API.
    ///
    /// - Parameters:
    ///   - type: The name of the enum.
    ///   - endpoints: The endpoints.
    ///   - usesReturn: Whether the arms of the switch are statements.
    ///   - info: What the endpoints share.
    static func api(_ type: String, _ endpoints: [EndpointText], usesReturn: Bool, info: APIInfoText) -> SwiftLine {
        var lines = endpoints.flatMap(\.caseLines) + ["", info.line]
        // The compiler warns of each use of a deprecated case.
        let usable = endpoints.filter { !$0.isDeprecated }
        let examples = usable.filter(\.isExampleReal).compactMap(\.example)
        let placeholders = usable.filter { !$0.isExampleReal }.compactMap(\.example)
        lines.append("public static let examples: [\(type)] = \(SwiftText.list("[", examples, "]"))")
        if !placeholders.isEmpty {
            lines.append("public static let placeholders: [\(type)] = \(SwiftText.list("[", placeholders, "]"))")
        }
        let arms = endpoints.flatMap { $0.arm(usesReturn: usesReturn) }
        let endpoint = SwiftLine.block("public var endpoint: Endpoint", ["switch self {"] + arms + ["}"])
        return .block("public enum \(type): API", lines + ["", endpoint])
    }

    // MARK: The endpoint

    /// The arguments of the endpoint's function or initializer, after the method.
    private var arguments: [SwiftText] {
        var arguments = [pathText]
        let query = queryTerms
        if !query.isEmpty { arguments.append("query: \(SwiftText.sum(query))") }
        let headers = parameters.filter { $0.place == .header }.map(Self.item)
        if !headers.isEmpty { arguments.append(.list("headers: [", headers, "]")) }
        if let bodyText { arguments.append("body: \(bodyText)") }
        // The response to a HEAD request has no content (RFC 9110, section 9.3.2), so `.head(…)` has no model.
        if method != "HEAD" || body != nil { arguments.append("returns: \(returns)") }
        arguments.append("summary: \(SwiftText.literal(summary))")
        let notes = notes
        if !notes.isEmpty { arguments.append(.list("notes: [", notes, "]")) }
        if let credentials { arguments.append("credentials: \(credentials.list)") }
        if let pages { arguments.append("pages: \(pages)") }
        if let sample { arguments.append("sample: \(sample)") }
        return arguments
    }

    /// The notes of the parameters: `"page": "from 1"`, or `0: "a pet's id"` for a value without a label.
    private var notes: [SwiftText] {
        values.enumerated().compactMap { position, parameter in
            if parameter.note.isEmpty { return nil }
            let name = parameter.hasLabel ? SwiftLiteral.string(parameter.name) : "\(position)"
            return "\(name): \(SwiftText.literal(parameter.note))"
        }
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
        let pathParameters = parameters.filter { $0.place == .path }.map { ($0.key, $0) }
        let parametersByKey = Dictionary(pathParameters) { first, _ in first }
        let pieces = path.flatMap { piece -> [String] in
            guard piece.isVariable else { return Self.literalPieces(piece.text) }
            guard let parameter = parametersByKey[piece.text] else { return Self.literalPieces("{\(piece.text)}") }
            return [Self.interpolation(parameter)]
        }
        return .pieces(pieces)
    }

    /// Returns the pieces of a string literal for fixed text of a path.
    private static func literalPieces(_ text: String) -> [String] {
        SwiftLiteral.pieces(ofPath: ImportedRequest.pathText(text))
    }

    /// Returns the interpolation of a parameter in a path: `\(id)`, or `\(kind.rawValue)` for an enum.
    private static func interpolation(_ parameter: Parameter) -> String {
        let name = parameter.quoted
        switch parameter.type {
        case .model: return "\\(\(name).rawValue)"
        case .array: return "\\(\(text(parameter.type, name)))"
        default: return parameter.style == .segments ? "\\(segments: \(name))" : "\\(\(name))"
        }
    }

    /// The terms of the endpoint's query, whose sum is the query.
    ///
    /// | Parameters | Term |
    /// |---|---|
    /// | scalars, and lists with an item for each element | `["page": page]` |
    /// | lists with positions | `Endpoint.Query.indexed(["ids": ids])` |
    /// | a structure with a field for each item | `Endpoint.Query(query)` |
    private var queryTerms: [SwiftText] {
        let parameters = parameters.filter { $0.place == .query && !$0.isInQuery }
        let structures = parameters.filter { $0.style == .fields }
        let literals = queryLiterals(parameters.filter { $0.style != .fields }, areAlone: structures.isEmpty)
        // The structure that holds the many parameters of a long query has no key, and comes first.
        let ordered = structures.filter(\.key.isEmpty) + structures.filter { !$0.key.isEmpty }
        return literals + ordered.map { "Endpoint.Query(\($0.quoted))" }
    }

    /// Returns the dictionary literals with query items: one without positions, and one with positions.
    ///
    /// All items are in the literal with positions if they can be.
    ///
    /// - Parameters:
    ///   - items: The parameters that are items.
    ///   - areAlone: Whether the query has no other terms. A term beside others has to name its type.
    private func queryLiterals(_ items: [Parameter], areAlone: Bool) -> [SwiftText] {
        let hasPositions = items.contains { $0.style == .indexed }
        if hasPositions, items.allSatisfy(Self.canBeIndexed) { return [Self.indexedLiteral(items, isAlone: areAlone)] }
        let plain = items.filter { $0.style != .indexed }
        let indexed = items.filter { $0.style == .indexed }
        var literals: [SwiftText] = []
        if !plain.isEmpty { literals.append(.list("[", plain.map(Self.item), "]")) }
        if !indexed.isEmpty { literals.append(Self.indexedLiteral(indexed, isAlone: areAlone && plain.isEmpty)) }
        return literals
    }

    /// Returns the literal of items whose lists have positions: `.indexed(["ids": ids])`.
    private static func indexedLiteral(_ items: [Parameter], isAlone: Bool) -> SwiftText {
        .list(isAlone ? ".indexed([" : "Endpoint.Query.indexed([", items.map(item), "])")
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
    private static func item(_ parameter: Parameter) -> SwiftText {
        let value = parameter.constant ?? "\(value(of: parameter))"
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
        let bodyParameters = parameters.filter { $0.place == .body }
        switch body {
        case nil: return nil
        case .expression(let text): return text
        case .object: return Self.dictionary(".object([", bodyParameters)
        case .form: return Self.dictionary(".form([", bodyParameters)
        case .whole(let encoding):
            guard let parameter = bodyParameters.last else { return nil }
            if !parameter.isOptional { return "\(encoding.expression(parameter.name))" }
            return "\(parameter.name).map { Body\(encoding.expression("$0")) }"
        case .fields(let formats): return Self.fields(of: bodyParameters.last, formats)?.form
        case .parts(let formats): return Self.fields(of: bodyParameters.last, formats)?.multipart
        }
    }

    /// Returns a call with a dictionary literal of parameters: `.form(["a": a])`, or `.form([:])` without parameters.
    private static func dictionary(_ start: String, _ parameters: [Parameter]) -> SwiftText {
        .list(start, parameters.isEmpty ? [":"] : parameters.map(item), "])")
    }

    /// Returns the writer of the fields of a parameter's model; nil if there is no model.
    private static func fields(of parameter: Parameter?, _ formats: [String: FieldFormat]) -> BodyFieldsText? {
        guard let parameter, let model = parameter.type.model else { return nil }
        return BodyFieldsText(model, formats, isBodyOptional: parameter.isOptional)
    }
}

extension InferredModel.Property {
    /// Whether the field can be an item of a form or a part of a multipart body: its name fits on a line.
    var isPart: Bool { SwiftLiteral.string(key).count <= EndpointText.longestKey }
}
