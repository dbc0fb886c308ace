import EndpointKit
import JSONText

/// An endpoint in the making: requests of one method and template, without secrets. The first is the example.
struct EndpointDraft {
    let method: String
    let template: PathTemplate
    let credentials: [DeclaredCredential]
    /// The responses from which the model is made.
    let responses: [ImportedResponse]
    /// The name of the case.
    let name: String
    private(set) var parameters: [Parameter] = []
    private(set) var notes: [String] = []
    /// The words for `call` that the request needs besides its parameters.
    private(set) var callWords: [String]
    private var names = NameTable()
    /// The arguments of the declaration, from the path to the body.
    private(set) var arguments: [String] = []
    private let sweep: SecretSweep

    init(
        _ requests: [ImportedRequest], _ template: PathTemplate, name: String, _ credentials: [DeclaredCredential],
        _ sweep: SecretSweep
    ) {
        let first = requests[0]
        method = first.method
        self.template = template
        self.name = name
        self.credentials = credentials
        self.sweep = sweep
        responses = requests.compactMap(\.response)
        callWords = first.connection
        let segments = template.segments.filter { $0.fixed == nil }
        let values = requests.map { template.values($0.path) ?? [] }
        for (index, segment) in segments.enumerated() {
            guard case .parameter(let words) = segment else { continue }
            add("", words, values.map { .texts([$0[index]]) })
        }
        let path = template.text(parameters.map(\.name)) { "\\(\(SwiftNames.quoted($0)))" }
        arguments.append(SwiftText.path(path))
        addQuery(requests)
        addHeaders(requests)
        addBody(requests)
    }

    /// Adds a parameter, and returns its name as an expression.
    @discardableResult
    private mutating func add(
        _ key: String, _ words: [String]? = nil, _ values: [Parameter.Value?], isOptional: Bool = false
    ) -> String {
        let name = names.unique(SwiftNames.memberName(words ?? SwiftNames.words(key)))
        parameters.append(Parameter(key, name: name, values, isOptional: isOptional))
        return SwiftNames.quoted(name)
    }

    /// The names of fields of several requests in the order of the first that has them, with their values; the first ``mostFields``.
    private mutating func merged<Value>(
        _ requests: [[(key: String, value: Value)]]
    ) -> [(key: String, values: [[Value]])] {
        var keys: [String] = []
        var places: [String: Int] = [:]
        var values: [[[Value]]] = []
        for (index, fields) in requests.enumerated() {
            for (key, value) in fields {
                let place = places[key] ?? places.count
                if place == places.count {
                    places[key] = place
                    if place < Self.mostFields {
                        keys.append(key)
                        values.append(Array(repeating: [], count: requests.count))
                    }
                }
                if place < Self.mostFields { values[place][index].append(value) }
            }
        }
        if places.count > keys.count {
            notes.append("left out: \(places.count - keys.count) items, headers or members of \(places.count)")
        }
        return Array(zip(keys, values))
    }

    /// The literal of a name in the request; nil, with a note, if it is too long for a line.
    private mutating func key(_ name: String, _ kind: String) -> String? {
        let literal = SwiftLiteral.string(name)
        if literal.count <= Self.longestKey { return literal }
        notes.append("left out: a \(kind) whose name has \(name.utf8.count) bytes")
        return nil
    }

    private static let longestKey = 80
    /// The most items of a query, headers or members that become parameters.
    private static let mostFields = 60

    /// Adds a parameter for each item; returns the elements of a query's literal.
    private mutating func add(items: [[ImportedRequest.Field]], areOptional: Bool) -> [String] {
        merged(items.map { $0.map { ($0.name, $0.value ?? "") } }).compactMap { key, values in
            guard let literal = self.key(key, "query or form item") else { return nil }
            let isMissing = values.contains(where: \.isEmpty)
            let name = add(key, nil, values.map { $0.isEmpty ? nil : .texts($0) }, isOptional: areOptional || isMissing)
            return "\(literal): \(name)"
        }
    }

    private mutating func addQuery(_ requests: [ImportedRequest]) {
        let items = add(items: requests.map(\.query), areOptional: true)
        if !items.isEmpty { arguments.append(SwiftText.list("query: [", items, "]", indent: 16)) }
        if requests.contains(where: { $0.query.contains { $0.value == nil } }) {
            notes.append("a query item without '=' is sent with one")
        }
    }

    /// Headers that are the same in all requests are constants, the others parameters.
    private mutating func addHeaders(_ requests: [ImportedRequest]) {
        let all = merged(
            requests.map { request in
                let body = ImportedBody(request)
                let headers = request.headers.filter {
                    !$0.name.isSameName(as: "Content-Type") || !body.declares($0.value ?? "")
                }
                return headers.map { ($0.name, $0.value ?? "") }
            })
        let elements = all.compactMap { name, values -> String? in
            let texts = values.map { $0.joined(separator: ", ") }
            guard let key = key(name, "header") else { return nil }
            if Set(texts).count == 1, !values[0].isEmpty, ImportedRequest.variables(in: texts[0]).isEmpty {
                return "\(key): " + SwiftLiteral.string(sweep.cleaned(texts[0]), column: 24 + key.count, indent: 16)
            }
            let parameter = add(name, nil, zip(values, texts).map { $0.isEmpty ? nil : .texts([$1]) }, isOptional: true)
            let isText = parameters.last?.kind == .string
            return "\(key): \(parameter)" + (isText ? "" : ".map { \"\\($0)\" }")
        }
        if !elements.isEmpty { arguments.append(SwiftText.list("headers: [", elements, "]", indent: 16)) }
    }

    private mutating func addBody(_ requests: [ImportedRequest]) {
        let bodies = requests.map(ImportedBody.init)
        switch bodies[0] {
        case .none: return
        case .object:
            let objects = bodies.map { body -> [(key: String, value: JSONValue)] in
                if case .object(let members) = body { members } else { [] }
            }
            let before = (parameters, names)
            let fields = merged(objects).map { key, values in
                let value = add(
                    key, nil, values.map { $0.first.map { .json($0) } }, isOptional: values.contains(where: \.isEmpty))
                return "\(SwiftLiteral.string(key)): \(value)"
            }
            let areShort = fields.allSatisfy { $0.count < Self.longestKey * 3 / 2 && !$0.contains("\n") }
            if areShort, parameters.allSatisfy({ $0.expression(sweep) != nil }) {
                arguments.append(SwiftText.list("body: .object([", fields.isEmpty ? [":"] : fields, "])", indent: 16))
            } else {
                (parameters, names) = before
                addText(requests, "application/json")
            }
        case .json: addText(requests, "application/json")
        case .form:
            let items = add(
                items: bodies.map { if case .form(let items) = $0 { items } else { [] } }, areOptional: false)
            arguments.append(SwiftText.list("body: .form([", items, "])", indent: 16))
        case .parts:
            let parts = bodies.map { body -> [(key: String, value: Part)] in
                guard case .parts(let parts) = body else { return [] }
                return parts.map { ($0.name, $0) }
            }
            // Parts of the same name are one after the other.
            let elements = (parts.first ?? []).compactMap { key, part -> String? in
                guard let quoted = self.key(key, "part") else { return nil }
                switch part {
                case .field(_, let value): return ".field(\(quoted), \(addTextual(key, value)))"
                case .file(_, let path, let filename, let type):
                    let name = filename.flatMap { self.key($0, "file name") }.map { ", filename: \($0)" } ?? ""
                    let isDefault = type == "application/octet-stream"
                    let end = isDefault ? "" : self.key(type, "content type").map { ", contentType: \($0)" } ?? ""
                    return ".file(\(quoted), path: \(addTextual(key, path))\(name)\(end))"
                }
            }
            arguments.append(SwiftText.list("body: .multipart([", elements, "])", indent: 16))
        case .text(_, let type): addText(requests, type)
        case .data(let type):
            arguments.append(
                "body: .data([], contentType: \(key(type, "content type") ?? "\"application/octet-stream\""))")
            var file = "FILE"
            if case .file(let path) = requests[0].content { file = path }
            callWords += ["--body", "@\(file)"]
            notes.append("the body is bytes: to send them, --body @FILE")
        }
    }

    /// Adds a parameter that is text, whatever it looks like; returns it as an expression.
    private mutating func addTextual(_ key: String, _ value: String) -> String {
        let name = add(key, nil, [.texts([value])])
        return parameters.last?.kind == .string ? name : "\"\\(\(name))\""
    }

    /// Adds the whole body as a parameter.
    private mutating func addText(_ requests: [ImportedRequest], _ type: String) {
        let texts = requests.map { if case .bytes(let bytes) = $0.content { String(exactBytes: bytes) } else { "" } }
        let name = addTextual("body", texts[0])
        let isDefault = type == "text/plain; charset=utf-8"
        let end = isDefault ? "" : key(type, "content type").map { ", contentType: \($0)" } ?? ""
        arguments.append("body: .text(\(name)\(end))")
    }
}

extension Part {
    fileprivate var name: String {
        switch self {
        case .field(let name, _), .file(let name, _, _, _): name
        }
    }
}
