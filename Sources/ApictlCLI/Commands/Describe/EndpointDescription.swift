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
            let settings = try Settings(context)
            let description = try APIDescription(api, isSet: settings.variables(of: api).hasValue)
            try context.print(asJSON: options.json, options.common, description, or: description.text(api, context))
        case .endpoint(let declaration):
            try context.print(
                asJSON: options.json, options.common,
                EndpointDescription(declaration, tool: context.tool, withSchemas: true),
                or: DescriptionText.text(declaration, context))
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
        let signature = declaration.signature
        parameters = signature.parameters.flatMap { parameter in
            let own = (parameter, signature.shownName(of: parameter), [parameter.name])
            var fields = signature.options(of: parameter.name).map { ($0.parameter, $0.spec.flag, $0.spec.path) }
            if fields.isEmpty {
                // The elements of a list without a label have no flags, but fields.
                fields = signature.fields.filter { $0.path[0] == parameter.name && $0.path.count > 1 }.map { field in
                    let names = field.path.dropFirst().map { $0 == Signature.anyPosition ? $0 : KebabCase.text($0) }
                    return (field.parameter, ([own.1] + names).joined(separator: "."), field.path)
                }
            }
            return ((parameter.position == nil ? [] : [own]) + fields).map { parameter, flag, path in
                ParameterDescription(parameter, flag: flag, path: path, signature, endpoint, places)
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
            ExampleCommand.text($0, of: declaration, tool: tool, width: width)
        }
        schema = withSchemas ? declaration.responseShape?.jsonSchema : nil
        bodySchema = withSchemas ? try? declaration.bodySchema(places) : nil
    }
}

extension EndpointDescription.ParameterDescription {
    /// The field of the root parameter `path[0]` at `path`, or that parameter itself.
    fileprivate init(
        _ parameter: Parameter, flag: String, path: [String], _ signature: Signature, _ endpoint: Endpoint,
        _ places: ParameterPlaces
    ) {
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
        let optional =
            !isRequired
            ? nil
            : path.indices.dropFirst().reversed().lazy.compactMap { end in
                signature.fields.first { $0.path == Array(path[..<end]) && $0.parameter.isOptional }
            }.first
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

/// The description of an endpoint as text.
enum DescriptionText {
    static func text(_ declaration: EndpointDeclaration, _ context: RunContext) -> String {
        let table = Table(width: context.textWidth)
        let description = EndpointDescription(declaration, tool: context.tool, width: table.width)
        var text = "\(description.name): \(description.summary)\n"
        text += "\(description.method) \(description.path)\n"
        if !description.apiSummary.isEmpty { text += "API: \(description.apiSummary)\n" }
        text += section("Parameters", table.text(description.parameters.map(row)))
        for parameter in description.parameters where parameter.hidesOption {
            text += "  To use call's own \(parameter.flag), write it before the endpoint's name.\n"
        }
        text += section("Headers", description.headers.map { "  \($0)\n" }.joined())
        if let body = description.body { text += section("Body", "  \(body)\n") }
        let outline = declaration.responseShape?.outline ?? description.returns
        let response = outline.split(separator: "\n").map { "  \($0)\n" }.joined()
        let pages = description.pages ? "  Pages: --all-pages follows them\n" : ""
        text += section("Response", "\(response)\(pages)  Sample: \(description.sample ? "yes" : "no")\n")
        text += section("Servers", table.text(description.servers.map { [$0.name, $0.url] }))
        text += section("Credentials", table.text(description.credentials.flatMap(\.rows)))
        let examples = description.examples.isEmpty ? ["none"] : description.examples
        text += section("Examples", examples.map { "  \($0)\n" }.joined())
        return text
    }

    static func section(_ title: String, _ content: String) -> String {
        content.isEmpty ? "" : "\n\(title)\n\(content)"
    }

    private static func row(_ parameter: EndpointDescription.ParameterDescription) -> [String] {
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

/// An example of an endpoint as a command line.
enum ExampleCommand {
    /// A parameter, or a field of one.
    private typealias Field = (path: [String], parameter: Parameter)

    /// `apictl call movies.recommended --id 550`, in lines of at most `width` columns; nil if the example can't be written as JSON.
    static func text(_ example: any API, of declaration: EndpointDeclaration, tool: String, width: Int?) -> String? {
        guard let parts = parts(example, of: declaration) else { return nil }
        var (text, column) = ("\(tool) call", 2 + tool.utf8.count + 5)
        for part in parts.map({ $0.map(ShellText.quoted).joined(separator: " ") }) {
            let length = 1 + TextWidth.columns(of: part)
            if let width, column + length > width - 2 {
                text += " \\\n     "
                column = 5
            }
            text += " " + part
            column += length
        }
        return text
    }

    /// The words of the endpoint's name and its parameters, each flag with its value; nil as for ``text(_:of:tool:width:)``.
    static func parts(_ example: any API, of declaration: EndpointDeclaration) -> [[String]]? {
        guard let signature = try? declaration.signature.filled(from: example) else { return nil }
        let fields = signature.parameters.flatMap { Self.fields($0, [$0.name]) }
        let arguments = fields.filter { !$0.parameter.example.isEmpty }.flatMap { path, parameter in
            parameter.exampleArguments.map { Argument(path + $0.path.dropFirst(), $0.value) }
        }
        // Flags can't say everything: an empty structure, a list of several.
        let isWhole = (try? declaration.call(arguments))?.isSameCall(as: example) != true
        let values = isWhole ? signature.parameters.map { ([$0.name], $0) } : fields
        return [[declaration.name]] + values.flatMap { parts(signature, $0) }
    }

    /// What of a parameter is given by flags of its own.
    private static func fields(_ parameter: Parameter, _ path: [String]) -> [Field] {
        let isFlag = parameter.position == nil || !parameter.type.isArray
        guard isFlag, parameter.type.element.hasFields, parameter.example.count == 1 else { return [(path, parameter)] }
        let inner = path + (parameter.type.isArray ? ["0"] : [])
        return parameter.type.element.fields.flatMap { fields($0, inner + [$0.name]) }
    }

    /// The flag with each value of the example.
    private static func parts(_ signature: Signature, _ field: Field) -> [[String]] {
        let flag = "--" + signature.flagName(field.path)
        return field.parameter.typedExample.map { text in
            if field.path.count == 1, field.parameter.position != nil { return [text] }
            if field.parameter.type == .bool { return [text == "true" ? flag : "--no-" + flag.dropFirst(2)] }
            return text.hasPrefix("--") ? [flag + "=" + text] : [flag, text]
        }
    }
}
