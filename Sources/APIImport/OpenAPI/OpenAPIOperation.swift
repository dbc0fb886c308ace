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
    }

    enum Content {
        case none, json, form(isIndexed: Bool), multipart, text(String), bytes(String)
    }

    let method: String
    let path: String
    let value: JSONValue
    let item: JSONValue
    let id: String?
    /// The words of the tag, else of the first fixed segment of the path.
    let group: [String]
    let tags: [String]
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

    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
    /// The most parameters of a case.
    static let mostParameters = 8

    init(_ method: String, _ path: String, _ value: JSONValue, _ item: JSONValue) {
        (self.method, self.path, self.value, self.item) = (method.uppercased(), path, value, item)
        id = value["operationId"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        tags = value["tags"]?.elements?.compactMap(\.string) ?? []
        let tag = tags.first.map { SwiftNames.words($0) } ?? []
        group = tag.isEmpty ? OpenAPINames.fixed(path).first.map { SwiftNames.words($0) } ?? ["root"] : tag
    }

    var summary: String {
        let text = SchemaReader.sentence(value["summary"]?.string, longest: 80)
        let own = text.isEmpty ? SchemaReader.sentence(value["description"]?.string, longest: 80) : text
        let words = SwiftNames.words(name).joined(separator: " ")
        let sentence = own.isEmpty ? words.prefix(1).uppercased() + words.dropFirst() : own
        return sentence + (value["deprecated"]?.bool == true ? " (deprecated)" : "")
    }
}

/// Reads what operations send and receive.
struct OperationReader {
    let document: OpenAPIDocument
    var schemas: SchemaReader
    private(set) var sent: [InferredType] = []
    private(set) var received: [InferredType] = []
    private(set) var bytesCount = 0
    /// A longer literal of a name would take several lines.
    static let longestKey = 70
    private let sweep: SecretSweep

    init(_ document: OpenAPIDocument, _ sweep: SecretSweep) {
        (self.document, self.sweep) = (document, sweep)
        schemas = SchemaReader(document)
    }

    /// Reads parameters, body and responses. Throws ``OpenAPIError``.
    mutating func read(_ operation: inout OpenAPIOperation) throws {
        var bodies: [JSONValue] = []
        for parameter in try declared(operation) {
            try add(parameter, &operation, &bodies)
        }
        for key in OpenAPINames.variables(operation.path)
        where !operation.parameters.contains(where: { $0.place == .path && $0.key == key }) {
            operation.parameters.append(.init(key: key, place: .path, type: .string))
            operation.comments.append("the path's '\(key)' is not described")
        }
        operation.parameters.sort { $0.place == .path && $1.place != .path }
        try readBody(&operation, bodies)
        try readResponses(&operation)
        nameParameters(&operation)
        sent += operation.parameters.map(\.type) + (operation.body.map { [$0] } ?? [])
        sent += operation.query.map { [.model($0)] } ?? []
    }

    /// The parameters of the path and of the operation, which replaces those of the same name and place.
    private func declared(_ operation: OpenAPIOperation) throws -> [JSONValue] {
        var all: [JSONValue] = []
        for list in [operation.item["parameters"], operation.value["parameters"]] {
            for element in try document.elements(list) {
                let parameter = try document.resolved(element)
                guard parameter["name"]?.string != nil, parameter["in"]?.string != nil else {
                    throw document.error(parameter, "a parameter needs 'name' and 'in'")
                }
                all.removeAll { $0["name"] == parameter["name"] && $0["in"] == parameter["in"] }
                all.append(parameter)
            }
        }
        return all
    }

    private mutating func add(
        _ parameter: JSONValue, _ operation: inout OpenAPIOperation, _ bodies: inout [JSONValue]
    ) throws {
        let key = parameter["name"]?.string ?? ""
        switch parameter["in"]?.string ?? "" {
        case "body", "formData": return bodies.append(parameter)
        case "cookie": return operation.comments.append("the cookie '\(key)' is not sent")
        case let name:
            guard let place = OpenAPIOperation.Parameter.Place(rawValue: name) else {
                throw document.error(parameter, "a parameter is in path, query, header or cookie, not in '\(name)'")
            }
            // The client, or the body and the credentials, have these (OpenAPI 3.1, section 4.8.12).
            if place == .header, ["accept", "content-type", "authorization"].contains(key.lowercased()) { return }
            if place == .path, !OpenAPINames.variables(operation.path).contains(key) {
                return operation.comments.append("the path has no place for '\(key)'")
            }
            if key.isEmpty || place != .path && SwiftLiteral.string(key).count > Self.longestKey
                || place == .header
                    && !key.utf8.allSatisfy({ $0.isLetterOrDigit || "-_.!#$%&'*+^`|~".utf8.contains($0) })
            {
                return operation.comments.append("the \(name) parameter '\(key)' has a name that can't be sent")
            }
            var result = OpenAPIOperation.Parameter(key: key, place: place, type: .string)
            try read(parameter, &result, &operation)
            operation.parameters.append(result)
        }
    }

    private mutating func read(
        _ parameter: JSONValue, _ result: inout OpenAPIOperation.Parameter, _ operation: inout OpenAPIOperation
    ) throws {
        let media = parameter["content"]?.members?.first?.value
        if parameter["schema"] == nil, media != nil {
            operation.comments.append("'\(result.key)' is text in another format, such as JSON")
        }
        let schema: JSONValue? = parameter["schema"] ?? (document.isSwagger ? .some(parameter) : .none)
        let (type, _) = try schema.map { try schemas.type(of: $0) }?.unwrapped ?? (.string, false)
        result.type = media == nil ? simplified(type, result, &operation) : .string
        result.isOptional = result.place != .path && parameter["required"]?.bool != true
        result.example = try Self.example(of: parameter, schema, document)
        result.note = SchemaReader.sentence(parameter["description"]?.string, longest: 100)
        if parameter["allowReserved"]?.bool == true {
            operation.comments.append("reserved characters of '\(result.key)' are percent-encoded")
        }
        let style = parameter["style"]?.string ?? parameter["collectionFormat"]?.string
        let explode = parameter["explode"]?.bool
        let isForm = style == nil && !document.isSwagger || style == "form" || style == "multi"
        switch (result.place, style) {
        case (.path, _)
        where parameter.members?.contains(where: { $0.key == "x-multi-segment" && $0.value.bool == true }) == true
            && result.type == .string:
            result.style = .segments
        case (.path, "matrix"?), (.path, "label"?):
            operation.comments.append("'\(result.key)' has the style \(style ?? ""), and is sent as plain text")
        case (.query, _) where isList(result.type):
            switch style {
            case "deepObject"?: result.style = .indexed
            case "spaceDelimited"?, "ssv"?: result.style = .joined(" ")
            case "pipeDelimited"?, "pipes"?: result.style = .joined("|")
            case "tsv"?: result.style = .joined("\t")
            default: result.style = isForm && explode != false ? .plain : .joined(",")
            }
        case (.query, _) where !isScalar(result.type):
            if style != "deepObject", isForm {
                if explode == false { operation.comments.append("'\(result.key)' is sent with brackets, not commas") }
                result.style = explode == false ? .plain : .fields
            } else if style == "deepObject" {
                result.style = .indexed
            }
        default: break
        }
    }

    // MARK: Kinds of types

    private func isList(_ type: InferredType) -> Bool { if case .array = type { true } else { false } }

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

    // MARK: Examples

    static func example(of parameter: JSONValue, _ schema: JSONValue?, _ document: OpenAPIDocument) throws -> JSONValue?
    {
        if let own = parameter["example"] ?? parameter["x-example"] { return own }
        if parameter["examples"]?.kind == .object, let first = try document.members(parameter["examples"]).first,
            let value = try document.resolved(first.value)["value"]
        {
            return value
        }
        guard let schema = try schema.map(document.resolved) else { return nil }
        return schema["example"] ?? schema["examples"]?.elements?.first ?? schema["default"]
    }

    // MARK: Bodies

    private mutating func readBody(_ operation: inout OpenAPIOperation, _ bodies: [JSONValue]) throws {
        if document.isSwagger { return try readSwaggerBody(&operation, bodies) }
        guard let declared = try operation.value["requestBody"].map(document.resolved) else { return }
        let all = try document.members(declared["content"])
        guard let (type, media) = Self.preferred(all) else { return }
        operation.isBodyOptional = declared["required"]?.bool != true
        operation.bodyExample = try Self.example(of: media, media["schema"], document)
        let isIndexed = try document.members(media["encoding"]).contains { $0.value["style"]?.string == "deepObject" }
        try read(media["schema"], of: type, &operation, isIndexed: isIndexed)
    }

    private mutating func readSwaggerBody(_ operation: inout OpenAPIOperation, _ bodies: [JSONValue]) throws {
        let types = (operation.value["consumes"] ?? document.root["consumes"])?.elements?.compactMap(\.string) ?? []
        if let body = bodies.first(where: { $0["in"]?.string == "body" }) {
            let type = types.first { Self.rank($0) == 0 } ?? types.first ?? "application/json"
            operation.isBodyOptional = body["required"]?.bool != true
            return try read(body["schema"], of: type, &operation, isIndexed: false)
        }
        guard !bodies.isEmpty else { return }
        let isMultipart = bodies.contains { $0["type"]?.string == "file" } || types.first == "multipart/form-data"
        let fields = try bodies.map { field in
            let key = field["name"]?.string ?? ""
            return InferredModel.Field(
                key: key, sentKey: key, type: try schemas.type(of: field).unwrapped.type,
                isOptional: field["required"]?.bool != true, path: field["type"]?.string == "file" ? "binary" : "",
                summary: SchemaReader.sentence(field["description"]?.string))
        }
        operation.body = .model(schemas.add(fields, words: bodyWords(operation)))
        operation.content = isMultipart ? .multipart : .form(isIndexed: false)
    }

    private func bodyWords(_ operation: OpenAPIOperation) -> [String] {
        let words = SwiftNames.words(operation.name)
        let group = SwiftNames.singular(operation.group)
        return words.suffix(group.count) == group[...] ? words : words + group
    }

    /// JSON first, then what has fields, text, bytes.
    private static func preferred(_ all: [(key: String, value: JSONValue)]) -> (key: String, value: JSONValue)? {
        all.enumerated().min { (rank($0.element.key), $0.offset) < (rank($1.element.key), $1.offset) }?.element
    }

    private static func rank(_ type: String) -> Int {
        let type = type.prefix { $0 != ";" }.lowercased()
        switch type {
        case "application/json", "*/*", "application/*": return 0
        case _ where type.hasSuffix("+json") || type.hasSuffix("/json"): return 1
        case "application/x-www-form-urlencoded": return 2
        case "multipart/form-data": return 3
        case _ where type.hasPrefix("text/"): return 4
        default: return 5
        }
    }

    /// A content type without what can't be in one, or is too long for a line.
    private static func header(_ type: String) -> String {
        String(type.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$&^_.+-/*;= ".contains($0)) }.prefix(40))
    }

    private mutating func read(
        _ schema: JSONValue?, of type: String, _ operation: inout OpenAPIOperation, isIndexed: Bool
    ) throws {
        switch Self.rank(type) {
        case 0, 1:
            operation.content = .json
            if Self.rank(type) == 1 { operation.contentType = Self.header(type) }
        case 2: operation.content = .form(isIndexed: isIndexed)
        case 3: operation.content = .multipart
        case 4: operation.content = .text(Self.header(type))
        default: operation.content = .bytes(Self.header(type))
        }
        switch operation.content {
        case .text:
            operation.body = .string
            return
        case .bytes:
            bytesCount += 1
            return operation.comments.append("the body is bytes: to send them, --body @FILE")
        default: break
        }
        let (body, isNull) =
            try schema.map { try schemas.type(of: $0) }?.unwrapped ?? (.json(SchemaReader.undescribed), false)
        try schemas.finish()
        operation.isBodyOptional = operation.isBodyOptional || isNull
        if case .json = operation.content {
            operation.body = body
        } else if let model = body.model, !schemas.models[model].fields.isEmpty {
            operation.body = body
            if case .multipart = operation.content {
                markFiles(model, schema)
                let fields = schemas.models[model].fields
                let sendable = fields.filter { field in
                    isScalar(field.type) && field.type.unwrapped.type != .date
                        && SwiftLiteral.string(field.key).count <= Self.longestKey
                }
                if sendable.count < fields.count {
                    operation.comments.append("parts that are lists, objects or dates are not sent")
                }
                if sendable.isEmpty { (operation.content, operation.body) = (.none, nil) }
            }
        } else if schema?["properties"]?.members?.isEmpty == true {
            // A form without fields.
            operation.content = .none
        } else if case .form = operation.content, !isScalar(body), !isList(body) {
            operation.body = body
        } else {
            operation.content = .none
            operation.comments.append("the body is a form without known fields, and not sent")
        }
        guard let model = operation.body?.model else { return }
        schemas.name(model, words: bodyWords(operation))
        if operation.method == "PATCH" { schemas.setChange(model) }
    }

    /// Notes which fields of a multipart body are files.
    private mutating func markFiles(_ model: Int, _ schema: JSONValue?) {
        guard let schema = try? schema.map(document.resolved), let properties = try? schemas.properties(of: schema)
        else {
            return
        }
        for (index, field) in schemas.models[model].fields.enumerated() {
            let own = properties.schemas[field.key].flatMap { try? document.resolved($0) }
            let isFile = own?["format"]?.string == "binary" || own?["contentMediaType"] != nil
            if isFile { schemas.change(model, index) { $0.path = "binary" } }
        }
    }

    // MARK: Responses

    private mutating func readResponses(_ operation: inout OpenAPIOperation) throws {
        let all = try document.members(operation.value["responses"])
        var good = all.filter { $0.key.hasPrefix("2") }.sorted { $0.key < $1.key }
        if good.isEmpty { good = all.filter { $0.key == "default" } }
        if good.isEmpty, all.contains(where: { $0.key.hasPrefix("3") }) {
            operation.isBytes = true
            operation.comments.append("the response is what a redirect leads to, as bytes")
            bytesCount += 1
            return
        }
        var media: [(key: String, value: JSONValue)] = []
        for (_, value) in good {
            let response = try document.resolved(value)
            if try document.members(response["headers"]).contains(where: { $0.key.isSameName(as: "Link") }) {
                operation.hasLinks = true
            }
            if document.isSwagger, let schema = response["schema"] {
                let produces = (operation.value["produces"] ?? document.root["produces"])?.elements?.compactMap(
                    \.string)
                let isFile = schema["type"]?.string == "file"
                media.append(
                    (
                        isFile
                            ? "application/octet-stream" : produces?.first { Self.rank($0) < 2 } ?? "application/json",
                        response
                    ))
            } else {
                media += try document.members(response["content"])
            }
        }
        guard let (type, value) = Self.preferred(media) else { return }
        guard Self.rank(type) < 2 else {
            operation.isBytes = true
            bytesCount += 1
            return operation.comments.append("the response is \(type), as bytes")
        }
        let schema = value["schema"]
        let response = try schema.map { try schemas.type(of: $0) } ?? schemas.json(value, SchemaReader.undescribed)
        try schemas.finish()
        let sample =
            try document.isSwagger
            ? value["examples"]?.members?.first { Self.rank($0.key) < 2 }?.value
            : Self.example(of: value, schema, document)
        if let sample, sample.kind == .object || sample.kind == .array {
            // Without secrets, for the types must have what is left in their places.
            operation.sample = sweep.cleaned(json: Array(sample.written)).flatMap { try? JSONValue(text: $0) }
        }
        operation.response = operation.sample.map { schemas.widened(response, by: $0) } ?? response
        received.append(operation.response ?? response)
        let last = OpenAPINames.fixed(operation.path).last ?? "response"
        let words = SwiftNames.words(last)
        responseSubjects.append(
            (operation.response ?? response, (operation.path.hasSuffix("}") ? SwiftNames.singular(words) : words)))
    }

    /// The types of responses, and what they are about.
    private(set) var responseSubjects: [(type: InferredType, words: [String])] = []

    // MARK: Names

    /// Names the parameters, and makes a structure of those of the query if there are too many.
    private static let unusable: Set = ["body", "query", "self", "Type", "Protocol", "init", "let", "var", "inout"]

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
        let fields = operation.parameters.filter { $0.place != .path }.map { parameter in
            InferredModel.Field(
                key: parameter.name, sentKey: parameter.name, type: parameter.type, isOptional: parameter.isOptional,
                path: "",
                summary: parameter.note)
        }
        operation.query = schemas.add(fields, words: bodyWords(operation) + ["query"])
    }
}
