import EndpointKit
import EndpointTools
import JSONText

/// An operation of a document, before its types have names.
struct OpenAPIOperation {
    var source: DocumentOperation
    let id: String?
    let tags: [String]
    /// The words of the tag, else of the first fixed segment of the path.
    let group: [String]
    /// What is written of it, as far as no names of types are in it.
    var text: EndpointText
    /// The names between braces in the path.
    private let variables: Set<String>
    /// Nil for no body, and for bytes.
    private(set) var response: InferredType?
    /// An example of the response.
    private(set) var sample: JSONValue?
    private(set) var hasLinks = false

    /// The most parameters of a case.
    private static let mostParameters = 8
    private static let bytes = "RawResponse.self"

    init(_ source: DocumentOperation) {
        self.source = source
        let pieces = OpenAPINames.pieces(source.path)
        text = EndpointText(method: source.method, path: pieces, returns: "EmptyResponse.self")
        variables = Set(pieces.filter(\.isVariable).map(\.text))
        id = source.value["operationId"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        tags = source.value["tags"]?.elements?.compactMap(\.string) ?? []
        let tag = tags.first.map { SwiftNames.words($0) } ?? []
        group = tag.isEmpty ? OpenAPINames.fixed(source.path).first.map { SwiftNames.words($0) } ?? ["root"] : tag
    }

    /// `GET /pets`
    var key: String { source.key }
    var method: String { source.method }
    var path: String { source.path }
    var name: String { text.name }
    /// What it sends.
    var sent: [InferredType] { text.parameters.map(\.type) }
    var parameterCount: Int { text.parameters.count(where: \.isOwn) }
    /// The body, if it is a parameter.
    var body: EndpointText.Parameter? { text.parameters.last { $0.place == "body" } }
    var bytesCount: Int {
        let sendsBytes = if case .text = text.body { 1 } else { 0 }
        return sendsBytes + (text.returns == Self.bytes ? 1 : 0)
    }

    /// What the response is about.
    var subject: [String] {
        let words = SwiftNames.words(OpenAPINames.fixed(path).last ?? "response")
        return path.hasSuffix("}") ? SwiftNames.singular(words) : words
    }

    private var summary: String {
        let texts = [source.value["summary"]?.string, source.value["description"]?.string]
        let own = texts.lazy.map { SchemaReader.sentence($0, longest: 80) }.first { !$0.isEmpty }
        let isDeprecated = source.value["deprecated"]?.bool == true
        return (own ?? SwiftNames.sentence(SwiftNames.words(name))) + (isDeprecated ? " (deprecated)" : "")
    }

    /// Reads parameters, body and response. Throws ``OpenAPIError``.
    mutating func read(_ schemas: inout SchemaReader, _ sweep: SecretSweep) throws {
        try source.read(schemas.document)
        text.summary = summary
        for parameter in source.parameters { try add(parameter, &schemas) }
        text.parameters.sort { $0.place == "path" && $1.place != "path" }
        try readBody(&schemas)
        try readResponses(&schemas, sweep)
        nameParameters(&schemas)
    }

    // MARK: Parameters

    private mutating func add(_ source: DocumentOperation.Parameter, _ schemas: inout SchemaReader) throws {
        let (key, place, value) = (source.name, source.place, source.value)
        let isInPath = place == "path"
        let isLong = !isInPath && SwiftLiteral.string(key).count > EndpointText.longestKey
        if !["path", "query", "header"].contains(place) {
            return text.comments.append("the cookie '\(key)' is not sent")
        } else if isInPath, !variables.contains(key) {
            return text.comments.append("the path has no place for '\(key)'")
        } else if key.isEmpty || isLong || place == "header" && !key.utf8.allSatisfy(\.isTokenByte) {
            return text.comments.append("the \(place) parameter '\(key)' has a name that can't be sent")
        }
        if value["in"] == nil { text.comments.append("the path's '\(key)' is not described") }
        let declared = try source.schema.map { try schemas.type(of: $0) }?.unwrapped.type ?? .string
        let examples = try schemas.document.examples(of: value, source.schema, isNeeded: source.isRequired)
        let shown = schemas.widenedLate(examples.reduce(declared, Self.widened), by: examples)
        let type = simplified(shown, source)
        if value["content"] != nil, value["schema"] == nil {
            text.comments.append("'\(key)' is text in another format, such as JSON")
        }
        if value["allowReserved"]?.bool == true {
            text.comments.append("reserved characters of '\(key)' are percent-encoded")
        }
        let element = if case .array(let element) = type { element } else { InferredType?.none }
        let isList = element != nil
        var style = EndpointText.Parameter.Style.plain
        switch (place, source.style) {
        case ("path", _) where value["x-multi-segment"]?.bool == true && type == .string: style = .segments
        case (_, let other) where place != "query" && !["form", "simple", "csv", ""].contains(other):
            text.comments.append("'\(key)' has the style \(other), and is sent as plain text")
        case ("query", "deepObject") where isList || !type.isScalar: style = .indexed
        case ("query", _) where !source.isExploded && element?.isScalar == false:
            text.comments.append("the elements of '\(key)' are sent each as an item")
        case ("query", _) where isList && !source.isExploded:
            style = .joined(source.separator)
        case ("query", _) where !isList && !type.isScalar:
            var kinds: Set<JSONDocument.Kind?> = [.object]
            if case .union(let all, nil)? = type.model?.form { kinds = Set(all.map(\.type.jsonKind)) }
            let isObject = kinds == [.object]
            if isObject, source.isExploded { style = .fields }
            if !source.isExploded || !isObject && kinds.contains(.object) {
                text.comments.append("'\(key)' is sent with its name, and with brackets if it is an object")
            }
        default: break
        }
        text.parameters.append(
            .init(
                key: key, place: place, type: type, isOptional: !source.isRequired, style: style,
                note: SchemaReader.sentence(value["description"]?.string, longest: 100),
                value: SecretName.isCredential(key) && !type.isEnum
                    ? .none : examples.first))
    }

    /// The type that also has an example: of scalars, the text is what is sent.
    private static func widened(_ type: InferredType, by example: JSONValue) -> InferredType {
        if case .array(let element) = type { return .array((example.elements ?? []).reduce(element, widened)) }
        if case .dictionary(let element) = type {
            return .dictionary((example.members ?? []).map(\.value).reduce(element, widened))
        }
        guard SchemaReader.text(of: example, isOf: .string), type.isScalar, type.model == nil else { return type }
        let types = type == .integer ? [type, .double] : [type]
        return types.first { SchemaReader.text(of: example, isOf: $0) } ?? .string
    }

    /// The type of a parameter: in a path or header, and where only scalars can be, one that has a text.
    private mutating func simplified(_ type: InferredType, _ source: DocumentOperation.Parameter) -> InferredType {
        let isInQuery = source.place == "query"
        if case .union(let all, nil)? = type.model?.form, all.allSatisfy(\.type.isScalar) { return .string }
        if case .array(let element) = type {
            let inner = element.unwrapped.type
            if inner.isScalar { return .array(isInQuery || inner != .date ? inner : .string) }
            if isInQuery { return type }
        }
        if source.place == "header", type == .date { return .string }
        if type.isScalar { return type }
        if isInQuery {
            let isDescribed = type.reasonForJSON == nil || type == .dictionary(.json(SchemaReader.undescribed))
            return isDescribed ? type : .string
        }
        text.comments.append("'\(source.name)' is not a scalar, and sent as the text given")
        return .string
    }

    // MARK: Bodies

    private var bodyWords: [String] {
        let words = SwiftNames.words(name)
        let group = SwiftNames.singular(group)
        return words.suffix(group.count) == group[...] ? words : words + group
    }

    private mutating func readBody(_ schemas: inout SchemaReader) throws {
        guard let declared = source.body, let media = declared.media.best else { return }
        let rank = media.rank
        guard rank < 5 else {
            text.body = .text(".data([], contentType: \"\(media.header)\")")
            return text.comments.append("the body is bytes: to send them, --body @FILE")
        }
        var (type, isNull) = (InferredType.string, false)
        if rank < 4 {
            let declared = try schemas.type(of: media)
            let examples = rank < 2 ? media.examples.filter { !$0.isNull } : []
            (type, isNull) = examples.reduce(declared) { schemas.widened($0, by: $1) }.unwrapped
        }
        let fields = type.model?.fields ?? []
        let parts = fields.filter(\.isPart)
        let encoding = try schemas.document.members(media.value["encoding"])
        var isSent = true
        switch rank {
        case 0, 1: text.body = .whole(".json(", ")")
        case 2:
            let isIndexed = encoding.contains { $0.value["style"]?.string == "deepObject" }
            text.body =
                isIndexed ? .whole(".form(.indexed(Endpoint.Query(", ")))") : .whole(".form(Endpoint.Query(", "))")
            isSent = !fields.isEmpty || [nil, .object].contains(type.jsonKind) && !media.isEmpty
            note(encoding, of: fields, isIndexed: isIndexed)
        case 3:
            text.body = .parts
            if parts.count < fields.count { text.comments.append("parts that are objects or dates are not sent") }
            isSent = !parts.isEmpty
        default: text.body = .whole(".text(", ", contentType: \"\(media.header)\")")
        }
        guard isSent else {
            text.body = nil
            if !media.isEmpty, fields.isEmpty {
                text.comments.append("the body is a form without known fields, and not sent")
            }
            return
        }
        if rank == 1 {
            text.parameters.append(
                .init(key: "Content-Type", place: "header", type: .string, constant: "\"\(media.header)\""))
        }
        note("body", type)
        text.parameters.append(
            .init(
                key: "", place: "body", type: type, isOptional: !declared.isRequired || isNull,
                value: media.examples.first, name: "body"))
        guard let model = type.model else { return }
        schemas.name(model, words: bodyWords)
        if method == "PATCH" { model.isChange = true }
        // A part has no null.
        if rank == 3 { for index in fields.indices { model.fields[index].isNullable = false } }
    }

    /// Tells which fields of a form are not written as the document says.
    private mutating func note(
        _ encoding: [(key: String, value: JSONValue)], of fields: [InferredModel.Property], isIndexed: Bool
    ) {
        for field in fields {
            let own = encoding.first { $0.key == field.key }?.value
            let style = own?["style"]?.string ?? "form"
            let isJoined = own?["explode"]?.bool.map { !$0 } ?? !["form", "multi"].contains(style)
            if own?["contentType"]?.string?.contains("json") == true {
                text.comments.append("'\(field.key)' is sent with brackets, not as JSON")
            } else if style != "deepObject", isJoined || isIndexed, case .array = field.type {
                let how = isIndexed ? "with their positions" : "each as an item"
                text.comments.append("the elements of '\(field.key)' are sent \(how)")
            }
        }
    }

    // MARK: Responses

    private mutating func readResponses(_ schemas: inout SchemaReader, _ sweep: SecretSweep) throws {
        hasLinks = try source.successes.contains { response in
            try schemas.document.members(response.value["headers"]).contains { $0.key.isSameName(as: "Link") }
        }
        if source.successes.isEmpty, source.responses.contains(where: { $0.status.hasPrefix("3") }) {
            text.returns = Self.bytes
            return text.comments.append("the response is what a redirect leads to, as bytes")
        }
        guard let media = source.response else { return }
        func schema(_ media: DocumentOperation.Media?) throws -> String? {
            try media?.schema.map { try schemas.document.resolved($0).description }
        }
        if source.successes.count > 1 {
            let own = try schema(media)
            let all = try source.successes.map { ($0.status, try schema($0.media.best)) }
            let others = all.filter { $0.1 != nil && $0.1 != own }.map(\.0).joined(separator: ", ")
            if !others.isEmpty { text.comments.append("the response of status \(others) is of another type") }
        }
        if !media.isJSON {
            text.returns = Self.bytes
            return text.comments.append("the response is \(media.type), as bytes")
        }
        var type = try schemas.type(of: media)
        for (index, example) in media.examples.enumerated() {
            let isSample = example.kind == .object || example.kind == .array
            // Of an object, a text is often the JSON of its example.
            guard isSample || example.isNull || type.unwrapped.type.isScalar else { continue }
            // Without secrets, for the types must have what is left in their places.
            guard let shown = isSample ? sweep.cleaned(example) : example else { continue }
            if isSample, index == 0 { sample = shown }
            type = schemas.widened(type, by: shown, isExact: isSample)
        }
        note("response", type)
        response = type
    }

    /// Tells why a body or a response is JSON of any kind, unless the document does not say what is in it.
    private mutating func note(_ part: String, _ type: InferredType) {
        guard let reason = type.reasonForJSON, reason != SchemaReader.undescribed else { return }
        text.comments.append("the \(part) \(type.unwrapped.type == .json(reason) ? "is" : "holds") any JSON: \(reason)")
    }

    // MARK: Names

    /// Names the parameters, and makes a structure of those of the query if there are too many.
    private mutating func nameParameters(_ schemas: inout SchemaReader) {
        var table = NameTable(["body", "query"])
        for (index, parameter) in text.parameters.enumerated() where parameter.isOwn {
            let words = SwiftNames.words(parameter.key)
            let name = EndpointText.Parameter.name(words)
            text.parameters[index].name = table.unique(["body", "query"].contains(name) ? name + "Value" : name)
            if let model = parameter.type.leaf.model { schemas.name(model, words: SwiftNames.singular(words)) }
        }
        guard parameterCount > Self.mostParameters else { return }
        var fields: [EndpointText.Parameter] = []
        for (index, one) in text.parameters.enumerated() where one.place == "query" && one.style == .plain {
            text.parameters[index].isInQuery = true
            fields.append(one)
        }
        let model = schemas.add(
            fields.map { .init(key: $0.key, type: $0.type, isOptional: $0.isOptional, summary: $0.note) },
            words: bodyWords + ["query"])
        let query = EndpointText.Parameter(
            key: "", place: "query", type: .model(model), style: .fields,
            value: JSONValue(fields.compactMap { one in one.value.map { (one.key, $0) } }), name: "query")
        text.parameters.insert(query, at: text.parameters.count - (body == nil ? 0 : 1))
    }
}

extension DocumentOperation.Media {
    /// The type without what can't be in one, or is too long for a line.
    fileprivate var header: String {
        String(type.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$&^_.+-/*;= ".contains($0)) }.prefix(40))
    }
}
