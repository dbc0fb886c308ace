import EndpointKit
import JSONText
import OpenAPI

/// Reads the parameters of an operation in a document: their Swift types, and how they are sent.
struct ParameterReader {
    /// The parameters that requests have a place for, those of the path first.
    var parameters: [EndpointText.Parameter] { pathParameters + otherParameters }
    /// The parameters that are left out or sent in another way, for people to look at.
    private(set) var comments: [String] = []

    private var pathParameters: [EndpointText.Parameter] = []
    private var otherParameters: [EndpointText.Parameter] = []
    /// The names between braces in the path, in their order.
    private let variables: [String]

    /// The headers that other parts of a document describe (OpenAPI 3.1, section 4.8.12).
    private static let headersDescribedElsewhere = ["Accept", "Content-Type", "Authorization"]

    init(_ operation: ImportedOperation) { variables = OperationPath.variables(in: operation.path) }

    /// Reads a parameter, and adds it to ``parameters``.
    ///
    /// A parameter that can't be sent adds a comment instead. The headers `Accept`, `Content-Type` and `Authorization`
    /// are ignored, because other parts of the document describe them.
    ///
    /// - Parameters:
    ///   - parameter: The parameter as the document describes it.
    ///   - types: Makes the Swift type of its values.
    mutating func read(_ parameter: ParameterObject, types: inout SchemaTypes) {
        if Self.isDescribedElsewhere(parameter) { return }
        if let problem = findProblem(of: parameter) {
            comments.append(problem)
            return
        }
        // A parameter without a schema is a text.
        let schemaType = parameter.schema.map { types.makeType(of: $0, key: parameter.name).unwrapped.type }
        let typeDecision = Self.sentType(of: parameter, schemaType: schemaType ?? .string)
        let type = typeDecision.value
        let styleDecision = Self.style(of: parameter, type: type)
        if let comment = typeDecision.comment { comments.append(comment) }
        comments += Self.commentsOnFormat(of: parameter)
        if let comment = styleDecision.comment { comments.append(comment) }
        var requestParameter = EndpointText.Parameter(
            key: parameter.name, place: parameter.location.place, type: type, isOptional: !parameter.isRequired,
            style: styleDecision.value, note: note(on: parameter))
        // The example of a credential could be a real one. The values of an enum are public.
        let isSecret = SecretName.isCredential(parameter.name) && !type.isEnum
        if !isSecret { requestParameter.value = Self.example(of: parameter, types.document) }
        if parameter.location == .path {
            pathParameters.append(requestParameter)
        } else {
            otherParameters.append(requestParameter)
        }
    }

    /// Whether a parameter is a header that OpenAPI describes in another part of the document, such as `Content-Type`.
    private static func isDescribedElsewhere(_ parameter: ParameterObject) -> Bool {
        guard parameter.location == .header else { return false }
        return headersDescribedElsewhere.contains { $0.isSameName(as: parameter.name) }
    }

    /// Adds a parameter of the type `String` for each variable of the path that the document does not describe.
    mutating func addUndescribedVariables() {
        var namesWithParameter = Set(pathParameters.map(\.key))
        // A variable that the path has twice is one parameter.
        for name in variables where namesWithParameter.insert(name).inserted {
            comments.append("the path's '\(name)' is not described")
            pathParameters.append(.init(key: name, place: .path, type: .string))
        }
    }

    /// Returns the reason why a parameter can't be sent; nil if it can.
    private func findProblem(of parameter: ParameterObject) -> String? {
        let name = parameter.name
        switch parameter.location {
        case .cookie: return "the cookie '\(name)' is not sent"
        case .querystring: return "the query as a whole, '\(name)', is not sent"
        case .path: return variables.contains(name) ? nil : "the path has no place for '\(name)'"
        case .header where !name.utf8.allSatisfy(\.isTokenByte):
            return "the header parameter '\(name)' has a name that can't be sent"
        case .header, .query:
            // The literal of a longer name would not fit on a line of the generated file.
            let isLong = SwiftLiteral.string(name).count > EndpointText.longestKey
            return isLong ? "the \(parameter.location.rawValue) parameter '\(name)' has a name that can't be sent" : nil
        }
    }

    /// Returns the documentation of a parameter, which begins with "Deprecated." if the parameter is deprecated.
    private func note(on parameter: ParameterObject) -> String {
        let text = DocumentText.summary(parameter.summary, maxLength: 300)
        if !parameter.isDeprecated { return text }
        return text.isEmpty ? "Deprecated." : "Deprecated. " + text
    }

    /// Returns an example of a parameter's value: the first of these that the document has.
    ///
    /// 1. An example of the parameter.
    /// 2. `example`, `examples` or `default` of its schema.
    /// 3. For a required parameter, `const` or the first value of `enum` of its schema.
    ///
    /// - Returns: The value; nil if there is none.
    private static func example(of parameter: ParameterObject, _ document: OpenAPIDocument) -> JSONValue? {
        if let example = parameter.examples.first { return example.value }
        guard let schema = parameter.schema, case .schema(let target) = document.target(of: schema) else { return nil }
        // Keywords beside a reference count more than those of the schema to which it leads.
        func value(ofKeyword keyword: String) -> JSONValue? { schema[keyword] ?? target[keyword] }
        let firstExample = value(ofKeyword: "example") ?? value(ofKeyword: "examples")?.elements?.first
        if let example = firstExample ?? value(ofKeyword: "default") { return example }
        if !parameter.isRequired { return nil }
        return value(ofKeyword: "const") ?? value(ofKeyword: "enum")?.elements?.first
    }

    /// Returns comments about what the document asks for and the generated parameter does not do.
    ///
    /// It neither writes a value in a format such as JSON, nor leaves reserved characters as they are.
    private static func commentsOnFormat(of parameter: ParameterObject) -> [String] {
        var comments: [String] = []
        if let content = parameter.content {
            let isJSON = MediaTypeName(content.contentType).isJSON
            comments.append("'\(parameter.name)' is text in another format\(isJSON ? ", JSON" : "")")
        }
        if parameter.allowsReserved {
            comments.append("reserved characters of '\(parameter.name)' are percent-encoded")
        }
        return comments
    }

    // MARK: Types and styles

    /// A decision about a parameter, with a comment if the document wants something else.
    private struct Decision<Value> {
        let value: Value
        let comment: String?

        init(_ value: Value, comment: String? = nil) {
            self.value = value
            self.comment = comment
        }
    }

    private typealias Style = EndpointText.Parameter.Style

    /// Returns the Swift type of a parameter: that of its schema, or a text if requests can't have that type there.
    ///
    /// | Type of the schema | Type of the parameter |
    /// |---|---|
    /// | a date in a header, or in a list outside of the query | `String` |
    /// | any other scalar, or a list of scalars | the same |
    /// | a choice between scalars | `String` |
    /// | any other list in the query | the same |
    /// | any other type in the query | the same if the document describes it, and else `String` |
    /// | any other type in the path or a header | `String`, with a comment |
    private static func sentType(
        of parameter: ParameterObject, schemaType type: InferredType
    ) -> Decision<InferredType> {
        let isInQuery = parameter.location == .query
        if case .union(let alternatives, nil)? = type.model?.form, alternatives.allSatisfy(\.type.isScalar) {
            return Decision(.string)
        }
        if case .array(let element) = type, element.unwrapped.type.isScalar {
            let elementType = element.unwrapped.type
            let mustBeText = elementType == .date && !isInQuery
            return Decision(.array(mustBeText ? .string : elementType))
        }
        if parameter.location == .header, type == .date { return Decision(.string) }
        if type.isScalar { return Decision(type) }
        if !isInQuery {
            return Decision(.string, comment: "'\(parameter.name)' is not a scalar, and sent as the text given")
        }
        if case .array = type { return Decision(type) }
        // An object that may have any members can be sent, although the document describes none.
        let isObjectOfAnyMembers = type == .dictionary(.json(SchemaTypes.undescribed))
        let isDescribed = type.reasonForJSON == nil || isObjectOfAnyMembers
        return Decision(isDescribed ? type : .string)
    }

    /// Returns how the values of a parameter are written. In the query:
    ///
    /// | Parameter | Style |
    /// |---|---|
    /// | a list or an object with `style: deepObject` | `indexed`: `ids[0]=1&ids[1]=2` |
    /// | a list with `explode: true` | `plain`: `ids=1&ids=2` |
    /// | a list of scalars with `explode: false` | `joined`: `ids=1,2` |
    /// | a scalar | `plain`: `id=1` |
    /// | a list of other values with `explode: false` | `plain`, with a comment |
    /// | an object | as ``styleOfObject(_:type:)`` says |
    private static func style(of parameter: ParameterObject, type: InferredType) -> Decision<Style> {
        guard parameter.location == .query else { return styleOutsideOfQuery(parameter, type: type) }
        if type.isScalar { return Decision(.plain) }
        if parameter.style == .deepObject { return Decision(.indexed) }
        guard case .array(let element) = type else { return styleOfObject(parameter, type: type) }
        if parameter.isExploded { return Decision(.plain) }
        if element.isScalar { return Decision(.joined(parameter.style.separator)) }
        return Decision(.plain, comment: "the elements of '\(parameter.name)' are sent each as an item")
    }

    /// Returns how a query parameter is written if its type is neither a scalar nor a list.
    ///
    /// | Value | Style |
    /// |---|---|
    /// | an object with `explode: true` | `fields`: an item for each field |
    /// | a choice without objects, with `explode: true` | `plain` |
    /// | any other value | `plain`, with a comment |
    private static func styleOfObject(_ parameter: ParameterObject, type: InferredType) -> Decision<Style> {
        // The kinds of JSON that a value may have. They are objects, except in an enum without a tag, such as one with
        // a case for a text and a case for a list.
        var kinds: Set<JSONDocument.Kind?> = [.object]
        if case .union(let alternatives, nil)? = type.model?.form { kinds = Set(alternatives.map(\.type.jsonKind)) }
        let isAlwaysObject = kinds == [.object]
        let isNeverObject = !kinds.contains(.object)
        if parameter.isExploded, isAlwaysObject { return Decision(.fields) }
        if parameter.isExploded, isNeverObject { return Decision(.plain) }
        return Decision(
            .plain, comment: "'\(parameter.name)' is sent with its name, and with brackets if it is an object")
    }

    /// Returns how a value in the path or in a header is written.
    ///
    /// | Value | Style |
    /// |---|---|
    /// | a text in the path that may span several segments | `segments`: `a/b` |
    /// | a list in a header whose style has a separator of its own | `joined`: `a|b` |
    /// | any other value | `plain`, with a comment unless its style is `simple` or `form` |
    private static func styleOutsideOfQuery(_ parameter: ParameterObject, type: InferredType) -> Decision<Style> {
        if parameter.location == .path, parameter.isMultiSegment, type == .string { return Decision(.segments) }
        if parameter.style == .simple || parameter.style == .form { return Decision(.plain) }
        if case .array = type, parameter.location == .header, parameter.style.separator != "," {
            return Decision(.joined(parameter.style.separator))
        }
        let comment = "'\(parameter.name)' has the style \(parameter.style.rawValue), and is sent as plain text"
        return Decision(.plain, comment: comment)
    }
}

extension ParameterObject.Location {
    /// The part of the request that has the value. Cookies and the query as a whole are left out before.
    fileprivate var place: EndpointText.Parameter.Place {
        switch self {
        case .path: .path
        case .query, .querystring: .query
        case .header, .cookie: .header
        }
    }
}

extension ParameterObject.Style {
    /// The text that joins the elements of a list in a single item: `|` in `ids=1|2`.
    var separator: String {
        switch self {
        case .spaceDelimited: " "
        case .pipeDelimited: "|"
        case .tabDelimited: "\t"
        case .matrix, .label, .simple, .form, .deepObject, .cookie: ","
        }
    }
}
