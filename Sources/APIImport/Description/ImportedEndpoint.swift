import EndpointKit
import EndpointTools
import JSONText

/// An endpoint as parts of an enum: requests of one method and path, without secrets. The first is the example.
package struct ImportedEndpoint {
    /// The path with names of parameters: `/movie/{movieID}`.
    package let template: String
    private(set) var text: EndpointText
    private(set) var notes: [String] = []
    /// Whether it returns JSON of any kind, or bytes.
    private(set) var isLoose = false
    /// The sample without secrets, and its file.
    package private(set) var sample: (file: String, text: [UInt8])?
    private let sweep: SecretSweep
    private var names = NameTable()
    private var call: CallExample

    package var method: String { text.method }
    /// The name of the case.
    package var name: String { text.name }
    /// The words of its call on a command line; a variable of the shell is between marks.
    package var callWords: [String] { call.words }
    /// The variables for secrets that no credential stands for.
    var variables: [NeededVariable] { call.variables }

    static let longestKey = 80
    /// The most items of a query, headers or members that become parameters.
    private static let mostFields = 60

    /// Whether requests of this endpoint are examples, which `check` sends. Others become placeholders.
    package var isSafe: Bool { HTTPMethod(rawValue: method).isSafe }

    /// Describes an endpoint of an API.
    ///
    /// - Parameters:
    ///   - source: The requests with their bodies and responses.
    ///   - api: The API, whose credentials need not be repeated.
    ///   - sweep: Removes secrets.
    ///   - model: The expression for the model of the responses; nil if there is none.
    ///   - types: The types of the body's members that hold objects; nil for JSON of any kind.
    ///   - options: Whether samples are kept.
    init(
        _ source: EndpointSource, _ api: Scaffold, _ sweep: SecretSweep, model: String?,
        _ types: [(key: String, type: InferredType?)], _ options: ImportChoices
    ) {
        let group = source.group
        let hasOwnCredentials = Set(group.credentials) != Set(api.credentials)
        text = EndpointText(
            name: group.name, method: group.method, path: group.path.pieces,
            summary: SwiftNames.sentence(SwiftNames.words(group.name)),
            credentials: hasOwnCredentials ? group.credentials : nil)
        template = group.path.shown
        self.sweep = sweep
        call = CallExample(api: api.name, endpoint: group.name)
        text.isExampleReal = isSafe
        addRequests(of: source, bodyTypes: Dictionary(types.map { ($0.key, $0.type) }) { first, _ in first })
        addCallOptions(source)
        addResponse(ImportedResponse(source, model: model), options)
        addPages(source)
    }

    /// Adds the parameters of the requests: path, query, headers and body.
    private mutating func addRequests(of source: EndpointSource, bodyTypes: [String: InferredType?]) {
        let requests = source.group.requests
        addPath(source.group)
        addItems(.query, requests.map(\.query), areOptional: true)
        let hasItemWithoutValue = requests.contains { request in request.query.contains { $0.value == nil } }
        if hasItemWithoutValue { notes.append("a query item without '=' is sent with one") }
        addHeaders(source)
        addBody(source, bodyTypes)
    }

    /// Adds the options to the example of a call that are not parameters: those of the connection, and the file of a
    /// body of bytes.
    private mutating func addCallOptions(_ source: EndpointSource) {
        let example = source.group.requests[0]
        call.add(options: example.connection.flatMap(\.words))
        guard case .data = source.bodies[0] else { return }
        call.add(options: ["--body", "@" + (example.content.path ?? "FILE")])
        notes.append("the body is bytes: to send them, --body @FILE")
    }

    /// The name that SwiftPM gives an embedded file.
    package static func resource(_ file: String) -> String { file.map { ".-".contains($0) ? "_" : "\($0)" }.joined() }

    // MARK: Responses

    /// The longest sample in bytes: it is compiled.
    private static let longestSample = 100_000

    /// Returns what is wrong with a sample of that many bytes; nil if it is kept.
    static func problem(ofSample count: Int) -> String? {
        count <= longestSample ? nil : "a sample of \(count) bytes is too long to keep"
    }

    private mutating func addResponse(_ response: ImportedResponse, _ options: ImportChoices) {
        text.returns = response.returns
        isLoose = response.isLoose
        notes += response.notes
        guard let content = response.sample else { return }
        let file = sampleFile(besides: options.sampleFiles)
        sample = (file, content)
        if options.keepsSamples { text.sample = ".json(PackageResources.\(Self.resource(file)))" }
    }

    /// Returns the name of the sample's file: `movies.popular.json`.
    ///
    /// Two files of one directory must not become one resource, so there may be a number: `movies.popular.1.json`,
    /// `movies.popular.01.json`.
    private func sampleFile(besides others: Set<String>) -> String {
        var file = callWords[0] + ".json"
        var number = "1"
        while others.contains(where: { $0 != file && Self.resource($0) == Self.resource(file) }) {
            file = "\(callWords[0]).\(number).json"
            number = "0" + number
        }
        return file
    }

    /// Declares the pages that the first response with a list is one of.
    private mutating func addPages(_ source: EndpointSource) {
        guard let request = source.group.requests.first(where: { $0.response?.head.isSuccess == true }),
            let response = request.response, let document = source.samples.first?.documents.first
        else { return }
        let pages = PagingFinder(request, response, document)
        text.pages = pages.declaration
        if let note = pages.note { notes.append(note) }
    }

    // MARK: Parameters

    /// Adds a parameter with the values that it has in the requests, the first of which is the example.
    ///
    /// - Parameters:
    ///   - key: The name in requests.
    ///   - place: The part of the request that has it.
    ///   - values: The values in the requests; nil in a request that does not have it.
    ///   - type: The type, if it is known.
    ///   - isOptional: Whether a request may lack it.
    ///   - name: The words of its name in Swift; nil is the key.
    /// - Returns: The name in Swift, as an expression.
    @discardableResult
    private mutating func add(
        _ key: String, _ place: EndpointText.Parameter.Place, _ values: [JSONValue?], type: InferredType? = nil,
        isOptional: Bool = false,
        name: String? = nil
    ) -> String {
        let type = type ?? Self.plainType(of: values.compactMap(\.self))
        let value = values.first ?? nil
        let name = names.unique(EndpointText.Parameter.name(SwiftNames.words(name ?? key)))
        text.parameters.append(
            .init(
                key: key, place: place, type: type, isOptional: isOptional, name: name,
                example: example(value, type, isOptional)))
        call.add(name, type, value, sweep)
        return SwiftNames.quoted(name)
    }

    /// Returns the type of values that are scalars, or lists of them; JSON of any kind for others.
    private static func plainType(of values: [JSONValue]) -> InferredType {
        var inference = Inference(
            Coding(dates: .secondsSince1970), maps: [], structures: [], readsNames: false)
        let type = inference.type(of: values, at: Inference.SampleLocation()).unwrapped.type
        return type.isPlain ? type : .json("")
    }

    /// Returns the value of a parameter in the example.
    private func example(_ value: JSONValue?, _ type: InferredType, _ isOptional: Bool) -> SwiftText {
        guard let value, !value.isNull || !isOptional || !type.isPlain else { return isOptional ? "nil" : "\"\"" }
        if type.leaf.model != nil { return SentValues.example(value, as: type, sweep) }
        if let text = value.string { return .literal(sweep.cleaned(text)) }
        // A list of long texts is nothing to read.
        return RequestValue.text(value, sweep) ?? "[]"
    }

    /// Adds a parameter that is text, whatever it looks like; returns it as an expression.
    private mutating func addTextual(_ key: String, _ value: String) -> String {
        let name = add(key, .body, RequestValue.values([[value]]))
        return text.text(text.parameters.last?.type ?? .string, name)
    }

    /// Returns the fields of several requests; the first ``mostFields``, with a note about others.
    private mutating func fields<Value>(
        of requests: [[(key: String, value: Value)]]
    ) -> [EndpointSource.Field<Value>] {
        let all = EndpointSource.fields(of: requests)
        if all.count > Self.mostFields {
            notes.append("left out: \(all.count - Self.mostFields) items, headers or members of \(all.count)")
        }
        return Array(all.prefix(Self.mostFields))
    }

    /// Returns the literal of a name in the request; nil, with a note, if it is too long.
    private mutating func literal(_ name: String, _ kind: String) -> String? {
        let literal = SwiftLiteral.string(name)
        if literal.count <= Self.longestKey { return literal }
        notes.append("left out: a \(kind) whose name has \(name.utf8.count) bytes")
        return nil
    }

    /// Adds the parameters of the path.
    private mutating func addPath(_ group: RequestGroups.Group) {
        let values = group.requests.map { group.path.values($0.path) ?? [] }
        let variables = group.path.segments.enumerated().filter(\.element.isVariable)
        for (position, (index, segment)) in variables.enumerated() {
            let texts = values.map { $0.indices.contains(position) ? [$0[position]] : [] }
            add("\(index)", .path, RequestValue.values(texts), name: segment.text)
        }
    }

    /// Adds a parameter for each item of a query or form.
    private mutating func addItems(
        _ place: EndpointText.Parameter.Place, _ items: [[ImportedRequest.NameValue]], areOptional: Bool
    ) {
        for (key, values) in fields(of: items.map { $0.map { ($0.name, $0.value ?? "") } })
        where literal(key, "query or form item") != nil {
            let isOptional = areOptional || values.contains(where: \.isEmpty)
            add(key, place, RequestValue.values(values), isOptional: isOptional)
        }
    }

    /// Adds the headers. A header with the same text in all requests is a constant, any other is a parameter.
    private mutating func addHeaders(_ source: EndpointSource) {
        let headers = zip(source.group.requests, source.bodies).map(Self.headers)
        for (name, values) in fields(of: headers) where literal(name, "header") != nil {
            // Several headers of one name are one list (RFC 9110, section 5.3).
            let texts = values.map { $0.isEmpty ? [] : [$0.joined(separator: ", ")] }
            if let constant = Self.constant(texts) {
                addConstant(name, .header, constant)
            } else {
                add(name, .header, RequestValue.values(texts), isOptional: true)
            }
        }
    }

    /// Returns the headers of a request, without a `Content-Type` that the body has anyway.
    private static func headers(_ request: ImportedRequest, _ body: ImportedBody) -> [(key: String, value: String)] {
        let others = request.headers.filter { header in
            !header.name.isSameName(as: "Content-Type") || !body.declares(header.value ?? "")
        }
        return others.map { ($0.name, $0.value ?? "") }
    }

    /// Returns the text that a header has in all requests; nil if one has another text, none, or a variable.
    private static func constant(_ texts: [[String]]) -> String? {
        guard Set(texts).count == 1, let text = texts[0].first, ImportedRequest.variables(in: text).isEmpty else {
            return nil
        }
        return text
    }

    /// Adds a text that all requests have, so that it is no parameter of the case.
    private mutating func addConstant(_ key: String, _ place: EndpointText.Parameter.Place, _ value: String) {
        let constant = SwiftText.literal(sweep.cleaned(value))
        text.parameters.append(.init(key: key, place: place, type: .string, constant: constant))
    }

    // MARK: Bodies

    /// Adds the content of the first request, with the members and items of all.
    private mutating func addBody(_ source: EndpointSource, _ types: [String: InferredType?]) {
        switch source.bodies[0] {
        case .none: break
        case .object:
            let constants: Set = source.group.operation == nil ? [] : ["operationName", "query"]
            for (key, values) in fields(of: source.bodies.map(\.members)) {
                if constants.contains(key), let value = values[0].first?.string {
                    addConstant(key, .body, value)
                } else {
                    let isOptional = values.contains(where: \.isEmpty)
                    add(key, .body, values.map(\.first), type: types[key] ?? nil, isOptional: isOptional)
                }
            }
            text.body = .object
        case .form:
            addItems(.body, source.bodies.map(\.items), areOptional: false)
            text.body = .form
        case .parts(let parts): text.body = .expression(.list(".multipart([", parts.compactMap { part($0) }, "])"))
        case .text(let body, let type):
            let type = contentType(type, unless: "text/plain; charset=utf-8")
            text.body = .expression(".text(\(addTextual("body", body))\(type))")
        case .data(let type):
            let literal = literal(type, "content type") ?? "\"application/octet-stream\""
            text.body = .expression(".data([], contentType: \(literal))")
        }
    }

    /// Adds the parameters of a part of a multipart body; returns the part as an expression.
    private mutating func part(_ part: Part) -> SwiftText? {
        switch part {
        case .field(let name, let value):
            return literal(name, "part").map { ".field(\($0), \(addTextual(name, value)))" }
        case .text(let name, let value, let type):
            guard let quoted = literal(name, "part"), let quotedType = literal(type, "content type") else { return nil }
            return ".text(\(quoted), \(addTextual(name, value)), contentType: \(quotedType))"
        case .file(let name, let path, let filename, let type):
            guard let quoted = literal(name, "part") else { return nil }
            let shown = filename.flatMap { literal($0, "file name") }.map { ", filename: \($0)" } ?? ""
            let type = contentType(type, unless: "application/octet-stream")
            return ".file(\(quoted), path: \(addTextual(name, path))\(shown)\(type))"
        case .bytes(let name, _, let filename, let type):
            guard let quoted = literal(name, "part") else { return nil }
            let shown = filename.flatMap { literal($0, "file name") } ?? "nil"
            let type = contentType(type, unless: "application/octet-stream")
            return ".bytes(\(quoted), [], filename: \(shown)\(type))"
        }
    }

    /// Returns the last argument of a body, empty if it is the one that it has without.
    private mutating func contentType(_ type: String, unless usual: String) -> String {
        (type == usual ? nil : literal(type, "content type")).map { ", contentType: \($0)" } ?? ""
    }
}

extension ImportedEndpoint {
    /// `popular(page: Int?)`
    package var declaration: String { text.declaration.printed(indent: 4, column: 5) }

    /// `.popular(page: 1)`
    package var example: String { text.example?.printed(indent: 8) ?? "" }

    /// `case .popular(let page):` and what it returns, indented as in a switch of an enum.
    package var arm: String { text.arm(usesReturn: false).printed(indent: 8) }
}
