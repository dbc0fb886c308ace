import EndpointKit
import JSONText

/// `describe`, and an API's name alone: shows an API, or everything about an endpoint.
struct DescribeCommand: Command {
    struct Options: CommandOptions {
        var common = CommonOptions()
        var json = false
    }

    private enum Subject {
        case api(any API.Type)
        case endpoint(EndpointDeclaration)
    }

    static let name = "describe"
    static let usage = "describe API[.ENDPOINT] [--json]"
    static let summary = "show an API, or an endpoint's parameters, response and examples"
    static let operands = Operands.subject
    static let table = OptionTable<Options>(command: [
        OptionGroup(title: "Options", options: [Option("json", "print JSON") { $0.json = true }])
    ])

    private let subject: Subject
    private let options: Options

    init(_ words: CommandWords<Options>) throws {
        guard let word = try words.registry.name(words.others) else {
            throw words.registry.endpointExpected(by: Self.name)
        }
        options = words.options
        subject = try words.registry.api(word.text).map { .api($0) } ?? .endpoint(words.registry.endpoint(word))
    }

    var isPaged: Bool { true }

    func run(_ context: RunContext) async throws -> ExitCode {
        switch subject {
        case .api(let api):
            let description = try APIDescription(api, context)
            try context.print(asJSON: options.json, options.common, description, or: description.text(api, context))
        case .endpoint(let declaration):
            try context.print(
                asJSON: options.json, options.common,
                EndpointDescription(declaration, tool: context.tool, withSchemas: true),
                or: EndpointDescription.text(declaration, context))
        }
        return .success
    }
}

/// An endpoint as `describe` shows it; its JSON form is what `describe --json` prints.
struct EndpointDescription: Encodable {
    struct ParameterDescription: Encodable {
        let flag: String
        let type: String
        let required: Bool
        /// The optional parameter or field that it is required in; nil if it is not.
        let requiredIn: String?
        let repeats: Bool
        let values: [String]?
        let places: [String]
        let example: [String]
        let note: String?
        /// What is sent if it is not given.
        let `default`: String?
        /// What the value must be: `1 to 500`.
        let bounds: String?
        /// The flags that it can't be used with.
        let excludes: [String]?
        /// Whether an option of `call` has the same name; the option must then come before the endpoint's name.
        let hidesOption: Bool
    }

    struct Server: Encodable {
        let name: String
        let url: String
    }

    let version = 1
    let name: String
    let summary: String
    /// What the API is.
    let apiSummary: String
    let method: String
    let path: String
    let parameters: [ParameterDescription]
    let headers: [String]
    let body: String?
    let returns: String
    let servers: [Server]
    let credentials: [CredentialDescription]
    /// Whether the response is a page of a list.
    let pages: Bool
    let sample: Bool
    let examples: [String]
    /// JSON Schema of the response; nil if it is not JSON.
    let schema: JSONValue?
    /// JSON Schema of the body; nil if it is not JSON.
    let bodySchema: JSONValue?

    /// The examples are in lines of at most `width` columns; nil is one line each.
    init(_ declaration: EndpointDeclaration, tool: String, width: Int? = nil, withSchemas: Bool = false) {
        let endpoint = declaration.endpoint
        let places = ParameterPlaces(of: declaration)
        name = declaration.name
        summary = endpoint.summary
        apiSummary = declaration.api.summary
        method = endpoint.method.rawValue
        path = places.template
        let flags = Dictionary(
            declaration.signature.options().map { ($0.path, $0.flag) }, uniquingKeysWith: { first, _ in first })
        let fields = declaration.signature.fields
        parameters = fields.compactMap { field in
            (flags[field.path] ?? declaration.unlabelledName(field.path)).map {
                ParameterDescription(field, of: fields, flag: $0, declaration.signature, endpoint, places)
            }
        }
        headers = declaration.api.fields(of: endpoint).map(\.description)
        body = endpoint.body?.contentType
        returns =
            switch endpoint.response.kind {
            case .json: endpoint.response.name == "\(JSONValue.self)" ? "any JSON" : endpoint.response.name
            case .empty: "no body"
            case .bytes: "any bytes"
            }
        servers = declaration.api.servers.map { Server(name: $0.name, url: $0.url) }
        credentials = declaration.api.declaredCredentials(of: declaration).map { CredentialDescription($0) }
        pages = endpoint.pages != nil
        sample = endpoint.sample != nil
        examples = declaration.examples.compactMap {
            declaration.command($0, tool: tool, width: width)
        }
        schema = withSchemas ? declaration.responseShape?.jsonSchema : nil
        bodySchema = withSchemas ? try? declaration.bodySchema(places) : nil
    }
}

extension EndpointDescription.ParameterDescription {
    fileprivate init(
        _ field: Signature.Field, of fields: [Signature.Field], flag: String, _ signature: Signature,
        _ endpoint: Endpoint, _ places: ParameterPlaces
    ) {
        let (path, parameter) = (field.path, field.parameter)
        let key = path.count == 1 ? parameter.name : signature.key(of: path)
        // A field of one of several cases is never required alone.
        let isInVariant = path.indices.dropFirst().contains { end in
            if case .variants = signature.type(at: path[..<end]) { true } else { false }
        }
        let others = endpoint.rules.flatMap { rule -> [String] in
            guard case .exclusive(let names) = rule.kind, names.contains(key) else { return [] }
            return names.filter { $0 != key }
        }
        self.flag = flag
        type = parameter.type == .object([]) && isInVariant ? "flag" : parameter.type.shortName
        let isRequired = !parameter.isOptional && !isInVariant
        let optional = fields.last {
            isRequired && $0.parameter.isOptional && $0.path.count < path.count && path.starts(with: $0.path)
        }
        requiredIn = optional.map {
            $0.path.count == 1 ? signature.shownName(of: $0.parameter) : KebabCase.text($0.parameter.name)
        }
        required = isRequired && optional == nil
        repeats = parameter.type.takesSeveral
        values = if case .choice(let choices, _) = parameter.type.element { choices } else { nil }
        self.places = (places.places[path[0]] ?? []).map(\.rawValue)
        example = parameter.typedExample
        note = endpoint.notes[key]
        `default` = path.count == 1 ? places.defaults[key] : nil
        bounds =
            endpoint.rules.first { $0.bounds != nil && $0.parameters == [key] }?.bounds ?? parameter.type.element.bounds
        let flags = others.map { "--" + signature.flagName($0.split(separator: ".").map(String.init)) }
        excludes = flags.isEmpty ? nil : flags
        hidesOption = CallOptions.table.specs.contains { $0.flag == flag }
    }
}

extension ParameterType {
    /// One word for the type.
    var shortName: String {
        switch self {
        case .bool: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .string: "text"
        case .url: "URL"
        case .uuid: "UUID"
        case .date: "date"
        case .choice: "choice"
        case .array(let element): element.shortName
        case .dictionary(let value): "KEY=" + value.shortName
        case .object, .variants: "object"
        case .nullable(let type): type.shortName + " or null"
        case .json: "JSON"
        }
    }
}

extension EndpointDescription {
    /// The description as text.
    static func text(_ declaration: EndpointDeclaration, _ context: RunContext) -> String {
        let table = context.table
        let description = EndpointDescription(declaration, tool: context.tool, width: table.width)
        let hidden = description.parameters.filter(\.hidesOption).map(\.flag)
        let response = (declaration.responseShape?.outline ?? description.returns).split(separator: "\n").map(
            String.init)
        let pages = description.pages ? ["Pages: --all-pages follows them"] : []
        let examples = description.examples.isEmpty ? ["none"] : description.examples
        return [
            "\(description.name): \(description.summary)\n\(description.method) \(description.path)\n",
            description.apiSummary.isEmpty ? "" : "API: \(description.apiSummary)\n",
            table.section("Parameters", description.parameters.map(row)),
            hidden.map { "  To use call's own \($0), write it before the endpoint's name.\n" }.joined(),
            table.section("Headers", description.headers.map { [$0] }),
            table.section("Body", description.body.map { [[$0]] } ?? []),
            table.section(
                "Response", (response + pages).map { [$0] } + [["Sample: \(description.sample ? "yes" : "no")"]]),
            table.section("Servers", description.servers.map { [$0.name, $0.url] }),
            table.section("Credentials", description.credentials.flatMap(\.rows)),
            table.section("Examples", examples.map { [$0] }),
        ].joined()
    }

    private static func row(_ parameter: ParameterDescription) -> [String] {
        let type = parameter.type + (parameter.repeats ? ", repeatable" : "")
        let separator = parameter.repeats ? " \(parameter.flag) " : " "
        let example = parameter.example.isEmpty ? "" : "e.g. " + parameter.example.joined(separator: separator)
        let notes = [
            parameter.values.map { "one of " + $0.joined(separator: ", ") }, parameter.bounds, parameter.note,
            parameter.default.map { "default \($0)" },
            parameter.excludes.map { "not with " + $0.joined(separator: ", ") },
            example.isEmpty || parameter.type == "object" ? nil : example,
        ]
        return [
            parameter.flag, type,
            parameter.requiredIn.map { "required in \($0)" } ?? (parameter.required ? "required" : "optional"),
            parameter.places.joined(separator: ", "), notes.compactMap { $0 }.joined(separator: "; "),
        ]
    }
}

extension Table {
    /// The rows under a title, after an empty line; nothing if there is none.
    func section(_ title: String, _ rows: [[String]]) -> String { rows.isEmpty ? "" : "\n\(title)\n" + text(rows) }
}

extension EndpointDeclaration {
    /// An example as a command line, `apictl call movies.recommended --id 550`, in lines of at most `width` columns; nil as for
    /// ``words(of:)``.
    fileprivate func command(_ example: any API, tool: String, width: Int?) -> String? {
        words(of: example)?.reduce(into: ["\(tool) call"]) { lines, words in
            let (last, part) = (lines.count - 1, words.map(ShellText.quoted).joined(separator: " "))
            if let width, TextWidth.columns(of: lines[last] + part) + 5 > width {
                lines.append("      " + part)
            } else {
                lines[last] += " " + part
            }
        }.joined(separator: " \\\n")
    }

    /// The endpoint's name and the parameters of an example, each flag with its value; nil if it can't be written as JSON.
    func words(of example: any API) -> [[String]]? {
        guard let signature = try? signature.filled(from: example) else { return nil }
        let fields = signature.parameters.flatMap { Self.fields($0, [$0.name]) }
        let arguments = fields.filter { !$0.parameter.example.isEmpty }.flatMap { path, parameter in
            parameter.exampleArguments.map { Argument(path + $0.path.dropFirst(), $0.value) }
        }
        // Flags can't say everything: an empty structure, a list of several.
        let isWhole = (try? call(arguments))?.isSameCall(as: example) != true
        let values = isWhole ? signature.parameters.map { ([$0.name], $0) } : fields
        return [[name]]
            + values.flatMap { Self.words(of: $0.1, "--" + signature.flagName($0.0), isField: $0.0.count > 1) }
    }

    /// What of a parameter is given by flags of its own, and the way to it.
    private static func fields(_ parameter: Parameter, _ path: [String]) -> [([String], parameter: Parameter)] {
        let isFlag = parameter.position == nil || !parameter.type.isArray
        guard isFlag, parameter.type.element.hasFields, parameter.example.count == 1 else { return [(path, parameter)] }
        let inner = path + (parameter.type.isArray ? ["0"] : [])
        return parameter.type.element.fields.flatMap { fields($0, inner + [$0.name]) }
    }

    /// The flag with each value of the example.
    private static func words(of parameter: Parameter, _ flag: String, isField: Bool) -> [[String]] {
        parameter.typedExample.map { text in
            if !isField, parameter.position != nil { return [text] }
            if parameter.type == .bool { return [text == "true" ? flag : "--no-" + flag.dropFirst(2)] }
            return text.hasPrefix("--") ? [flag + "=" + text] : [flag, text]
        }
    }
}
