import EndpointKit
import EndpointTools
import JSONText

/// `describe`, and the name of an API or group alone: shows an API, a group of APIs, or everything about an endpoint.
struct DescribeCommand: Command {
    struct Options: CommandOptions {
        var common = CommonOptions()
        var json = false
    }

    static let name = "describe"
    static let usage = "describe API[.ENDPOINT]|GROUP [--json]"
    static let summary = "show an API, a group of APIs, or an endpoint's parameters, response and examples"
    static let operands = CommandOperands.subject
    static let table = OptionTable<Options>(command: [
        OptionGroup(title: "Options", options: [Option("json", "print JSON") { $0.json = true }])
    ])

    private let subject: Subject
    private let options: Options

    init(_ words: CommandWords<Options>) throws {
        guard let word = try words.registry.name(words.others) else {
            throw words.registry.endpointExpected(by: Self.name, or: "an API")
        }
        options = words.options
        subject = try words.registry.subject(word)
    }

    var isPaged: Bool { true }

    func run(_ context: CommandContext) async throws -> ExitCode {
        switch subject {
        case .api(let api):
            let description = try APIDescription(api, context)
            try context.print(asJSON: options.json, options.common, description.json, or: description.text(context))
        case .group(let group):
            let description = try GroupDescription(group, context)
            try context.print(asJSON: options.json, options.common, description.json, or: description.text(context))
        case .endpoint(let declaration):
            try context.print(
                asJSON: options.json, options.common,
                EndpointDescription(declaration).json(tool: context.invocation),
                or: EndpointDescription.text(declaration, context))
        }
        return .success
    }
}

extension APIDescription {
    /// With all endpoints, and which variables have a value. Throws `NotAnEnumCase`, and as ``Settings`` does.
    init(_ api: CatalogueAPI, _ context: CommandContext) throws {
        let variables = try Settings(context).variables(of: api)
        self.init(api: api, endpoints: try api.summaries(), isSet: variables.hasValue)
    }

    /// The description as text.
    func text(_ context: CommandContext) -> String {
        let table = context.table
        return api.title + "\n"
            + table.section("Servers", api.servers.map { [$0.name, $0.url] })
            + table.section("Credentials", credentialRows)
            + table.section("Endpoints", endpoints.map(\.row))
            + table.section("Left out", api.omissions().map { [$0] })
            + table.section("Try", Self.trials(endpoints.first, context))
    }

    /// A row for each alternative of each credential.
    var credentialRows: [[String]] { api.declaredCredentials().flatMap { $0.rows(isSet) } }

    /// Returns the command lines that show what to do with an endpoint; none for no endpoint.
    static func trials(_ endpoint: EndpointSummary?, _ context: CommandContext) -> [[String]] {
        guard let endpoint else { return [] }
        let call = "call \(context.registry.offlineArguments(endpoint.name))"
        return ["describe \(endpoint.name)", call].map { ["\(context.invocation) \($0)"] }
    }
}

extension EndpointSummary {
    /// The row of a listing.
    var row: [String] { [name, method, path, summary] }
}

extension ConfigurableCredential {
    /// A row for each alternative, which says whether variables have a value if `isSet` does.
    func rows(_ isSet: (String) -> Bool? = { _ in nil }) -> [[String]] {
        credential.alternatives.enumerated().map { index, scheme in
            let start = index > 0 ? "or " : server.map { "on \($0): " } ?? ""
            let states = scheme.variables.compactMap { variable in
                isSet(variable).map { variable + ($0 ? " is set" : " is not set") }
            }
            let notes = [states.joined(separator: ", "), scheme.source ?? ""]
            return [
                start + scheme.sentence + (credential.isOptional ? " (optional)" : ""),
                notes.filter { !$0.isEmpty }.joined(separator: "; "),
            ]
        }
    }
}

extension Shape {
    /// One word for the type of a parameter.
    var shortName: String {
        if let other = nonNull { return other.shortName + " or null" }
        return switch self {
        case .scalar(.string): "text"
        case .scalar: name
        case .values: "choice"
        case .array(let element): element.shortName
        case .dictionary(let value): "KEY=" + value.shortName
        case .object, .open, .variants: "object"
        case .nullable, .alternatives, .model, .null, .any: "JSON"
        }
    }
}

extension EndpointDescription {
    /// The name with the summary, if there is one, and the method with the path.
    var title: String {
        let heading = endpoint.summary.isEmpty ? name : "\(name): \(endpoint.summary)"
        return "\(heading)\n\(endpoint.method) \(places.template)\n"
    }

    /// The media type of the body, and those that can be chosen instead; nothing if there is no body.
    fileprivate var bodyRows: [[String]] {
        let chosen = places.endpoint.body.map { [[$0.contentType]] } ?? []
        return chosen + (bodyTypes.isEmpty ? [] : [["--body-type: one of " + bodyTypes.joined(separator: ", ")]])
    }

    /// The description as text.
    static func text(_ declaration: EndpointDeclaration, _ context: CommandContext) -> String {
        let table = context.table
        let description = EndpointDescription(declaration)
        let summary = declaration.api.summary
        let hidden = description.parameters.filter(\.hidesOption).map(\.flag)
        let response = (description.responseShape?.outline ?? description.returns).split(separator: "\n").map(
            String.init)
        let pages = description.endpoint.pages != nil ? ["Pages: --all-pages follows them"] : []
        // A section is indented.
        let examples = description.examples(tool: context.invocation, width: table.width - 2).nonEmpty ?? ["none"]
        return [
            description.title,
            summary.isEmpty ? "" : "API: \(summary)\n",
            table.section("Parameters", description.parameters.map { $0.row() }),
            hidden.map { "  To use call's own \($0), write it before the endpoint's name.\n" }.joined(),
            table.section("Headers", description.headers.map { [$0] }),
            table.section("Body", description.bodyRows),
            table.section(
                "Response",
                (response + pages).map { [$0] } + [["Sample: \(description.endpoint.sample != nil ? "yes" : "no")"]]),
            table.section("Servers", declaration.api.servers.map { [$0.name, $0.url] }),
            table.section("Credentials", description.credentials.flatMap { $0.rows() }),
            table.section("Examples", examples.map { [$0] }),
            table.section("Left out", declaration.omissions.map { [$0] }),
        ].joined()
    }
}

extension ParameterDescription {
    /// Its flag, type, whether it is required, its places, and notes; what is sent if it is not given may depend on the environment.
    func row(withDefault: Bool = true) -> [String] {
        let separator = repeats ? " \(flag) " : " "
        let example = example.isEmpty ? "" : "e.g. " + example.joined(separator: separator)
        let notes = [
            values.map { "one of " + $0.joined(separator: ", ") }, bounds, note,
            withDefault ? `default`.map { "default \($0)" } : nil,
            excludes.nonEmpty.map { "not with " + $0.joined(separator: ", ") },
            example.isEmpty || type == "object" ? nil : example,
        ]
        return [
            flag, type + (repeats ? ", repeatable" : ""),
            requiredIn.map { "required in \($0)" } ?? (required ? "required" : "optional"),
            places.joined(separator: ", "), notes.compactMap { $0 }.joined(separator: "; "),
        ]
    }
}

extension Table {
    /// The rows under a title, after an empty line; nothing if there is none.
    func section(_ title: String, _ rows: [[String]]) -> String { rows.isEmpty ? "" : "\n\(title)\n" + text(rows) }
}

extension EndpointDeclaration {
    /// An example as a command line, `apictl call movies.recommended --id 550`, with options after it, in lines of at most `width` columns; nil
    /// as for ``words(of:)``.
    func command(_ example: EndpointCall, _ options: [[String]] = [], tool: String, width: Int?) -> String? {
        words(of: example).map { words in
            let parts = (words + options).map { $0.map(ShellText.quoted).joined(separator: " ") }
            return ShellText.command(["\(tool) call"] + parts, width: width)
        }
    }

    /// The endpoint's name and the parameters of an example, each flag with its value; nil if it can't be written as JSON.
    func words(of example: EndpointCall) -> [[String]]? {
        guard let signature = try? signature.filled(from: example) else { return nil }
        let fields = signature.parameters.flatMap { Self.fields($0, [$0.name]) }
        let arguments = fields.filter { !$0.parameter.example.isEmpty }.flatMap { path, parameter in
            parameter.exampleArguments.map { Argument(path + $0.path.dropFirst(), $0.value) }
        }
        // Flags can't say everything: an empty structure, a list of several.
        let isWhole = (try? call(arguments))?.isSame(as: example) != true
        let values = isWhole ? signature.parameters.map { ([$0.name], $0) } : fields
        return [[name]]
            + values.flatMap { Self.words(of: $0.1, "--" + signature.flagName($0.0), isField: $0.0.count > 1) }
    }

    /// What of a parameter is given by flags of its own, and the way to it.
    private static func fields(_ parameter: Parameter, _ path: [String]) -> [([String], parameter: Parameter)] {
        let isFlag = parameter.position == nil || !parameter.type.isArray
        guard isFlag, !parameter.fields.isEmpty, parameter.example.count == 1 else { return [(path, parameter)] }
        let inner = path + (parameter.type.isArray ? ["0"] : [])
        return parameter.fields.flatMap { fields($0, inner + [$0.name]) }
    }

    /// The flag with each value of the example.
    private static func words(of parameter: Parameter, _ flag: String, isField: Bool) -> [[String]] {
        parameter.typedExample.map { text in
            if !isField, parameter.position != nil { return [text] }
            if parameter.type == .scalar(.boolean) { return [text == "true" ? flag : "--no-" + flag.dropFirst(2)] }
            return text.hasPrefix("--") ? [flag + "=" + text] : [flag, text]
        }
    }
}
