import EndpointKit
import JSONText
import OpenAPI

/// Reads the parameters of an operation.
struct ParameterReading {
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

    init(_ operation: ImportedOperation) { variables = OperationPath.variables(operation.path) }

    /// Reads a parameter, and adds it to ``parameters``.
    ///
    /// A parameter that can't be sent adds a comment instead. The headers `Accept`, `Content-Type` and `Authorization`
    /// are ignored. The value of a parameter that is called like a credential is left out, unless it is an enum.
    ///
    /// - Parameters:
    ///   - parameter: The parameter.
    ///   - types: Makes the type of its values.
    mutating func add(_ parameter: ParameterObject, _ types: inout SchemaTypes) {
        if parameter.location == .header,
            Self.headersDescribedElsewhere.contains(where: { $0.isSameName(as: parameter.name) })
        {
            return
        }
        if let problem = problem(of: parameter) {
            comments.append(problem)
            return
        }
        let declared = parameter.schema.map { types.type(of: $0, key: parameter.name) }?.unwrapped.type ?? .string
        let type = Self.sentType(declared, parameter)
        let style = Self.style(of: parameter, type.value)
        comments += [type.comment].compactMap(\.self) + Self.commentsOnFormat(of: parameter)
        comments += [style.comment].compactMap(\.self)
        let value = Self.example(of: parameter, types.document)
        let isSecret = SecretName.isCredential(parameter.name) && !type.value.isEnum
        let read = EndpointText.Parameter(
            key: parameter.name, place: parameter.location.place, type: type.value, isOptional: !parameter.isRequired,
            style: style.value, note: note(on: parameter), value: isSecret ? .none : value)
        if parameter.location == .path { pathParameters.append(read) } else { otherParameters.append(read) }
    }

    /// Adds the variables of the path that the document does not describe, as texts.
    mutating func addUndescribedVariables() {
        var known = Set(pathParameters.map(\.key))
        for name in variables where known.insert(name).inserted {
            comments.append("the path's '\(name)' is not described")
            pathParameters.append(.init(key: name, place: .path, type: .string))
        }
    }

    /// Returns the reason why a parameter can't be sent; nil if it can.
    private func problem(of parameter: ParameterObject) -> String? {
        let name = parameter.name
        switch parameter.location {
        case .cookie: return "the cookie '\(name)' is not sent"
        case .querystring: return "the query as a whole, '\(name)', is not sent"
        case .path: return variables.contains(name) ? nil : "the path has no place for '\(name)'"
        case .header where !name.utf8.allSatisfy(\.isTokenByte):
            return "the header parameter '\(name)' has a name that can't be sent"
        case .header, .query:
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

    /// Returns an example of a parameter's value.
    ///
    /// The first of these counts: the parameter's own examples, `example`, `examples` and `default` of the schema. For
    /// a required parameter, `const` and the first value of `enum` follow.
    ///
    /// - Returns: The value; nil if the document has none of these, or if the schema can't be found.
    private static func example(of parameter: ParameterObject, _ document: OpenAPIDocument) -> JSONValue? {
        if let example = parameter.examples.first { return example.value }
        guard let schema = parameter.schema, case .schema(let target) = document.target(of: schema) else { return nil }
        func member(_ key: String) -> JSONValue? { schema[key] ?? target[key] }
        let example = member("example") ?? member("examples")?.elements?.first ?? member("default")
        guard example == nil, parameter.isRequired else { return example }
        return member("const") ?? member("enum")?.elements?.first
    }

    /// Returns comments about a value that must be in another format, and about reserved characters.
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

    /// Returns the Swift type of a parameter.
    ///
    /// A scalar, or a list of scalars, keeps its type, except that dates outside of the query are strings in lists and
    /// headers. Other types are possible only in the query, and only if the document describes them. Outside of the
    /// query they become `String`, with a comment. A choice between scalars is also a `String`.
    private static func sentType(_ type: InferredType, _ parameter: ParameterObject) -> Decision<InferredType> {
        let isInQuery = parameter.location == .query
        if case .union(let all, nil)? = type.model?.form, all.allSatisfy(\.type.isScalar) { return Decision(.string) }
        if case .array(let element) = type {
            let inner = element.unwrapped.type
            if inner.isScalar { return Decision(.array(isInQuery || inner != .date ? inner : .string)) }
            if isInQuery { return Decision(type) }
        }
        if parameter.location == .header, type == .date { return Decision(.string) }
        if type.isScalar { return Decision(type) }
        if isInQuery {
            let isDescribed = type.reasonForJSON == nil || type == .dictionary(.json(SchemaTypes.undescribed))
            return Decision(isDescribed ? type : .string)
        }
        return Decision(.string, comment: "'\(parameter.name)' is not a scalar, and sent as the text given")
    }

    /// Returns how the values of a parameter are written.
    ///
    /// In the query:
    ///
    /// | Parameter | Style |
    /// |---|---|
    /// | `deepObject`, a list or an object | indexed |
    /// | a list with `explode: true` | plain: an item for each element |
    /// | a list of scalars with `explode: false` | joined: `ids=1,2` |
    /// | any scalar | plain |
    /// | a list of other values with `explode: false` | plain, with a comment |
    /// | an object | see `styleOfObject` |
    private static func style(of parameter: ParameterObject, _ type: InferredType) -> Decision<Style> {
        guard parameter.location == .query else { return styleOutsideOfQuery(parameter, type) }
        let element = if case .array(let element) = type { element } else { InferredType?.none }
        if parameter.style == .deepObject {
            return Decision(element != nil || !type.isScalar ? .indexed : .plain)
        }
        if let element {
            if parameter.isExploded { return Decision(.plain) }
            if element.isScalar { return Decision(.joined(parameter.style.separator)) }
            return Decision(.plain, comment: "the elements of '\(parameter.name)' are sent each as an item")
        }
        return type.isScalar ? Decision(.plain) : styleOfObject(parameter, type)
    }

    /// Returns how an object in the query is written, or a value that may be an object.
    ///
    /// An object with `explode: true` becomes an item for each field. Any other value is plain, with a comment if
    /// `explode` is false, or if only some of the values are objects.
    private static func styleOfObject(_ parameter: ParameterObject, _ type: InferredType) -> Decision<Style> {
        var kinds: Set<JSONDocument.Kind?> = [.object]
        if case .union(let all, nil)? = type.model?.form { kinds = Set(all.map(\.type.jsonKind)) }
        if parameter.isExploded, kinds == [.object] { return Decision(.fields) }
        if parameter.isExploded, !kinds.contains(.object) { return Decision(.plain) }
        return Decision(
            .plain, comment: "'\(parameter.name)' is sent with its name, and with brackets if it is an object")
    }

    /// Returns how a value in the path or in a header is written.
    ///
    /// A text in the path may span several segments. A style other than `simple` and `form` is replaced by plain text,
    /// with a comment, except for a list in a header whose style has a separator of its own.
    private static func styleOutsideOfQuery(_ parameter: ParameterObject, _ type: InferredType) -> Decision<Style> {
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
