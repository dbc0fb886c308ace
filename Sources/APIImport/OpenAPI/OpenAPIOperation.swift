import EndpointKit
import JSONText

/// An operation of a document, before its types have names.
struct OpenAPIOperation {
    /// A value in the path, the query or a header.
    struct Parameter {
        /// How a value that is not a scalar is written.
        enum Style: Equatable { case plain, joined(String), indexed, fields, segments }

        let source: DocumentOperation.Parameter
        /// Without null.
        let type: InferredType
        let style: Style
        /// What the document says that it may be.
        let example: JSONValue?
        /// The name in Swift.
        var name = ""
        /// Whether it is a field of the structure of the query.
        var isInQuery = false

        var key: String { source.name }
        var place: String { source.place }
        var isOptional: Bool { !source.isRequired }
        var note: String { SchemaReader.sentence(source.value["description"]?.string, longest: 100) }
        var quoted: String { SwiftNames.quoted(name) }
    }

    var source: DocumentOperation
    let id: String?
    let tags: [String]
    /// The words of the tag, else of the first fixed segment of the path.
    let group: [String]
    /// The name of the case.
    var name = ""

    private(set) var parameters: [Parameter] = []
    /// The type of the body, if it is a parameter, and whether it may be left out.
    private(set) var body: InferredType?
    private(set) var isBodyOptional = false
    private(set) var bodyExample: JSONValue?
    /// What is before and after the body in the text of the request.
    private(set) var bodyText = (start: "", end: ")")
    private(set) var isMultipart = false
    /// The content type of a JSON body, if it is not the usual one.
    private(set) var contentType: String?
    /// The type of a body of bytes.
    private(set) var bytesType: String?
    /// Parameters of the query that are too many for a case.
    private(set) var query: InferredModel?
    /// Nil for no body, bytes without a type.
    private(set) var response: InferredType?
    private(set) var isBytes = false
    /// An example of the response.
    private(set) var sample: JSONValue?
    private(set) var hasLinks = false
    /// What can't be said, for people to look at.
    var comments: [String] = []

    /// The most parameters of a case.
    private static let mostParameters = 8
    /// A longer literal of a name would take several lines.
    static let longestKey = 70

    init(_ source: DocumentOperation) {
        self.source = source
        id = source.value["operationId"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        tags = source.value["tags"]?.elements?.compactMap(\.string) ?? []
        let tag = tags.first.map { SwiftNames.words($0) } ?? []
        group = tag.isEmpty ? OpenAPINames.fixed(source.path).first.map { SwiftNames.words($0) } ?? ["root"] : tag
    }

    /// `GET /pets`
    var key: String { source.key }
    var method: String { source.method }
    var path: String { source.path }
    /// What it sends.
    var sent: [InferredType] { parameters.map(\.type) + (query.map { [.model($0)] } ?? []) + (body.map { [$0] } ?? []) }
    var bytesCount: Int { (bytesType == nil ? 0 : 1) + (isBytes ? 1 : 0) }

    /// What the response is about.
    var subject: [String] {
        let words = SwiftNames.words(OpenAPINames.fixed(path).last ?? "response")
        return path.hasSuffix("}") ? SwiftNames.singular(words) : words
    }

    var summary: String {
        let texts = [source.value["summary"]?.string, source.value["description"]?.string]
        let own = texts.lazy.map { SchemaReader.sentence($0, longest: 80) }.first { !$0.isEmpty }
        let isDeprecated = source.value["deprecated"]?.bool == true
        return (own ?? SwiftNames.sentence(SwiftNames.words(name))) + (isDeprecated ? " (deprecated)" : "")
    }

    /// Reads parameters, body and response. Throws ``OpenAPIError``.
    mutating func read(_ schemas: inout SchemaReader, _ sweep: SecretSweep) throws {
        try source.read(schemas.document)
        for parameter in source.parameters { try add(parameter, &schemas) }
        parameters.sort { $0.place == "path" && $1.place != "path" }
        try readBody(&schemas)
        try readResponses(&schemas, sweep)
        nameParameters(&schemas)
    }

    // MARK: Parameters

    private mutating func add(_ source: DocumentOperation.Parameter, _ schemas: inout SchemaReader) throws {
        let (key, place, value) = (source.name, source.place, source.value)
        let isInPath = place == "path"
        let isLong = !isInPath && SwiftLiteral.string(key).count > Self.longestKey
        if !["path", "query", "header"].contains(place) {
            return comments.append("the cookie '\(key)' is not sent")
        } else if isInPath, !OpenAPINames.variables(path).contains(key) {
            return comments.append("the path has no place for '\(key)'")
        } else if key.isEmpty || isLong || place == "header" && !key.utf8.allSatisfy(\.isTokenByte) {
            return comments.append("the \(place) parameter '\(key)' has a name that can't be sent")
        }
        if value["in"] == nil { comments.append("the path's '\(key)' is not described") }
        let declared = try source.schema.map { try schemas.type(of: $0) }?.unwrapped.type ?? .string
        let type = simplified(declared, source)
        if value["content"] != nil, value["schema"] == nil {
            comments.append("'\(key)' is text in another format, such as JSON")
        }
        if value["allowReserved"]?.bool == true {
            comments.append("reserved characters of '\(key)' are percent-encoded")
        }
        let usual = schemas.document.isSwagger ? "csv" : "form"
        let styleName = value["style"]?.string ?? value["collectionFormat"]?.string ?? usual
        let explodes = ["form", "multi"].contains(styleName) && value["explode"]?.bool != false
        let isList = if case .array = type { true } else { false }
        var style = Parameter.Style.plain
        switch (place, styleName) {
        case ("path", _) where value["x-multi-segment"]?.bool == true && type == .string: style = .segments
        case ("path", "matrix"), ("path", "label"):
            comments.append("'\(key)' has the style \(styleName), and is sent as plain text")
        case ("query", "deepObject") where isList || !type.isScalar: style = .indexed
        case ("query", _) where isList && !explodes:
            let separators = ["spaceDelimited": " ", "ssv": " ", "pipeDelimited": "|", "pipes": "|", "tsv": "\t"]
            style = .joined(separators[styleName] ?? ",")
        case ("query", "form") where !isList && !type.isScalar:
            if explodes { style = .fields }
            if !explodes { comments.append("'\(key)' is sent with brackets, not commas") }
        default: break
        }
        let example = try schemas.document.example(of: value, source.schema)
        parameters.append(Parameter(source: source, type: type, style: style, example: example))
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
        comments.append("'\(source.name)' is not a scalar, and sent as the text given")
        return .string
    }

    // MARK: Bodies

    private var bodyWords: [String] {
        let words = SwiftNames.words(name)
        let group = SwiftNames.singular(group)
        return words.suffix(group.count) == group[...] ? words : words + group
    }

    private mutating func readBody(_ schemas: inout SchemaReader) throws {
        guard let declared = source.body, let media = DocumentOperation.Media.preferred(declared.media) else { return }
        isBodyOptional = !declared.isRequired
        bodyExample = media.example
        let rank = media.rank
        switch rank {
        case 0, 1:
            bodyText.start = ".json("
            if rank == 1 { contentType = media.header }
        case 2:
            let encoding = try schemas.document.members(media.value["encoding"])
            let isIndexed = encoding.contains { $0.value["style"]?.string == "deepObject" }
            bodyText =
                isIndexed ? (".form(.indexed(Endpoint.Query(", ")))") : (".form(Endpoint.Query(", "))")
        case 3: isMultipart = true
        case 4:
            (body, bodyText) = (.string, (".text(", ", contentType: \"\(media.header)\")"))
            return
        default:
            bytesType = media.header
            return comments.append("the body is bytes: to send them, --body @FILE")
        }
        let (type, isNull) =
            try media.schema.map { try schemas.type(of: $0) }?.unwrapped ?? (.json(SchemaReader.undescribed), false)
        try schemas.finish()
        isBodyOptional = isBodyOptional || isNull
        let fields = type.model?.fields ?? []
        let parts = fields.filter(\.isPart)
        if isMultipart, parts.count < fields.count { comments.append("parts that are objects or dates are not sent") }
        let isForm = rank == 2 && (!fields.isEmpty || [nil, .object].contains(type.jsonKind) && !media.isEmpty)
        guard rank < 2 || isForm || !parts.isEmpty else {
            if !media.isEmpty, fields.isEmpty {
                comments.append("the body is a form without known fields, and not sent")
            }
            return
        }
        body = type
        guard let model = type.model else { return }
        schemas.name(model, words: bodyWords)
        if method == "PATCH" { model.isChange = true }
    }

    // MARK: Responses

    private mutating func readResponses(_ schemas: inout SchemaReader, _ sweep: SecretSweep) throws {
        let all = source.responses
        var good = all.filter { $0.status.hasPrefix("2") }.sorted { $0.status < $1.status }
        if good.isEmpty { good = all.filter { $0.status == "default" } }
        hasLinks = try good.contains { response in
            try schemas.document.members(response.value["headers"]).contains { $0.key.isSameName(as: "Link") }
        }
        if good.isEmpty, all.contains(where: { $0.status.hasPrefix("3") }) {
            isBytes = true
            return comments.append("the response is what a redirect leads to, as bytes")
        }
        guard let media = DocumentOperation.Media.preferred(good.flatMap(\.media)) else { return }
        if media.rank > 1 {
            isBytes = true
            return comments.append("the response is \(media.type), as bytes")
        }
        var type =
            try media.schema.map { try schemas.type(of: $0) } ?? schemas.json(media.value, SchemaReader.undescribed)
        try schemas.finish()
        if let example = media.example, example.kind == .object || example.kind == .array {
            // Without secrets, for the types must have what is left in their places.
            sample = sweep.cleaned(json: Array(example.written)).flatMap { try? JSONValue(text: $0) }
        }
        if let sample { type = schemas.widened(type, by: sample) }
        response = type
    }

    // MARK: Names

    private static let unusable: Set = ["body", "query", "self", "Type", "Protocol", "init", "let", "var", "inout"]

    /// Names the parameters, and makes a structure of those of the query if there are too many.
    private mutating func nameParameters(_ schemas: inout SchemaReader) {
        var table = NameTable(["body", "query"])
        for (index, parameter) in parameters.enumerated() {
            let words = SwiftNames.words(parameter.key)
            var name = SwiftNames.memberName(words)
            // Swift 6.3 crashes when it derives `encode(to:)` for a case with a label such as `a0` and a value without one.
            let isPosition = name.first == "a" && Int(name.dropFirst()) != nil
            if isPosition || Self.unusable.contains(name) { name += "Value" }
            parameters[index].name = table.unique(name)
            if let model = parameter.type.leaf.model { schemas.name(model, words: SwiftNames.singular(words)) }
        }
        guard parameters.count > Self.mostParameters else { return }
        var fields: [InferredModel.Field] = []
        for (index, one) in parameters.enumerated() where one.place == "query" && one.style == .plain {
            parameters[index].isInQuery = true
            fields.append(.init(key: one.key, type: one.type, isOptional: one.isOptional, summary: one.note))
        }
        query = schemas.add(fields, words: bodyWords + ["query"])
    }
}

extension InferredModel.Field {
    /// Whether it can be a part of a multipart body: a scalar, or a list of them.
    var isPart: Bool {
        let inner = if case .array(let element) = type { element } else { type }
        return inner != .date && inner.isScalar && SwiftLiteral.string(key).count <= OpenAPIOperation.longestKey
    }
}

extension DocumentOperation.Media {
    /// The type without what can't be in one, or is too long for a line.
    fileprivate var header: String {
        String(type.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$&^_.+-/*;= ".contains($0)) }.prefix(40))
    }
}
