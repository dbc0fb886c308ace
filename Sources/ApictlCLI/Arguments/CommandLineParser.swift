import EndpointKit

/// Parses a command line into a command.
struct CommandLineParser {
    let registry: Registry
    /// The help topic to suggest for an invalid command line: the endpoint if it was found, otherwise the command, otherwise nil.
    private(set) var topic: String?

    init(registry: Registry) { self.registry = registry }

    /// The command that `arguments` describe. Throws ``UsageError``.
    mutating func parse(_ arguments: [String]) throws -> any Command {
        let words = arguments.enumerated().map { Word(text: $1, position: $0 + 1) }
        guard let first = words.first else { return HelpCommand(topic: nil) }
        switch first.text {
        case "--help", "-h": return try alone(words, HelpCommand(topic: nil))
        case "--version", "-V", "version": return try alone(words, VersionCommand())
        case "__complete": return CompleteCommand(words: Array(arguments.dropFirst()))
        default: break
        }
        guard let name = CommandName(rawValue: first.text) else { return try withoutCommand(words) }
        topic = name.rawValue
        let rest = Array(words.dropFirst())
        switch name {
        case .list: return try ListCommand.parse(rest) ?? HelpCommand(topic: .command(.list))
        case .describe: return try describe(rest)
        case .call: return try call(name, rest) { CallCommand(arguments: $0) }
        case .curl: return try call(name, rest) { CurlCommand(arguments: $0) }
        case .check: return try CheckCommand.parse(rest) ?? HelpCommand(topic: .command(.check))
        case .diff: return try call(name, rest, table: DiffCommand.table) { try DiffCommand(arguments: $0) }
        case .mock: return try MockCommand.parse(rest) ?? HelpCommand(topic: .command(.mock))
        case .format: return try FormatCommand.parse(rest) ?? HelpCommand(topic: .command(.format))
        case .config: return try config(rest)
        case .completions: return try CompletionsCommand.parse(rest) ?? HelpCommand(topic: .command(.completions))
        case .help: return try help(rest)
        }
    }

    /// `command`, if nothing follows its word. Throws ``UsageError``.
    private func alone(_ words: [Word], _ command: any Command) throws -> any Command {
        guard words.count > 1 else { return command }
        throw UsageError.unexpectedArgument(words[1].text, position: words[1].position, suggestion: nil)
    }

    /// An API's page, or a call of an endpoint: `movies`, `movies.popular …`, `movies popular …`.
    private mutating func withoutCommand(_ words: [Word]) throws -> any Command {
        let first = words[0]
        let name = String(first.text.prefix { $0 != "." })
        guard first.text.utf8.count <= Registry.longestName, let api = registry.api(name) else { throw unknown(first) }
        if first.text.contains(".") || words.dropFirst().contains(where: { !$0.text.hasPrefix("-") }) {
            return try call(.call, words) { CallCommand(arguments: $0) }
        }
        topic = api.name
        var options = DisplayOptions()
        _ = try DisplayOptions.table.parse(Array(words.dropFirst()), into: &options)
        return APICommand(api: api, options: options)
    }

    /// The endpoint that `word` names, which becomes the help topic.
    private mutating func endpoint(_ word: Word) throws -> EndpointDeclaration {
        let declaration = try registry.endpoint(word)
        topic = declaration.name
        return declaration
    }

    private func unknown(_ word: Word) -> UsageError {
        if word.text.hasPrefix("-"), word.text != "-" {
            let name = word.text.drop { $0 == "-" }.prefix { $0 != "=" }
            if CallOptions.table.specs.contains(where: { $0.name == name || $0.short.map(String.init) == String(name) })
            {
                return .optionBeforeCommand(word.text, position: word.position)
            }
            let nearest = Nearest.match(word.text, in: ["--help", "--version"])
            return .unknownOption(word.text, position: word.position, nearest.map { .nearest($0) })
        }
        let names = CommandName.allCases.map(\.rawValue) + registry.apis.map { $0.name }
        return .unknownCommand(word.text, position: word.position, nearest: Nearest.matches(word.text, in: names))
    }

    private mutating func describe(_ words: [Word]) throws -> any Command {
        var options = DisplayOptions()
        let (positionals, _) = try DisplayOptions.table.parse(words, into: &options)
        if options.help { return HelpCommand(topic: .command(.describe)) }
        guard let word = try registry.name(positionals) else {
            throw UsageError.endpointExpected(command: "describe", example: registry.exampleName)
        }
        if let api = registry.api(word.text) { return APICommand(api: api, options: options) }
        return DescribeCommand(declaration: try endpoint(word), options: options)
    }

    private func config(_ words: [Word]) throws -> any Command {
        var options = DisplayOptions()
        let (positionals, _) = try DisplayOptions.table.parse(words, into: &options)
        if options.help { return HelpCommand(topic: .command(.config)) }
        return ConfigCommand(apis: try positionals.map(registry.api), options: options)
    }

    /// Parses `call` and `curl`, or their `--help`.
    private mutating func call(
        _ name: CommandName, _ words: [Word], table: OptionTable<CallOptions> = CallOptions.table,
        _ make: (CallArguments) throws -> any Command
    ) throws -> any Command {
        var parser = CallArgumentParser(words, table: table)
        guard let word = try parser.endpointName(in: registry) else {
            if parser.asksForHelp { return HelpCommand(topic: .command(name)) }
            throw UsageError.endpointExpected(command: name.rawValue, example: registry.exampleName)
        }
        let declaration = try endpoint(word)
        // The endpoint's page is about calling it.
        if name == .diff { topic = name.rawValue }
        let arguments = try parser.arguments(of: declaration)
        if arguments.options.asksForHelp {
            return HelpCommand(topic: .endpoint(arguments.declaration, all: arguments.options.helpAll))
        }
        return try make(arguments)
    }

    private mutating func help(_ words: [Word]) throws -> any Command {
        let (topics, isManual) = try HelpCommand.parse(words)
        if isManual {
            if let word = topics.first {
                throw UsageError.unexpectedArgument(word.text, position: word.position, suggestion: nil)
            }
            return HelpCommand(topic: .manual)
        }
        if let command = topics.first.flatMap({ CommandName(rawValue: $0.text) }) {
            // `help call movies.popular` is about the endpoint.
            let takesEndpoint = [.describe, .call, .curl].contains(command)
            guard takesEndpoint, let word = try registry.name(Array(topics.dropFirst())) else {
                return try alone(topics, HelpCommand(topic: .command(command)))
            }
            return HelpCommand(topic: .endpoint(try registry.endpoint(word), all: false))
        }
        guard let word = try registry.name(topics) else { return HelpCommand(topic: nil) }
        if let topic = HelpTopic.named[word.text] { return HelpCommand(topic: topic) }
        if let api = registry.api(word.text) { return APICommand(api: api, options: DisplayOptions()) }
        if registry.api(String(word.text.prefix { $0 != "." })) != nil || word.text.contains(".") {
            return HelpCommand(topic: .endpoint(try registry.endpoint(word), all: false))
        }
        let known = CommandName.allCases.map(\.rawValue) + HelpTopic.named.keys.sorted() + registry.apis.map { $0.name }
        throw UsageError.unknownTopic(
            word.text, position: word.position, nearest: Nearest.match(word.text, in: known))
    }
}
