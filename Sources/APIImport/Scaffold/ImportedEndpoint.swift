import EndpointKit
import EndpointTools
import JSONText

/// An endpoint as parts of an enum: requests of one method and path, without secrets. The first is the example.
package struct ImportedEndpoint {
    /// Requests with a template of their paths, a name and the credentials that were taken out of them.
    typealias Source = (requests: [ImportedRequest], path: ImportedPath, name: String, credentials: [Credential])

    /// `/movie/{movieID}`
    package let template: String
    private(set) var text: EndpointText
    private let sweep: SecretSweep
    private var (names, variableNames) = (NameTable(), NameTable())
    private(set) var notes: [String] = []
    /// Whether it returns JSON of any kind, or bytes.
    private(set) var isLoose = false
    /// The sample without secrets, and its file.
    package private(set) var sample: (file: String, text: [UInt8])?
    /// The variables for secrets that no credential stands for.
    private(set) var variables: [NeededVariable] = []
    /// The words of its call on a command line; a variable of the shell is between marks.
    package private(set) var callWords: [String] = []

    package var method: String { text.method }
    /// The name of the case.
    package var name: String { text.name }

    static let longestKey = 80
    /// The most items of a query, headers or members that become parameters.
    private static let mostFields = 60
    /// The longest sample in bytes: it is compiled.
    private static let longestSample = 100_000

    /// What is wrong with a sample of that many bytes; nil if it is kept.
    static func problem(ofSample count: Int) -> String? {
        count <= longestSample ? nil : "a sample of \(count) bytes is too long to keep"
    }

    /// An endpoint of an API; `root` is the model of its responses, if there is one.
    init(_ source: Source, _ api: Scaffold, _ sweep: SecretSweep, root: String?, _ options: ImportChoices) {
        let (requests, path, name, credentials) = source
        text = EndpointText(
            name: name, method: requests[0].method, path: path.pieces,
            summary: SwiftNames.sentence(SwiftNames.words(name)),
            credentials: Set(credentials) == Set(api.credentials) ? nil : credentials)
        (template, self.sweep) = (path.shown, sweep)
        callWords = ["\(api.name).\(KebabCase.text(name))"]
        var values = requests.map { path.values($0.path) ?? [] }
        for (index, segment) in path.segments.enumerated() where segment.isVariable {
            let own = values.indices.map { [values[$0].removeFirst()] }
            add("\(index)", "path", RequestValue.values(own), name: segment.text)
        }
        addItems("query", requests.map(\.query), areOptional: true)
        if requests.contains(where: { $0.query.contains { $0.value == nil } }) {
            notes.append("a query item without '=' is sent with one")
        }
        let bodies = requests.map { ImportedBody($0, sweep) }
        addHeaders(
            zip(requests, bodies).map { request, body in
                request.headers.filter { !$0.name.isSameName(as: "Content-Type") || !body.declares($0.value ?? "") }
            })
        addBody(bodies)
        callWords += requests[0].connection.flatMap(\.words)
        if case .data = bodies[0] {
            callWords += ["--body", "@" + (requests[0].content.path ?? "FILE")]
            notes.append("the body is bytes: to send them, --body @FILE")
        }
        addResponse(requests.compactMap(\.response), root, sampleFiles: options.sampleFiles)
        if options.keepsSamples, let sample {
            text.sample = ".json(PackageResources.\(Self.resource(sample.file)))"
        }
    }

    /// The name that SwiftPM gives an embedded file.
    package static func resource(_ file: String) -> String { file.map { ".-".contains($0) ? "_" : "\($0)" }.joined() }

    /// Adds the model and the sample of the responses.
    ///
    /// - Parameter sampleFiles: The names of the files beside the sample, two of which must not become one resource.
    private mutating func addResponse(_ responses: [Response], _ root: String?, sampleFiles: Set<String>) {
        let response = responses.first(where: \.head.isSuccess)
        var model = root ?? "JSONValue.self"
        if method == "HEAD" || root == nil && response?.body.isEmpty == true {
            model = "EmptyResponse.self"
        } else if model.contains("JSONValue") {
            isLoose = true
            if let response, root == nil, !response.isBrokenJSON { model = "RawResponse.self" }
            if root == nil { notes.append(Self.problem(response ?? responses.first)) }
        }
        if root != nil, let body = response.flatMap({ sweep.cleaned(json: $0.body) }) {
            if let problem = Self.problem(ofSample: body.count) {
                notes.append(problem)
            } else {
                var (file, number) = (callWords[0] + ".json", "1")
                // The number of the first sample need not be said.
                while sampleFiles.contains(where: { $0 != file && Self.resource($0) == Self.resource(file) }) {
                    (file, number) = ("\(callWords[0]).\(number).json", "0" + number)
                }
                sample = (file, JSONFormatter.indented(body) ?? body)
            }
        }
        text.returns = model
    }

    /// Why there is no model of a response.
    private static func problem(_ response: Response?) -> String {
        guard let response else { return "no response was seen; it returns JSON of any kind" }
        let status = response.head.status
        if !response.head.isSuccess { return "the response had the status \(status); it returns JSON of any kind" }
        guard response.isBrokenJSON else { return "the response is not JSON; it returns bytes" }
        var (problem, isCutOff) = ("", false)
        do {
            _ = try JSONDocument(response.body)
        } catch {
            (problem, isCutOff) = ("\(error)", (error as? JSONSyntaxError)?.offset == response.body.count)
        }
        let kind = isCutOff ? "valid JSON, perhaps cut off" : "valid JSON"
        return "the response is not \(kind) (\(problem)); it returns JSON of any kind"
    }

    // MARK: Parameters

    /// Adds a parameter with the values that it has in the requests, the first of which is the example; returns its name.
    @discardableResult
    private mutating func add(
        _ key: String, _ place: String, _ values: [JSONValue?], isOptional: Bool = false, name: String? = nil
    ) -> String {
        var inference = Inference(Coding(dates: .secondsSince1970), maps: [], structures: [])
        let seen = inference.type(of: values.compactMap(\.self), at: Inference.SampleLocation()).unwrapped.type
        let (type, value) = (seen.isPlain ? seen : .json(""), values[0])
        let name = names.unique(EndpointText.Parameter.name(SwiftNames.words(name ?? key)))
        var example: SwiftText = isOptional ? "nil" : "\"\""
        if let text = value?.string {
            example = .literal(sweep.cleaned(text))
        } else if let value, !value.isNull || !isOptional || !type.isPlain {
            // A list of long texts is nothing to read.
            example = RequestValue.text(value, sweep) ?? "[]"
        }
        text.parameters.append(
            .init(key: key, place: place, type: type, isOptional: isOptional, name: name, example: example))
        let option = "--" + KebabCase.text(name)
        if type == .bool, let isTrue = value?.bool {
            callWords.append(isTrue ? option : "--no-" + option.dropFirst(2))
        } else {
            let isList = if case .array = type { true } else { false }
            let all = isList ? value?.elements : value.map { [$0] }
            for text in (all ?? []).map({ sweep.cleaned($0.text, keepsVariables: true) }) {
                var text = text
                while let secret = text.firstRange(of: SecretRules.mark) {
                    let words = SwiftNames.words("\(self.text.name)-\(name)")
                    let variable = variableNames.unique(Credential.variable(sweep.prefix, words))
                    variables.append(NeededVariable(name: variable))
                    text.replaceSubrange(secret, with: "\(ShellReader.mark)\(variable)\(ShellReader.mark)")
                }
                callWords += [option, text]
            }
        }
        return SwiftNames.quoted(name)
    }

    /// Adds a parameter that is text, whatever it looks like; returns it as an expression.
    private mutating func addTextual(_ key: String, _ value: String) -> String {
        let name = add(key, "body", RequestValue.values([[value]]))
        return text.text(text.parameters.last?.type ?? .string, name)
    }

    /// The names of fields of several requests in the order of the first that has them, with their values; the first ``mostFields``.
    private mutating func merged<Value>(
        _ requests: [[(key: String, value: Value)]]
    ) -> [(key: String, values: [[Value]])] {
        let all = requests.enumerated().flatMap { index, fields in fields.map { (index, $0.key, $0.value) } }
            .grouped { $0.1 }
        if all.count > Self.mostFields {
            notes.append("left out: \(all.count - Self.mostFields) items, headers or members of \(all.count)")
        }
        return all.prefix(Self.mostFields).map { key, found in
            var values = Array(repeating: [Value](), count: requests.count)
            for (index, _, value) in found { values[index].append(value) }
            return (key, values)
        }
    }

    /// The literal of a name in the request; nil, with a note, if it is too long.
    private mutating func literal(_ name: String, _ kind: String) -> String? {
        let literal = SwiftLiteral.string(name)
        if literal.count <= Self.longestKey { return literal }
        notes.append("left out: a \(kind) whose name has \(name.utf8.count) bytes")
        return nil
    }

    /// Adds a parameter for each item of a query or form.
    private mutating func addItems(_ place: String, _ items: [[ImportedRequest.NameValue]], areOptional: Bool) {
        for (key, values) in merged(items.map { $0.map { ($0.name, $0.value ?? "") } })
        where literal(key, "query or form item") != nil {
            let isOptional = areOptional || values.contains(where: \.isEmpty)
            add(key, place, RequestValue.values(values), isOptional: isOptional)
        }
    }

    /// Headers that are the same in all requests are constants, the others parameters.
    private mutating func addHeaders(_ headers: [[ImportedRequest.NameValue]]) {
        for (name, values) in merged(headers.map { $0.map { ($0.name, $0.value ?? "") } })
        where literal(name, "header") != nil {
            let texts = values.map { $0.isEmpty ? [] : [$0.joined(separator: ", ")] }
            if Set(texts).count == 1, let text = texts[0].first, ImportedRequest.variables(in: text).isEmpty {
                let constant = SwiftText.literal(sweep.cleaned(text))
                self.text.parameters.append(.init(key: name, place: "header", type: .string, constant: constant))
            } else {
                add(name, "header", RequestValue.values(texts), isOptional: true)
            }
        }
    }

    // MARK: Bodies

    /// Adds the content of the first request, with the members and items of all.
    private mutating func addBody(_ bodies: [ImportedBody]) {
        switch bodies[0] {
        case .none: break
        case .object:
            for (key, values) in merged(bodies.map(\.members)) {
                add(key, "body", values.map(\.first), isOptional: values.contains(where: \.isEmpty))
            }
            text.body = .items(".object([", "])")
        case .form:
            addItems("body", bodies.map(\.items), areOptional: false)
            text.body = .items(".form([", "])")
        case .parts(let parts): text.body = .text(.list(".multipart([", parts.compactMap { part($0) }, "])"))
        case .text(let body, let type):
            let type = contentType(type, unless: "text/plain; charset=utf-8")
            text.body = .text(".text(\(addTextual("body", body))\(type))")
        case .data(let type):
            let literal = literal(type, "content type") ?? "\"application/octet-stream\""
            text.body = .text(".data([], contentType: \(literal))")
        }
    }

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
        }
    }

    /// The last argument of a body, if it is not the one that it has without.
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
