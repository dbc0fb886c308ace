import EndpointKit
import JSONText

/// An operation of a document, before its types have names.
struct OpenAPIOperation {
    /// A value in the path, the query or a header.
    struct Parameter {
        enum Place: String { case path, query, header }

        /// How a value that is not a scalar is written.
        enum Style: Equatable { case plain, joined(String), indexed, fields, segments }

        let key: String
        let place: Place
        var style = Style.plain
        /// Without null.
        var type: InferredType
        var isOptional = false
        /// What the document says that it may be.
        var example: JSONValue?
        var note = ""
        /// The name in Swift.
        var name = ""
        /// Whether it is a field of the structure of the query.
        var isInQuery = false
    }

    enum Content {
        case none, json, form(isIndexed: Bool), multipart, text(String), bytes(String)
    }

    var source: DocumentOperation
    let id: String?
    let tags: [String]
    /// The words of the tag, else of the first fixed segment of the path.
    let group: [String]
    /// The name of the case.
    var name = ""

    var parameters: [Parameter] = []
    var content = Content.none
    /// The type of the body, if it is a parameter, and whether it may be left out.
    var body: InferredType?
    var isBodyOptional = false
    var bodyExample: JSONValue?
    /// The content type of a JSON body, if it is not the usual one.
    var contentType: String?
    /// Parameters of the query that are too many for a case.
    var query: Int?
    /// Nil for no body, bytes without a type.
    var response: InferredType?
    var isBytes = false
    /// An example of the response.
    var sample: JSONValue?
    var hasLinks = false
    /// What can't be said, for people to look at.
    var comments: [String] = []

    /// The most parameters of a case.
    static let mostParameters = 8

    init(_ source: DocumentOperation) {
        self.source = source
        id = source.value["operationId"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        tags = source.value["tags"]?.elements?.compactMap(\.string) ?? []
        let tag = tags.first.map { SwiftNames.words($0) } ?? []
        group = tag.isEmpty ? OpenAPINames.fixed(source.path).first.map { SwiftNames.words($0) } ?? ["root"] : tag
    }

    var method: String { source.method }
    var path: String { source.path }
    /// `GET /pets`
    var key: String { "\(method) \(path)" }

    var summary: String {
        let texts = [source.value["summary"]?.string, source.value["description"]?.string]
        let words = SwiftNames.words(name).joined(separator: " ")
        let own = texts.lazy.map { SchemaReader.sentence($0, longest: 80) }.first { !$0.isEmpty }
        let sentence = own ?? words.prefix(1).uppercased() + words.dropFirst()
        return sentence + (source.value["deprecated"]?.bool == true ? " (deprecated)" : "")
    }
}

/// Reads what operations send and receive.
struct OperationReader {
    var schemas: SchemaReader
    private(set) var sent: [InferredType] = []
    private(set) var received: [InferredType] = []
    private(set) var bytesCount = 0
    /// The types of responses, and what they are about.
    private(set) var responseSubjects: [(type: InferredType, words: [String])] = []
    /// A longer literal of a name would take several lines.
    static let longestKey = 70
    private let sweep: SecretSweep

    init(_ document: OpenAPIDocument, _ sweep: SecretSweep) {
        self.sweep = sweep
        schemas = SchemaReader(document)
    }

    /// Reads parameters, body and responses. Throws ``OpenAPIError``.
    mutating func read(_ operation: inout OpenAPIOperation) throws {
        try operation.source.read(schemas.document)
        for parameter in operation.source.parameters { try add(parameter, &operation) }
        operation.parameters.sort { $0.place == .path && $1.place != .path }
        try readBody(&operation)
        try readResponses(&operation)
        nameParameters(&operation)
        sent += operation.parameters.map(\.type) + (operation.body.map { [$0] } ?? [])
        sent += operation.query.map { [.model($0)] } ?? []
    }

    private mutating func add(_ parameter: DocumentOperation.Parameter, _ operation: inout OpenAPIOperation) throws {
        let key = parameter.name
        func leaveOut(_ problem: String) { operation.comments.append(problem) }
        guard let place = OpenAPIOperation.Parameter.Place(rawValue: parameter.place) else {
            return leaveOut("the cookie '\(key)' is not sent")
        }
        if place == .path, !OpenAPINames.variables(operation.path).contains(key) {
            return leaveOut("the path has no place for '\(key)'")
        }
        let isToken = key.utf8.allSatisfy { $0.isLetterOrDigit || "-_.!#$%&'*+^`|~".utf8.contains($0) }
        let isLong = place != .path && SwiftLiteral.string(key).count > Self.longestKey
        if key.isEmpty || isLong || place == .header && !isToken {
            return leaveOut("the \(place) parameter '\(key)' has a name that can't be sent")
        }
        let value = parameter.value
        if value["in"] == nil { operation.comments.append("the path's '\(key)' is not described") }
        var result = OpenAPIOperation.Parameter(key: key, place: place, type: .string)
        let type = try parameter.schema.map { try schemas.type(of: $0) }?.unwrapped.type ?? .string
        result.type = simplified(type, result, &operation)
        result.isOptional = !parameter.isRequired
        result.example = try schemas.document.example(of: value, parameter.schema)
        result.note = SchemaReader.sentence(value["description"]?.string, longest: 100)
        if value["content"] != nil, value["schema"] == nil {
            operation.comments.append("'\(key)' is text in another format, such as JSON")
        }
        if value["allowReserved"]?.bool == true {
            operation.comments.append("reserved characters of '\(key)' are percent-encoded")
        }
        let usual = schemas.document.isSwagger ? "csv" : "form"
        let style = value["style"]?.string ?? value["collectionFormat"]?.string ?? usual
        let explodes = ["form", "multi"].contains(style) && value["explode"]?.bool != false
        let isList = if case .array = result.type { true } else { false }
        switch (place, style) {
        case (.path, _) where value["x-multi-segment"]?.bool == true && result.type == .string:
            result.style = .segments
        case (.path, "matrix"), (.path, "label"):
            operation.comments.append("'\(key)' has the style \(style), and is sent as plain text")
        case (.query, "deepObject") where isList || !isScalar(result.type): result.style = .indexed
        case (.query, _) where isList:
            let separators = ["spaceDelimited": " ", "ssv": " ", "pipeDelimited": "|", "pipes": "|", "tsv": "\t"]
            result.style = explodes ? .plain : .joined(separators[style] ?? ",")
        case (.query, "form") where !isScalar(result.type):
            if explodes { result.style = .fields }
            if !explodes { operation.comments.append("'\(key)' is sent with brackets, not commas") }
        default: break
        }
        operation.parameters.append(result)
    }

    // MARK: Kinds of types

    func isText(_ type: InferredType) -> Bool { type.model.map { schemas.models[$0].isText } ?? false }

    func isScalar(_ type: InferredType) -> Bool {
        switch type.unwrapped.type {
        case .bool, .integer, .decimal, .double, .string, .date: true
        case .model: isText(type)
        default: false
        }
    }

    /// The type of a parameter: in a path or header, and where only scalars can be, one that has a text.
    private func simplified(
        _ type: InferredType, _ parameter: OpenAPIOperation.Parameter, _ operation: inout OpenAPIOperation
    ) -> InferredType {
        if let model = type.model, case .kinds(let kinds) = schemas.models[model].form, kinds.allSatisfy(isScalar) {
            return .string
        }
        if case .array(let element) = type {
            let inner = element.unwrapped.type
            if isScalar(inner) { return .array(parameter.place == .query || inner != .date ? inner : .string) }
            if parameter.place == .query { return type }
        }
        if parameter.place == .header, type == .date { return .string }
        if isScalar(type) { return type }
        if parameter.place == .query {
            return type.reasonForJSON == nil || type.unwrapped.type == .dictionary(.json(SchemaReader.undescribed))
                ? type : .string
        }
        operation.comments.append("'\(parameter.key)' is not a scalar, and sent as the text given")
        return .string
    }

    // MARK: Bodies

    private func bodyWords(_ operation: OpenAPIOperation) -> [String] {
        let words = SwiftNames.words(operation.name)
        let group = SwiftNames.singular(operation.group)
        return words.suffix(group.count) == group[...] ? words : words + group
    }

    /// A content type without what can't be in one, or is too long for a line.
    private static func header(_ type: String) -> String {
        String(type.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$&^_.+-/*;= ".contains($0)) }.prefix(40))
    }

    private mutating func readBody(_ operation: inout OpenAPIOperation) throws {
        guard let declared = operation.source.body, let media = DocumentOperation.Media.preferred(declared.media) else {
            return
        }
        operation.isBodyOptional = !declared.isRequired
        operation.bodyExample = media.example
        switch media.rank {
        case 0: operation.content = .json
        case 1: (operation.content, operation.contentType) = (.json, Self.header(media.type))
        case 2:
            let encoding = try schemas.document.members(media.value["encoding"])
            operation.content = .form(isIndexed: encoding.contains { $0.value["style"]?.string == "deepObject" })
        case 3: operation.content = .multipart
        case 4:
            (operation.content, operation.body) = (.text(Self.header(media.type)), .string)
            return
        default:
            operation.content = .bytes(Self.header(media.type))
            bytesCount += 1
            return operation.comments.append("the body is bytes: to send them, --body @FILE")
        }
        let (body, isNull) =
            try media.schema.map { try schemas.type(of: $0) }?.unwrapped ?? (.json(SchemaReader.undescribed), false)
        try schemas.finish()
        operation.isBodyOptional = operation.isBodyOptional || isNull
        operation.body = body
        let fields = body.model.map { schemas.models[$0].fields } ?? []
        switch operation.content {
        case .multipart where !fields.isEmpty:
            let sendable = fields.filter { OperationText.isSendable($0, schemas.models) }
            if sendable.count < fields.count {
                operation.comments.append("parts that are objects or dates are not sent")
            }
            if sendable.isEmpty { (operation.content, operation.body) = (.none, nil) }
        case .form where !fields.isEmpty || body.holdsJSON && !media.isEmpty: break
        case .json: break
        default:
            (operation.content, operation.body) = (.none, nil)
            if !media.isEmpty { operation.comments.append("the body is a form without known fields, and not sent") }
        }
        guard let model = operation.body?.model else { return }
        schemas.name(model, words: bodyWords(operation))
        if operation.method == "PATCH" { schemas.setChange(model) }
    }

    // MARK: Responses

    private mutating func readResponses(_ operation: inout OpenAPIOperation) throws {
        let all = operation.source.responses
        func isBytes(_ comment: String) {
            (operation.isBytes, bytesCount) = (true, bytesCount + 1)
            operation.comments.append(comment)
        }
        var good = all.filter { $0.status.hasPrefix("2") }.sorted { $0.status < $1.status }
        if good.isEmpty { good = all.filter { $0.status == "default" } }
        if good.isEmpty, all.contains(where: { $0.status.hasPrefix("3") }) {
            return isBytes("the response is what a redirect leads to, as bytes")
        }
        operation.hasLinks = try good.contains { response in
            try schemas.document.members(response.value["headers"]).contains { $0.key.isSameName(as: "Link") }
        }
        guard let media = DocumentOperation.Media.preferred(good.flatMap(\.media)) else { return }
        guard media.rank < 2 else { return isBytes("the response is \(media.type), as bytes") }
        var response =
            try media.schema.map { try schemas.type(of: $0) } ?? schemas.json(media.value, SchemaReader.undescribed)
        try schemas.finish()
        if let sample = media.example, sample.kind == .object || sample.kind == .array {
            // Without secrets, for the types must have what is left in their places.
            operation.sample = sweep.cleaned(json: Array(sample.written)).flatMap { try? JSONValue(text: $0) }
        }
        if let sample = operation.sample { response = schemas.widened(response, by: sample) }
        operation.response = response
        received.append(response)
        let words = SwiftNames.words(OpenAPINames.fixed(operation.path).last ?? "response")
        responseSubjects.append((response, operation.path.hasSuffix("}") ? SwiftNames.singular(words) : words))
    }

    // MARK: Names

    private static let unusable: Set = ["body", "query", "self", "Type", "Protocol", "init", "let", "var", "inout"]

    /// Names the parameters, and makes a structure of those of the query if there are too many.
    private mutating func nameParameters(_ operation: inout OpenAPIOperation) {
        var table = NameTable(["body", "query"])
        for index in operation.parameters.indices {
            let words = SwiftNames.words(operation.parameters[index].key)
            var name = SwiftNames.memberName(words)
            // Swift 6.3 crashes when it derives `encode(to:)` for a case with a label such as `a0` and a value without one.
            let isPosition = name.first == "a" && Int(name.dropFirst()) != nil
            if isPosition || Self.unusable.contains(name) { name += "Value" }
            operation.parameters[index].name = table.unique(name)
        }
        for parameter in operation.parameters {
            for model in parameter.type.models {
                schemas.name(model, words: SwiftNames.singular(SwiftNames.words(parameter.key)))
            }
        }
        guard operation.parameters.count > OpenAPIOperation.mostParameters else { return }
        let places = operation.parameters.indices.filter {
            operation.parameters[$0].place == .query && operation.parameters[$0].style == .plain
        }
        let fields = places.map { place in
            operation.parameters[place].isInQuery = true
            let parameter = operation.parameters[place]
            return InferredModel.Field(
                key: parameter.key, sentKey: parameter.key, type: parameter.type, isOptional: parameter.isOptional,
                path: "", summary: parameter.note)
        }
        operation.query = schemas.add(fields, words: bodyWords(operation) + ["query"])
    }
}
