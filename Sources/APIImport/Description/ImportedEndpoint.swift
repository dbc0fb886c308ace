import EndpointKit
import EndpointTools
import JSONText

/// An endpoint that is made of recorded or typed requests of one method and path, without their secrets.
///
/// The first request is the example.
package struct ImportedEndpoint {
    /// The path with names of parameters: `/movie/{movieID}`.
    package let template: String
    private(set) var text: EndpointText
    /// Remarks about parts of the requests that are left out or changed, for people to read.
    private(set) var notes: [String] = []
    /// Whether the endpoint returns JSON of any kind, or bytes.
    private(set) var isLoose = false
    /// The sample without secrets, and the name of its file; nil if no response can be one.
    package private(set) var sample: (file: String, text: [UInt8])?
    private let secrets: ImportSecrets
    private var names = NameTable()
    private var call: CallExample

    package var method: String { text.method }
    /// The name of the case.
    package var name: String { text.name }
    /// The words of an example of its call on a command line. A variable of the shell is between marks.
    package var callWords: [String] { call.words }
    /// The variables for secrets that no credential stands for.
    var variables: [NeededVariable] { call.variables }

    /// The most characters of a literal with the name of a parameter. A parameter with a longer name is left out.
    static let longestKey = 80
    /// The most query items, headers or members of a body that become parameters.
    private static let mostFields = 60

    /// Whether requests of this endpoint are examples, which `check` sends. Others become placeholders.
    package var isSafe: Bool { HTTPMethod(rawValue: method).isSafe }

    /// Makes an endpoint of an API.
    ///
    /// - Parameters:
    ///   - source: The requests with their bodies and responses.
    ///   - api: The API. The endpoint declares credentials only if they differ from those of the API.
    ///   - model: The expression for the model of the responses, such as `[Pet].self`; nil if there is none.
    ///   - sentTypes: The types of the body's members that become structures, by their keys.
    ///   - options: Whether samples are kept.
    init(
        _ source: EndpointSource, of api: Scaffold, model: String?, sentTypes: [String: InferredType],
        _ options: ImportChoices
    ) {
        let group = source.group
        let hasOwnCredentials = Set(group.credentials) != Set(api.credentials)
        text = EndpointText(
            name: group.name, method: group.method, path: group.path.pieces,
            summary: SwiftNames.sentence(SwiftNames.words(group.name)),
            credentials: hasOwnCredentials ? group.credentials : nil)
        template = group.path.template
        secrets = source.secrets
        call = CallExample(api: api.name, endpoint: group.name)
        text.isExampleReal = isSafe
        addRequests(of: source, sentTypes: sentTypes)
        addCallOptions(source)
        addResponse(ImportedResponse(source, model: model), options)
        addPages(source)
    }

    /// Adds the parameters and constants of the requests: those of the path, the query, the headers and the body.
    private mutating func addRequests(of source: EndpointSource, sentTypes: [String: InferredType]) {
        let requests = source.group.requests
        addPathParameters(source.group)
        // Another call may do without an item, even if all of these requests have it.
        addItemParameters(requests.map(\.query), in: .query, areOptional: true)
        let hasItemWithoutValue = requests.contains { request in request.query.contains { $0.value == nil } }
        if hasItemWithoutValue { notes.append("a query item without '=' is sent with one") }
        addHeaders(source)
        addBody(source, sentTypes: sentTypes)
    }

    /// Adds options to the example of a call: those of the connection, and `--body @FILE` for a body of bytes.
    private mutating func addCallOptions(_ source: EndpointSource) {
        let example = source.group.requests[0]
        call.add(options: example.connection.flatMap(\.words))
        guard case .data = source.bodies[0] else { return }
        // Only a body from a file has a path. Other bytes get the placeholder FILE.
        call.add(options: ["--body", "@" + (example.content.path ?? "FILE")])
        notes.append("the body is bytes: to send them, --body @FILE")
    }

    /// Returns the name that SwiftPM gives an embedded file: `movies.popular.json` → `movies_popular_json`.
    package static func resource(_ file: String) -> String { file.map { ".-".contains($0) ? "_" : "\($0)" }.joined() }

    // MARK: Responses

    /// The most bytes of a sample. It is compiled into the program.
    private static let longestSample = 100_000

    /// Returns the reason why a sample is left out because of its size; nil if it is kept.
    ///
    /// - Parameter byteCount: The number of bytes of the sample.
    static func sampleProblem(byteCount: Int) -> String? {
        byteCount <= longestSample ? nil : "a sample of \(byteCount) bytes is too long to keep"
    }

    /// Adds the model and the sample of the responses.
    private mutating func addResponse(_ response: ImportedResponse, _ options: ImportChoices) {
        text.returns = response.returns
        isLoose = response.isLoose
        notes += response.notes
        guard let content = response.sample else { return }
        let file = sampleFile(besides: options.sampleFiles)
        sample = (file, text: content)
        if options.keepsSamples { text.sample = ".json(PackageResources.\(Self.resource(file)))" }
    }

    /// Returns the name of the sample's file: `movies.popular.json`.
    ///
    /// SwiftPM makes one resource name of `a.b.json` and `a-b.json`. If another file has the same resource name, a
    /// number is added, with more zeros until it is unique: `movies.popular.1.json`, `movies.popular.01.json`.
    ///
    /// - Parameter otherFiles: The names of the files in the same directory. An equal name is no conflict, because the
    ///   file is then replaced.
    private func sampleFile(besides otherFiles: Set<String>) -> String {
        let name = callWords[0]
        var file = name + ".json"
        var number = "1"
        while otherFiles.contains(where: { $0 != file && Self.resource($0) == Self.resource(file) }) {
            file = "\(name).\(number).json"
            number = "0" + number
        }
        return file
    }

    /// Declares how the endpoint divides its list into pages, as far as the first successful response shows it.
    private mutating func addPages(_ source: EndpointSource) {
        let successfulRequest = source.group.requests.first { $0.response?.head.isSuccess == true }
        guard let request = successfulRequest, let response = request.response,
            let document = source.samples.first?.documents.first
        else { return }
        let pages = PagingFinder(request, response: response, document: document)
        text.pages = pages.declaration
        if let note = pages.note { notes.append(note) }
    }

    // MARK: Parameters

    /// Adds a parameter to the case, with the value of the first request as its example in Swift and in a call.
    ///
    /// - Parameters:
    ///   - key: The name in requests, or the position of a variable in the path.
    ///   - place: The part of the request that has the parameter.
    ///   - values: The value in each request; nil in a request without the parameter.
    ///   - type: The type of the values; nil to infer it from values that are scalars or lists of scalars.
    ///   - isOptional: Whether a request may lack the parameter.
    ///   - name: The text that the name in Swift is made of; nil if it is made of the key.
    /// - Returns: The name in Swift, as an expression: `` `class` `` for `class`.
    @discardableResult
    private mutating func addParameter(
        _ key: String, in place: EndpointText.Parameter.Place, values: [JSONValue?], type: InferredType? = nil,
        isOptional: Bool = false, name: String? = nil
    ) -> String {
        let parameterType = type ?? Self.plainType(of: values.compactMap(\.self))
        // Nil if the first request lacks the parameter.
        let example = values.first ?? nil
        let label = names.unique(EndpointText.Parameter.label(of: SwiftNames.words(name ?? key)))
        text.parameters.append(
            .init(
                key: key, place: place, type: parameterType, isOptional: isOptional, name: label,
                example: exampleExpression(of: example, as: parameterType, isOptional: isOptional)))
        call.addFlag(label, type: parameterType, value: example, secrets: secrets)
        return SwiftNames.identifier(label)
    }

    /// Returns the type of values that are scalars, or lists of scalars: `1`, `2` → `Int`.
    ///
    /// Any other values are `JSONValue`. Texts are never dates, because a parameter has to be sent as it was recorded.
    private static func plainType(of values: [JSONValue]) -> InferredType {
        // With dates as numbers, no text is taken for a date.
        var inference = Inference(
            Coding(dates: .secondsSince1970), maps: [], structures: [], readsNames: false)
        let type = inference.inferType(of: values, at: Inference.SampleLocation()).unwrapped.type
        // The reason for `JSONValue` is empty, because no note mentions it.
        return type.isPlain ? type : .json("")
    }

    /// Returns the Swift expression of a parameter's value in an example such as `.pets(limit: 5)`.
    ///
    /// - Parameters:
    ///   - value: The value in the first request; nil if it has none.
    ///   - type: The type of the parameter.
    ///   - isOptional: Whether the parameter may be nil.
    private func exampleExpression(of value: JSONValue?, as type: InferredType, isOptional: Bool) -> SwiftText {
        // A parameter that can't be nil needs some value, even if the first request shows none.
        let emptyValue: SwiftText = isOptional ? "nil" : "\"\""
        guard let value else { return emptyValue }
        // In JSON of any kind, null is a value that is sent.
        if value.isNull, isOptional, type.isPlain { return emptyValue }
        let hasModel = type.leaf.model != nil
        if hasModel { return SentValues.expression(of: value, as: type, secrets: secrets) }
        if let text = value.string { return .literal(secrets.removed(from: text)) }
        // A list of long texts has no literal, because nobody reads so long an example.
        return RequestValue.literal(of: value, secrets: secrets) ?? "[]"
    }

    /// Adds a parameter of the body that is sent as text, such as a field of a multipart body.
    ///
    /// - Parameters:
    ///   - key: The name of the field.
    ///   - value: The text in the first request. It may look like an integer, which the parameter then is.
    /// - Returns: The expression that converts the parameter to a string: `"\(count)"`.
    private mutating func addTextParameter(_ key: String, value: String) -> String {
        let name = addParameter(key, in: .body, values: RequestValue.values([[value]]))
        // The last parameter is the one that has just been added.
        return EndpointText.stringExpression(for: name, of: text.parameters.last?.type ?? .string)
    }

    /// Returns the values of each key in several requests: `["a": 1]`, `["a": 2, "b": 3]` → `a: [[1], [2]]`,
    /// `b: [[], [3]]`.
    ///
    /// A request may have a key several times, or not at all, so it has a list of values for each key. Only the first
    /// ``mostFields`` keys are returned. If there are more, a note is added to ``notes``.
    private mutating func limitFields<Value>(
        of requests: [[(key: String, value: Value)]]
    ) -> [EndpointSource.KeyWithValues<Value>] {
        let allFields = EndpointSource.groupedByKey(requests)
        let omittedCount = allFields.count - Self.mostFields
        if omittedCount > 0 {
            notes.append("left out: \(omittedCount) items, headers or members of \(allFields.count)")
        }
        return Array(allFields.prefix(Self.mostFields))
    }

    /// Returns the Swift literal of a name in the request: `X-Id` → `"X-Id"`.
    ///
    /// - Parameters:
    ///   - name: The name, which a literal of ``longestKey`` characters must hold.
    ///   - kind: The kind of thing that has the name, for a note: `header`.
    /// - Returns: The literal; nil if it is too long. A note is then added to ``notes``.
    private mutating func shortLiteral(_ name: String, of kind: String) -> String? {
        let literal = SwiftLiteral.string(name)
        if literal.count <= Self.longestKey { return literal }
        notes.append("left out: a \(kind) whose name has \(name.utf8.count) bytes")
        return nil
    }

    /// Adds a parameter for each variable of the path. The key of the parameter is the index of the variable's segment.
    private mutating func addPathParameters(_ group: RequestGroups.Group) {
        let valuesOfRequests = group.requests.map { group.path.values(in: $0.path) ?? [] }
        var variableIndex = 0
        for (segmentIndex, segment) in group.path.segments.enumerated() where segment.isVariable {
            let textsOfRequests = valuesOfRequests.map { values in
                // A request whose path does not fit has no values.
                values.indices.contains(variableIndex) ? [values[variableIndex]] : []
            }
            addParameter(
                "\(segmentIndex)", in: .path, values: RequestValue.values(textsOfRequests), name: segment.text)
            variableIndex += 1
        }
    }

    /// Adds a parameter for each item of a query or form. An item with a long name only adds a note to ``notes``.
    ///
    /// - Parameters:
    ///   - itemsOfRequests: The items of each request.
    ///   - place: The part of the request that has the items.
    ///   - areOptional: Whether all parameters are optional. Otherwise a parameter is optional only if a request has no
    ///     item for it.
    private mutating func addItemParameters(
        _ itemsOfRequests: [[ImportedRequest.NameValue]], in place: EndpointText.Parameter.Place, areOptional: Bool
    ) {
        let textsOfRequests = itemsOfRequests.map { items in
            // An item without `=` is read like one with an empty value.
            items.map { (key: $0.name, value: $0.value ?? "") }
        }
        for (key, texts) in limitFields(of: textsOfRequests) {
            let isShort = shortLiteral(key, of: "query or form item") != nil
            if !isShort { continue }
            let isMissingSometimes = texts.contains(where: \.isEmpty)
            addParameter(
                key, in: place, values: RequestValue.values(texts), isOptional: areOptional || isMissingSometimes)
        }
    }

    /// Adds the headers. A header with the same text in all requests is a constant, any other is a parameter.
    ///
    /// A header with a long name only adds a note to ``notes``.
    private mutating func addHeaders(_ source: EndpointSource) {
        let headersOfRequests = zip(source.group.requests, source.bodies).map(Self.headers)
        for (name, values) in limitFields(of: headersOfRequests) {
            let isShort = shortLiteral(name, of: "header") != nil
            if !isShort { continue }
            // Several headers of one name are one list (RFC 9110, section 5.3).
            let texts = values.map { $0.isEmpty ? [] : [$0.joined(separator: ", ")] }
            if let constant = Self.commonText(texts) {
                addConstant(name, in: .header, value: constant)
            } else {
                addParameter(name, in: .header, values: RequestValue.values(texts), isOptional: true)
            }
        }
    }

    /// Returns the headers of a request, without a `Content-Type` that the body has anyway.
    private static func headers(_ request: ImportedRequest, _ body: ImportedBody) -> [(key: String, value: String)] {
        var headers: [(key: String, value: String)] = []
        for header in request.headers {
            let value = header.value ?? ""
            let isImplied = header.name.isSameName(as: "Content-Type") && body.declares(value)
            if !isImplied { headers.append((header.name, value)) }
        }
        return headers
    }

    /// Returns the text that a header has in all requests: `[["a"], ["a"]]` → `a`.
    ///
    /// - Parameter texts: The text in each request; empty for a request without the header.
    /// - Returns: The text; nil if the requests differ, lack the header, or have a variable of the shell in it.
    private static func commonText(_ texts: [[String]]) -> String? {
        let areEqual = Set(texts).count == 1
        guard areEqual, let text = texts[0].first else { return nil }
        let hasVariable = !ImportedRequest.variables(in: text).isEmpty
        return hasVariable ? nil : text
    }

    /// Adds a text that is the same in all requests. It becomes a constant, and no parameter of the case.
    private mutating func addConstant(_ key: String, in place: EndpointText.Parameter.Place, value: String) {
        let constant = SwiftText.literal(secrets.removed(from: value))
        text.parameters.append(.init(key: key, place: place, type: .string, constant: constant))
    }

    // MARK: Bodies

    /// Declares the body in the format that the first request has: JSON, a form, parts, text or bytes.
    ///
    /// Each JSON member or form item of any request becomes a parameter. Parts and texts come from the first request.
    ///
    /// - Parameters:
    ///   - source: The requests with their bodies.
    ///   - sentTypes: The types of the members that become structures, by their keys.
    private mutating func addBody(_ source: EndpointSource, sentTypes: [String: InferredType]) {
        switch source.bodies[0] {
        case .none:
            // The requests have no body.
            break
        case .object:
            addMemberParameters(of: source, sentTypes: sentTypes)
            text.body = .object
        case .form:
            addItemParameters(source.bodies.map(\.items), in: .body, areOptional: false)
            text.body = .form
        case .parts(let parts):
            text.body = .expression(.list(".multipart([", parts.compactMap { addPart($0) }, "])"))
        case .text(let body, let type):
            let typeArgument = contentTypeArgument(type, unless: "text/plain; charset=utf-8")
            text.body = .expression(".text(\(addTextParameter("body", value: body))\(typeArgument))")
        case .data(let type):
            let literal = shortLiteral(type, of: "content type") ?? "\"application/octet-stream\""
            // The recorded bytes are of no use in code. A call sends others with `--body @FILE`.
            text.body = .expression(".data([], contentType: \(literal))")
        }
    }

    /// Adds a parameter for each member of the JSON objects in the bodies.
    ///
    /// The query of GraphQL and the name of its operation are constants: another query would be another endpoint.
    ///
    /// - Parameters:
    ///   - source: The requests with their bodies.
    ///   - sentTypes: The types of the members that become structures, by their keys. The types of other members are
    ///     inferred from their values.
    private mutating func addMemberParameters(of source: EndpointSource, sentTypes: [String: InferredType]) {
        let isGraphQL = source.group.operation != nil
        let constantKeys: Set = isGraphQL ? ["operationName", "query"] : []
        for (key, valuesOfRequests) in limitFields(of: source.bodies.map(\.members)) {
            if constantKeys.contains(key), let text = valuesOfRequests[0].first?.string {
                addConstant(key, in: .body, value: text)
            } else {
                let isMissingSometimes = valuesOfRequests.contains(where: \.isEmpty)
                addParameter(
                    key, in: .body, values: valuesOfRequests.map(\.first), type: sentTypes[key],
                    isOptional: isMissingSometimes)
            }
        }
    }

    /// Adds a parameter for the text or the path in a part of a multipart body, and returns the part in Swift.
    ///
    /// Bytes are left empty in Swift, because recorded bytes are of no use in code. They get no parameter.
    ///
    /// - Returns: The expression of the part, such as `.field("name", name)`. It is nil if the name of the part, or the
    ///   content type of a text, is too long. The part is then left out, and a note is added to ``notes``.
    private mutating func addPart(_ part: Part) -> SwiftText? {
        guard let nameLiteral = shortLiteral(part.name, of: "part") else { return nil }
        switch part {
        case .field(let name, let value):
            let text = addTextParameter(name, value: value)
            return ".field(\(nameLiteral), \(text))"
        case .text(let name, let value, let type):
            guard let typeLiteral = shortLiteral(type, of: "content type") else { return nil }
            let text = addTextParameter(name, value: value)
            return ".text(\(nameLiteral), \(text), contentType: \(typeLiteral))"
        case .file(let name, let path, let filename, let type):
            var filenameArgument = ""
            if let filename, let filenameLiteral = shortLiteral(filename, of: "file name") {
                filenameArgument = ", filename: \(filenameLiteral)"
            }
            let typeArgument = contentTypeArgument(type, unless: "application/octet-stream")
            let pathExpression = addTextParameter(name, value: path)
            return ".file(\(nameLiteral), path: \(pathExpression)\(filenameArgument)\(typeArgument))"
        case .bytes(_, _, let filename, let type), .stream(_, _, let filename, let type):
            let filenameLiteral = filename.flatMap { shortLiteral($0, of: "file name") } ?? "nil"
            let typeArgument = contentTypeArgument(type, unless: "application/octet-stream")
            return ".bytes(\(nameLiteral), [], filename: \(filenameLiteral)\(typeArgument))"
        }
    }

    /// Returns the argument with a content type: `, contentType: "text/csv"`.
    ///
    /// - Parameters:
    ///   - type: The content type.
    ///   - defaultType: The content type that is sent without the argument, which is then empty.
    /// - Returns: The argument; empty also if the type is too long, about which a note is added to ``notes``.
    private mutating func contentTypeArgument(_ type: String, unless defaultType: String) -> String {
        guard type != defaultType, let literal = shortLiteral(type, of: "content type") else { return "" }
        return ", contentType: \(literal)"
    }
}

extension Part {
    /// The name of the field.
    fileprivate var name: String {
        switch self {
        case .field(let name, _), .text(let name, _, _), .file(let name, _, _, _), .bytes(let name, _, _, _),
            .stream(let name, _, _, _):
            name
        }
    }
}

extension ImportedEndpoint {
    /// The case without its keyword: `popular(page: Int?)`.
    package var declaration: String { text.declaration.printed(indent: 4, column: 5) }

    /// The value in the list of examples: `.popular(page: 1)`.
    package var example: String { text.example?.printed(indent: 8) ?? "" }

    /// The arm of the switch, indented as in the enum: `case .popular(let page):` and the endpoint.
    package var arm: String { text.arm(usesReturn: false).printed(indent: 8) }
}
