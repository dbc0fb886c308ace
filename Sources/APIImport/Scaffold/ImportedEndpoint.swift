import EndpointKit
import JSONText

/// An endpoint as parts of an enum: requests of one method and path, without secrets. The first is the example.
package struct ImportedEndpoint {
    /// Requests with a template of their paths, a name and the credentials that were taken out of them.
    typealias Source = (
        requests: [ImportedRequest], path: PathTemplate, name: String, credentials: [Credential]
    )

    package var method: String { text.method }
    /// The name of the case, and with that of the API before it.
    package var name: String { text.name }
    /// `/movie/{movieID}`
    package let template: String
    private(set) var text: EndpointText
    private let sweep: SecretSweep
    private var names = NameTable()
    private(set) var notes: [String] = []
    /// Whether it returns JSON of any kind, or bytes.
    private(set) var isLoose = false
    /// The sample without secrets, and its file.
    package private(set) var sample: (file: String, text: [UInt8])?
    /// The words of its call on a command line.
    package private(set) var callWords: [String] = []

    /// An endpoint of an API; `root` is the model of its responses, if there is one.
    init(_ source: Source, _ api: Scaffold, _ sweep: SecretSweep, root: String?, keepsSample: Bool) {
        let (requests, path, name, credentials) = source
        text = EndpointText(name: name, method: requests[0].method)
        (template, self.sweep) = (path.shown, sweep)
        callWords = ["\(api.name).\(KebabCase.text(name))"]
        let values = requests.map { path.values($0.path) ?? [] }
        for case .parameter(let words) in path.segments {
            let index = text.values.count
            add(words, Parameter.values(values.map { [$0[index]] }))
        }
        text.arguments = [path.literal(text.values.map(\.name))]
        let query = add(requests.map(\.query), areOptional: true)
        if !query.isEmpty { text.arguments.append(.list("query: [", query, "]")) }
        if requests.contains(where: { $0.query.contains { $0.value == nil } }) {
            notes.append("a query item without '=' is sent with one")
        }
        let bodies = requests.map { ImportedBody($0, sweep) }
        addHeaders(
            zip(requests, bodies).map { request, body in
                request.headers.filter { !$0.name.isSameName(as: "Content-Type") || !body.declares($0.value ?? "") }
            })
        addBody(bodies)
        callWords += requests[0].connection
        if case .data = bodies[0] {
            callWords += ["--body", "@" + (requests[0].content.path ?? "FILE")]
            notes.append("the body is bytes: to send them, --body @FILE")
        }
        addResponse(requests.compactMap(\.response), root)
        text.arguments.append("summary: \(SwiftText.literal(SwiftNames.sentence(SwiftNames.words(name))))")
        if Set(credentials) != Set(api.credentials) { text.arguments.append("credentials: \(credentials.list)") }
        if keepsSample, let sample {
            // The name that SwiftPM gives an embedded file.
            let resource = sample.file.map { ".-".contains($0) ? "_" : String($0) }.joined()
            text.arguments.append("sample: .json(PackageResources.\(resource))")
        }
    }

    /// Adds what the responses show.
    private mutating func addResponse(_ responses: [ImportedResponse], _ root: String?) {
        let response = responses.first(where: \.isSuccess)
        var model = root ?? "JSONValue.self"
        if method == "HEAD" || root == nil && response?.body.isEmpty == true {
            model = "EmptyResponse.self"
        } else if model.contains("JSONValue") {
            isLoose = true
            if let response, root == nil, !response.isBrokenJSON { model = "RawResponse.self" }
            if root == nil { notes.append(Self.problem(response ?? responses.first)) }
        }
        if root != nil, let body = response.flatMap({ sweep.cleaned(json: $0.body) }) {
            if body.count <= Self.longestSample {
                sample = (callWords[0] + ".json", JSONFormatter.indented(body) ?? body)
            } else {
                notes.append("a sample of \(body.count) bytes is too long to keep")
            }
        }
        if method != "HEAD" { text.arguments.append("returns: \(model)") }
    }

    /// The longest sample in bytes: it is compiled.
    private static let longestSample = 100_000

    /// A longer text of a body can't be taken in at a glance, in bytes.
    private static let longestGlance = 40

    /// Why there is no model of a response.
    private static func problem(_ response: ImportedResponse?) -> String {
        guard let response else { return "no response was seen; it returns JSON of any kind" }
        if !response.isSuccess { return "the response had the status \(response.status); it returns JSON of any kind" }
        guard response.isBrokenJSON else { return "the response is not JSON; it returns bytes" }
        var problem = ""
        do { _ = try JSONDocument(response.body) } catch { problem = "\(error)" }
        return "the response is not valid JSON, perhaps cut off (\(problem)); it returns JSON of any kind"
    }

    // MARK: Arguments

    /// Adds a parameter with the values that it has in the requests, the first of which is the example; returns it as an expression.
    @discardableResult
    private mutating func add(_ words: [String], _ values: [JSONValue?], isOptional: Bool = false) -> String {
        var inference = Inference(Coding(dates: .secondsSince1970), maps: [], structures: [])
        let seen = inference.type(of: values.compactMap(\.self), at: Inference.Place()).unwrapped.type
        let (type, value) = (seen.isPlain ? seen : .json(""), values[0])
        let name = names.unique(SwiftNames.memberName(words))
        var example: SwiftText = isOptional ? "nil" : "\"\""
        if let text = value?.string {
            example = .literal(sweep.cleaned(text))
        } else if let value, !value.isNull || !isOptional || !type.isPlain {
            // A list of long texts is nothing to read.
            example = "\(Parameter.expression(value, sweep) ?? "[]")"
        }
        text.values.append(
            .init(
                label: name, name: name, type: type.text() + (isOptional ? "?" : ""), example: example))
        let option = "--" + KebabCase.text(name)
        if type == .bool, let isTrue = value?.bool {
            callWords.append(isTrue ? option : "--no-" + option.dropFirst(2))
        } else {
            let isList = if case .array = type { true } else { false }
            let all = isList ? value?.elements : value.map { [$0] }
            callWords += (all ?? []).flatMap { [option, sweep.cleaned($0.string ?? $0.description)] }
        }
        return SwiftNames.quoted(name)
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
    private mutating func key(_ name: String, _ kind: String) -> String? {
        let literal = SwiftLiteral.string(name)
        if literal.count <= Self.longestKey { return literal }
        notes.append("left out: a \(kind) whose name has \(name.utf8.count) bytes")
        return nil
    }

    static let longestKey = 80
    /// The most items of a query, headers or members that become parameters.
    static let mostFields = 60

    /// Adds a parameter for each item; returns the elements of a query's literal.
    private mutating func add(_ items: [[ImportedRequest.Field]], areOptional: Bool) -> [SwiftText] {
        merged(items.map { $0.map { ($0.name, $0.value ?? "") } }).compactMap { key, values in
            guard let literal = self.key(key, "query or form item") else { return nil }
            let isOptional = areOptional || values.contains(where: \.isEmpty)
            return "\(literal): \(add(SwiftNames.words(key), Parameter.values(values), isOptional: isOptional))"
        }
    }

    /// Headers that are the same in all requests are constants, the others parameters.
    private mutating func addHeaders(_ headers: [[ImportedRequest.Field]]) {
        let elements = merged(headers.map { $0.map { ($0.name, $0.value ?? "") } }).compactMap { name, values in
            guard let key = key(name, "header") else { return SwiftText?.none }
            let texts = values.map { $0.isEmpty ? [] : [$0.joined(separator: ", ")] }
            if Set(texts).count == 1, let text = texts[0].first, ImportedRequest.variables(in: text).isEmpty {
                return "\(key): \(SwiftText.literal(sweep.cleaned(text)))"
            }
            let parameter = add(SwiftNames.words(name), Parameter.values(texts), isOptional: true)
            return "\(key): \(parameter)\(text.values.last?.type == "String?" ? "" : ".map { \"\\($0)\" }")"
        }
        if !elements.isEmpty { text.arguments.append(.list("headers: [", elements, "]")) }
    }

    /// Adds the content of the first request, with the members and items of all.
    private mutating func addBody(_ bodies: [ImportedBody]) {
        switch bodies[0] {
        case .none: return
        case .object:
            let fields = merged(bodies.map { if case .object(let members) = $0 { members } else { [] } })
            let elements: [SwiftText] = fields.map { key, values in
                let isOptional = values.contains(where: \.isEmpty)
                let name = add(SwiftNames.words(key), values.map(\.first), isOptional: isOptional)
                return "\(SwiftLiteral.string(key)): \(name)"
            }
            text.arguments.append(.list("body: .object([", elements.isEmpty ? [":"] : elements, "])"))
        case .form:
            let items = add(bodies.map { if case .form(let items) = $0 { items } else { [] } }, areOptional: false)
            text.arguments.append(.list("body: .form([", items, "])"))
        case .parts(let parts):
            let elements = parts.compactMap { part -> SwiftText? in
                switch part {
                case .field(let name, let value):
                    return key(name, "part").map { ".field(\($0), \(addTextual(name, value)))" }
                case .file(let name, let path, let filename, let type):
                    guard let quoted = key(name, "part") else { return nil }
                    let shown = filename.flatMap { key($0, "file name") }.map { ", filename: \($0)" } ?? ""
                    let type = contentType(type, unless: "application/octet-stream")
                    return ".file(\(quoted), path: \(addTextual(name, path))\(shown)\(type)"
                }
            }
            text.arguments.append(.list("body: .multipart([", elements, "])"))
        case .text(let body, let type):
            // What is short is seen at a glance, in the example.
            let isLong = body.utf8.count > Self.longestGlance || body.contains(BodyToken.placeholder)
            if isLong, (try? JSONDocument(body.exactBytes)) == nil {
                notes.append(
                    "the text of the body is kept, but for secrets after their names, as in token=…: look it through")
            }
            let type = contentType(type, unless: "text/plain; charset=utf-8")
            text.arguments.append("body: .text(\(addTextual("body", body))\(type)")
        case .data(let type):
            let literal = key(type, "content type") ?? "\"application/octet-stream\""
            text.arguments.append("body: .data([], contentType: \(literal))")
        }
    }

    /// The last argument of a body, if it is not the one that it has without.
    private mutating func contentType(_ type: String, unless usual: String) -> String {
        (type == usual ? nil : key(type, "content type")).map { ", contentType: \($0))" } ?? ")"
    }

    /// Adds a parameter that is text, whatever it looks like; returns it as an expression.
    private mutating func addTextual(_ key: String, _ value: String) -> String {
        let name = add(SwiftNames.words(key), Parameter.values([[value]]))
        return text.values.last?.type == "String" ? name : "\"\\(\(name))\""
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
