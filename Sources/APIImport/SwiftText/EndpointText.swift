import EndpointKit
import EndpointTools
import JSONText

/// The Swift text of an endpoint: a case of an enum, an example of the case, and the arm of the switch that returns the
/// endpoint.
///
///     case get(id: Int)                                         // declaration
///     .get(id: 1)                                               // example
///     case .get(let id): .get("/pets/\(id)", returns: Pet.self)  // arm
struct EndpointText {
    /// A value of the requests: a parameter of the case, or a constant.
    struct Parameter {
        /// The part of the request that has the value.
        enum Place: String { case path, query, header, body }

        /// How the value is written, as in the styles of OpenAPI parameters.
        enum Style: Equatable {
            /// As it is; a list in the query as one item for each element: `id=1&id=2`.
            case plain
            /// A list as one text, with this separator: `ids=1,2`.
            case joined(String)
            /// A list or object as items with positions or keys in brackets: `ids[0]=1&ids[1]=2`.
            case indexed
            /// A structure as one item for each field: `page=1&size=20`.
            case fields
            /// A text that may span several segments of the path: `a/b`.
            case segments
        }

        /// The name in requests. For a value of the path, the name of its variable in ``EndpointText/path``. Empty for
        /// a structure that holds the whole body or the many parameters of a query.
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
        var isQueryField = false
        /// The value in the example of the case; nil if none can be written.
        var example: SwiftText?

        /// The name as an identifier, in backticks if it is a keyword.
        var identifier: String { SwiftNames.identifier(name) }

        /// Returns the label of a parameter whose name has these words: `["page", "size"]` → `pageSize`.
        ///
        /// A name that Swift does not accept as a label gets `Value` at its end: `["self"]` → `selfValue`.
        static func label(of words: [String]) -> String {
            let name = SwiftNames.memberName(words)
            // Swift 6.3 crashes when it derives `encode(to:)` for a case with a label such as `a0` and a value without
            // a label.
            let crashesCompiler = name.first == "a" && Int(name.dropFirst()) != nil
            let isUnusable = crashesCompiler || SwiftNames.unusableLabels.contains(name)
            return isUnusable ? name + "Value" : name
        }

        /// Whether the parameter is one value of the request, and neither a constant nor a structure of several values.
        var isSingleValue: Bool { !key.isEmpty && constant == nil }

        /// Returns a value or a type with the label in front: `page: 1`.
        fileprivate func labelled(_ text: SwiftText) -> SwiftText { hasLabel ? "\(name): \(text)" : text }
    }

    /// A part of a path: fixed text, or the key of a parameter.
    typealias Piece = (text: String, isVariable: Bool)

    /// The most characters of a literal with the key of a parameter. A longer one would not fit on a line.
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

    /// The parameters that are associated values of the case.
    private var values: [Parameter] { parameters.filter { $0.constant == nil && !$0.isQueryField } }

    /// The case without its keyword: `popular(page: Int?)`.
    var declaration: SwiftText {
        let types = values.map { value in
            let type = value.type.text(isOpen: false) + (value.isOptional ? "?" : "")
            return value.labelled("\(type)")
        }
        return .call(SwiftNames.identifier(name), types)
    }

    /// The value in the list of examples: `.popular(page: 1)`; nil if a parameter has no example.
    var example: SwiftText? {
        var arguments: [SwiftText] = []
        for value in values {
            guard let example = value.example else { return nil }
            arguments.append(value.labelled(example))
        }
        return .call(".\(name)", arguments)
    }

    /// The lines that declare the case, with its comments and attributes.
    var caseLines: [SwiftLine] {
        var lines = comments.map { SwiftLine.comment("import: \($0)", mark: "//") }
        if !documentation.isEmpty { lines.append(.comment(documentation)) }
        if isDeprecated { lines.append("@available(*, deprecated)") }
        return lines + ["case \(declaration)"]
    }

    /// Returns the arm of the switch: the line `case .popular(let page):`, and a line with the endpoint such as
    /// `.get("/popular", query: ["page": page], returns: [Movie].self)`.
    ///
    /// A method without a function of its own is written as `Endpoint("PURGE", …)`.
    ///
    /// - Parameter usesReturn: Whether the arm is a `return` statement. With many arms, a switch as an expression would
    ///   take long to compile.
    func arm(usesReturn: Bool) -> [SwiftLine] {
        let pattern = SwiftText.call("case .\(name)", values.map { "let \($0.identifier)" })
        let keyword = usesReturn ? "return " : ""
        let endpoint: SwiftText
        if hasFactory {
            endpoint = .list("\(keyword).\(method.lowercased())(", arguments, ")")
        } else {
            endpoint = .list("\(keyword)Endpoint(", [.literal(method)] + arguments, ")")
        }
        return ["\(pattern):", .indented([.text(endpoint)])]
    }

    /// Whether `Endpoint` has a function for the request, such as `.get(…)`.
    ///
    /// Functions such as `.get` have no parameter for a body, and functions such as `.put` have none for pages.
    private var hasFactory: Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS": body == nil
        case "POST": true
        case "PUT", "PATCH", "DELETE": pages == nil
        default: false
        }
    }

    /// Returns the declaration of an API's enum: `public enum Movies: API { … }`.
    ///
    /// The enum has the cases, the property `api`, the examples, and the property `endpoint` with an arm for each
    /// case. Calls with made-up values, and calls that change something, are listed in `placeholders`, because a check
    /// sends all `examples`.
    ///
    /// - Parameters:
    ///   - type: The name of the enum.
    ///   - endpoints: The endpoints, each of which becomes a case.
    ///   - usesReturn: Whether the arms of the switch are `return` statements.
    ///   - info: The name, the servers and everything else that the endpoints share.
    static func apiDeclaration(
        named type: String, endpoints: [EndpointText], usesReturn: Bool, info: APIInfoText
    ) -> SwiftLine {
        var lines = endpoints.flatMap(\.caseLines) + ["", info.line]
        // The compiler would warn of a deprecated case in the examples.
        let currentEndpoints = endpoints.filter { !$0.isDeprecated }
        let examples = currentEndpoints.filter(\.isExampleReal).compactMap(\.example)
        let placeholders = currentEndpoints.filter { !$0.isExampleReal }.compactMap(\.example)
        lines.append("public static let examples: [\(type)] = \(SwiftText.list("[", examples, "]"))")
        if !placeholders.isEmpty {
            lines.append("public static let placeholders: [\(type)] = \(SwiftText.list("[", placeholders, "]"))")
        }
        let arms = endpoints.flatMap { $0.arm(usesReturn: usesReturn) }
        let endpoint = SwiftLine.block("public var endpoint: Endpoint", ["switch self {"] + arms + ["}"])
        return .block("public enum \(type): API", lines + ["", endpoint])
    }

    // MARK: The endpoint

    /// The arguments that describe the endpoint: its path, its query, its headers, and so on.
    ///
    /// Arguments that the endpoint does not need are left out.
    private var arguments: [SwiftText] {
        var arguments = [pathText]
        let terms = queryTerms
        if !terms.isEmpty { arguments.append("query: \(SwiftText.sum(terms))") }
        let headers = parameters.filter { $0.place == .header }.map(Self.dictionaryElement)
        if !headers.isEmpty { arguments.append(.list("headers: [", headers, "]")) }
        if let bodyText { arguments.append("body: \(bodyText)") }
        // The response to a HEAD request has no content (RFC 9110, section 9.3.2), so `.head(…)` has no model.
        if method != "HEAD" || body != nil { arguments.append("returns: \(returns)") }
        arguments.append("summary: \(SwiftText.literal(summary))")
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

    /// Returns the Swift expression that converts a value to a string.
    ///
    /// | Type | `value` | Result |
    /// |---|---|---|
    /// | a string | `name` | `name` |
    /// | an integer | `id` | `"\(id)"` |
    /// | an enum of strings | `sort` | `sort.rawValue` |
    /// | an enum of integers | `level` | `"\(level.rawValue)"` |
    /// | a list of strings | `tags` | `tags.joined(separator: ",")` |
    /// | a list of integers | `ids` | `ids.map { "\($0)" }.joined(separator: ",")` |
    ///
    /// - Parameters:
    ///   - value: The expression of the value.
    ///   - type: The type of the value.
    ///   - isOptional: Whether the value may be nil. The result is then optional too: `sort?.rawValue`.
    ///   - separator: The text between the elements of a list.
    static func stringExpression(
        for value: String, of type: InferredType, isOptional: Bool = false, separator: String = ","
    ) -> String {
        let dot = isOptional ? "?." : "."
        let separatorLiteral = SwiftLiteral.string(separator)
        switch type {
        case .string:
            return value
        case .array(.string):
            return "\(value)\(dot)joined(separator: \(separatorLiteral))"
        case .array(let element):
            let elementString = stringExpression(for: "$0", of: element)
            return "\(value)\(dot)map { \(elementString) }.joined(separator: \(separatorLiteral))"
        case .model(let model) where model.jsonKind == .string:
            return "\(value)\(dot)rawValue"
        case .model:
            return isOptional ? "\(value).map { \"\\($0.rawValue)\" }" : "\"\\(\(value).rawValue)\""
        default:
            return isOptional ? "\(value).map { \"\\($0)\" }" : "\"\\(\(value))\""
        }
    }

    /// The string literal of the path, with the parameters interpolated: `"/pets/\(id)"`.
    ///
    /// A variable without a parameter stays as text between braces: `"/pets/{id}"`.
    private var pathText: SwiftText {
        let pathParameters = parameters.filter { $0.place == .path }
        var literalPieces: [String] = []
        for (text, isVariable) in path {
            if !isVariable {
                literalPieces += Self.literalPieces(text)
            } else if let parameter = pathParameters.first(where: { $0.key == text }) {
                literalPieces.append(Self.interpolation(of: parameter))
            } else {
                literalPieces += Self.literalPieces("{\(text)}")
            }
        }
        return .pieces(literalPieces)
    }

    /// Returns the pieces of a string literal for fixed text of a path, between which a long literal is divided.
    private static func literalPieces(_ text: String) -> [String] {
        SwiftLiteral.pieces(ofPath: ImportedRequest.pathText(text))
    }

    /// Returns a parameter as an interpolation in the literal of the path.
    ///
    /// | Parameter | Interpolation |
    /// |---|---|
    /// | `id` | `\(id)` |
    /// | an enum `kind` | `\(kind.rawValue)` |
    /// | a list `ids` | `\(ids.joined(separator: ","))` |
    /// | a text `file` that may span several segments of the path | `\(segments: file)` |
    private static func interpolation(of parameter: Parameter) -> String {
        let name = parameter.identifier
        switch parameter.type {
        case .model: return "\\(\(name).rawValue)"
        case .array: return "\\(\(stringExpression(for: name, of: parameter.type)))"
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
        let queryParameters = parameters.filter { $0.place == .query && !$0.isQueryField }
        let structures = queryParameters.filter { $0.style == .fields }
        let items = queryParameters.filter { $0.style != .fields }
        let literals = Self.queryLiterals(of: items, areWholeQuery: structures.isEmpty)
        // The structure that holds the many parameters of a long query has no key, and comes first.
        let orderedStructures = structures.filter(\.key.isEmpty) + structures.filter { !$0.key.isEmpty }
        return literals + orderedStructures.map { "Endpoint.Query(\($0.identifier))" }
    }

    /// Returns the dictionary literals with query items, of which there are two kinds.
    ///
    /// | Items | Literal |
    /// |---|---|
    /// | `page=1&id=1&id=2` | plain: `["page": page, "id": id]` |
    /// | `ids[0]=1&ids[1]=2` | indexed, which gives positions to lists: `Endpoint.Query.indexed(["ids": ids])` |
    ///
    /// If items need positions and none is a plain list, one indexed literal has all items. Otherwise the items are
    /// divided between a plain and an indexed literal.
    ///
    /// - Parameters:
    ///   - items: The parameters that are query items.
    ///   - areWholeQuery: Whether the query has no terms besides the literals. Otherwise an indexed literal has to
    ///     name its type, because it is part of a sum.
    private static func queryLiterals(of items: [Parameter], areWholeQuery: Bool) -> [SwiftText] {
        let indexedItems = items.filter { $0.style == .indexed }
        let plainItems = items.filter { $0.style != .indexed }
        let plainLiteral = SwiftText.list("[", plainItems.map(dictionaryElement), "]")
        if indexedItems.isEmpty { return plainItems.isEmpty ? [] : [plainLiteral] }
        if items.allSatisfy(canBeIndexed) { return [indexedLiteral(of: items, isWholeQuery: areWholeQuery)] }
        // At least one item can't be indexed and is plain, so the indexed literal is part of a sum.
        return [plainLiteral, indexedLiteral(of: indexedItems, isWholeQuery: false)]
    }

    /// Returns the literal that gives positions to lists: `Endpoint.Query.indexed(["ids": ids])`.
    ///
    /// - Parameters:
    ///   - items: The parameters that are query items.
    ///   - isWholeQuery: Whether the query has no other terms, so that `.indexed(["ids": ids])` is enough.
    private static func indexedLiteral(of items: [Parameter], isWholeQuery: Bool) -> SwiftText {
        .list(isWholeQuery ? ".indexed([" : "Endpoint.Query.indexed([", items.map(dictionaryElement), "])")
    }

    /// Whether a parameter can stand in a literal whose lists get positions: `.indexed(["page": page, "ids": ids])`.
    ///
    /// The literal leaves scalars, and lists that are joined to one text, as they are. A plain list, with an item for
    /// each element, would get positions.
    private static func canBeIndexed(_ parameter: Parameter) -> Bool {
        if parameter.style == .indexed { return true }
        if case .array = parameter.type {
            let isPlainList = parameter.style == .plain
            return !isPlainList
        }
        return parameter.type.isScalar
    }

    /// Returns the element of a dictionary literal for a query item, a header or a field of a form: `"page": page`.
    private static func dictionaryElement(_ parameter: Parameter) -> SwiftText {
        let value = parameter.constant ?? "\(valueExpression(of: parameter))"
        return "\(SwiftLiteral.string(parameter.key)): \(value)"
    }

    /// Returns the expression of a parameter's value in a dictionary literal.
    ///
    /// | Parameter | Expression |
    /// |---|---|
    /// | a header | a string: `"\(id)"` |
    /// | a list in one item | the elements in one text: `tags.joined(by: ",")` |
    /// | any other item | the value itself: `page` |
    private static func valueExpression(of parameter: Parameter) -> String {
        let type = parameter.type
        let name = parameter.identifier
        let isOptional = parameter.isOptional
        switch (parameter.place, parameter.style) {
        case (.header, .joined(let separator)):
            return stringExpression(for: name, of: type, isOptional: isOptional, separator: separator)
        case (.header, _):
            return stringExpression(for: name, of: type, isOptional: isOptional)
        case (_, .joined(let separator)):
            return joinedExpression(for: name, of: type, isOptional: isOptional, by: separator)
        default: return name
        }
    }

    /// Returns the expression of a list as one item: `tags` → `tags?.joined(by: ",")`.
    ///
    /// The values of an enum are converted first: `kinds.map(\.rawValue).joined(by: ",")`.
    ///
    /// - Parameters:
    ///   - value: The expression of the list.
    ///   - type: The type of the list.
    ///   - isOptional: Whether the list may be nil.
    ///   - separator: The text between the elements.
    static func joinedExpression(
        for value: String, of type: InferredType, isOptional: Bool, by separator: String
    ) -> String {
        var list = value
        if isOptional { list += "?" }
        if case .array(let element) = type, element.model?.isListed == true { list += ".map(\\.rawValue)" }
        return "\(list).joined(by: \(SwiftLiteral.string(separator)))"
    }

    /// The expression of the body: the argument after `body:`.
    ///
    /// | ``body`` | Expression |
    /// |---|---|
    /// | `expression` | that expression |
    /// | `object`, `form` | the parameters by their keys: `.form(["a": a])` |
    /// | `whole` | the parameter: `.json(body)`, or `body.map { Body.json($0) }` if it may be nil |
    /// | `fields` | the fields of the parameter's structure, as a form: `.form(["a": body.a])` |
    /// | `parts` | the fields of the parameter's structure, as parts: `.multipart([.field("a", body.a)])` |
    ///
    /// It is nil if there is no body, or if the body has no parameter with the type that it needs.
    private var bodyText: SwiftText? {
        let bodyParameters = parameters.filter { $0.place == .body }
        switch body {
        case nil: return nil
        case .expression(let text): return text
        case .object: return Self.call("object", withDictionaryOf: bodyParameters)
        case .form: return Self.call("form", withDictionaryOf: bodyParameters)
        case .whole(let encoding): return bodyParameters.last.map { Self.wholeBodyText($0, encoding: encoding) }
        case .fields(let formats): return Self.fieldsText(of: bodyParameters.last, formats: formats)?.form
        case .parts(let formats): return Self.fieldsText(of: bodyParameters.last, formats: formats)?.multipart
        }
    }

    /// Returns the expression of a body that is one parameter: `.json(body)`, or `body.map { Body.json($0) }` if the
    /// parameter may be nil.
    private static func wholeBodyText(_ parameter: Parameter, encoding: Body.Encoding) -> SwiftText {
        if !parameter.isOptional { return "\(encoding.expression(parameter.name))" }
        return "\(parameter.name).map { Body\(encoding.expression("$0")) }"
    }

    /// Returns a call with the parameters as a dictionary literal: `.form(["a": a])`, or `.form([:])` without any.
    private static func call(_ function: String, withDictionaryOf parameters: [Parameter]) -> SwiftText {
        let elements: [SwiftText] = parameters.isEmpty ? [":"] : parameters.map(dictionaryElement)
        return .list(".\(function)([", elements, "])")
    }

    /// Returns the writer for the fields of a parameter's structure; nil if the parameter has no structure.
    private static func fieldsText(
        of parameter: Parameter?, formats: [String: FieldFormat]
    ) -> BodyFieldsText? {
        guard let parameter, let model = parameter.type.model else { return nil }
        return BodyFieldsText(model, formats: formats, isBodyOptional: parameter.isOptional)
    }
}

extension InferredModel.Property {
    /// Whether the field is written as an item of a form or as a part of a multipart body. A key that does not fit on a
    /// line is left out.
    var isPart: Bool { SwiftLiteral.string(key).count <= EndpointText.longestKey }
}
