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

    /// Reads a parameter.
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
        let type = sentType(declared, parameter)
        noteFormat(of: parameter)
        let style = style(of: parameter, type)
        let value = Self.example(of: parameter, types.document)
        let isSecret = SecretName.isCredential(parameter.name) && !type.isEnum
        let read = EndpointText.Parameter(
            key: parameter.name, place: parameter.location.rawValue, type: type, isOptional: !parameter.isRequired,
            style: style, note: note(on: parameter), value: isSecret ? .none : value)
        if parameter.location == .path { pathParameters.append(read) } else { otherParameters.append(read) }
    }

    /// Adds the variables of the path that the document does not describe, as texts.
    mutating func addUndescribedVariables() {
        var known = Set(pathParameters.map(\.key))
        for name in variables where known.insert(name).inserted {
            comments.append("the path's '\(name)' is not described")
            pathParameters.append(.init(key: name, place: "path", type: .string))
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

    private func note(on parameter: ParameterObject) -> String {
        let text = DocumentText.summary(parameter.summary, maxLength: 300)
        if !parameter.isDeprecated { return text }
        return text.isEmpty ? "Deprecated." : "Deprecated. " + text
    }

    /// Returns an example of a parameter; nil if the document has none.
    ///
    /// A parameter that must be sent also has its default, or the first of its listed values.
    private static func example(of parameter: ParameterObject, _ document: OpenAPIDocument) -> JSONValue? {
        if let example = parameter.examples.first { return example.value }
        guard let schema = parameter.schema, case .schema(let target) = document.target(of: schema) else { return nil }
        func member(_ key: String) -> JSONValue? { schema[key] ?? target[key] }
        let example = member("example") ?? member("examples")?.elements?.first ?? member("default")
        guard example == nil, parameter.isRequired else { return example }
        return member("const") ?? member("enum")?.elements?.first
    }

    private mutating func noteFormat(of parameter: ParameterObject) {
        if let content = parameter.content {
            let isJSON = MediaTypeName(content.contentType).isJSON
            comments.append("'\(parameter.name)' is text in another format\(isJSON ? ", JSON" : "")")
        }
        if parameter.allowsReserved {
            comments.append("reserved characters of '\(parameter.name)' are percent-encoded")
        }
    }

    // MARK: Types and styles

    /// Returns the type of a parameter in Swift: in a path or header, a type with a text.
    private mutating func sentType(_ type: InferredType, _ parameter: ParameterObject) -> InferredType {
        let isInQuery = parameter.location == .query
        if case .union(let all, nil)? = type.model?.form, all.allSatisfy(\.type.isScalar) { return .string }
        if case .array(let element) = type {
            let inner = element.unwrapped.type
            if inner.isScalar { return .array(isInQuery || inner != .date ? inner : .string) }
            if isInQuery { return type }
        }
        if parameter.location == .header, type == .date { return .string }
        if type.isScalar { return type }
        if isInQuery {
            let isDescribed = type.reasonForJSON == nil || type == .dictionary(.json(SchemaTypes.undescribed))
            return isDescribed ? type : .string
        }
        comments.append("'\(parameter.name)' is not a scalar, and sent as the text given")
        return .string
    }

    /// Returns how a value that is not a scalar is written.
    private mutating func style(of parameter: ParameterObject, _ type: InferredType) -> EndpointText.Parameter.Style {
        let element = if case .array(let element) = type { element } else { InferredType?.none }
        guard parameter.location == .query else { return styleOutsideOfQuery(parameter, type) }
        if parameter.style == .deepObject { return element != nil || !type.isScalar ? .indexed : .plain }
        if let element {
            if parameter.isExploded { return .plain }
            if !element.isScalar {
                comments.append("the elements of '\(parameter.name)' are sent each as an item")
                return .plain
            }
            return .joined(parameter.style.separator)
        }
        if type.isScalar { return .plain }
        return styleOfObject(parameter, type)
    }

    /// Returns how an object in the query is written, or a value that may be an object.
    private mutating func styleOfObject(
        _ parameter: ParameterObject, _ type: InferredType
    ) -> EndpointText.Parameter.Style {
        var kinds: Set<JSONDocument.Kind?> = [.object]
        if case .union(let all, nil)? = type.model?.form { kinds = Set(all.map(\.type.jsonKind)) }
        let isObject = kinds == [.object]
        if !parameter.isExploded || (!isObject && kinds.contains(.object)) {
            comments.append("'\(parameter.name)' is sent with its name, and with brackets if it is an object")
        }
        return isObject && parameter.isExploded ? .fields : .plain
    }

    private mutating func styleOutsideOfQuery(
        _ parameter: ParameterObject, _ type: InferredType
    ) -> EndpointText.Parameter.Style {
        if parameter.location == .path, parameter.isMultiSegment, type == .string { return .segments }
        guard parameter.style == .simple || parameter.style == .form else {
            if case .array = type, parameter.location == .header, parameter.style.separator != "," {
                return .joined(parameter.style.separator)
            }
            comments.append("'\(parameter.name)' has the style \(parameter.style.rawValue), and is sent as plain text")
            return .plain
        }
        return .plain
    }
}

extension ParameterObject.Style {
    /// The text between the elements of a list that is one item.
    var separator: String {
        switch self {
        case .spaceDelimited: " "
        case .pipeDelimited: "|"
        case .tabDelimited: "\t"
        case .matrix, .label, .simple, .form, .deepObject, .cookie: ","
        }
    }
}
