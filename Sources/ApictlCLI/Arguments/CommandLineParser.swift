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
        if ["--help", "-h", "--version"].contains(first.text) {
            if let extra = words.dropFirst().first {
                throw UsageError.unexpectedArgument(extra.text, position: extra.position, suggestion: nil)
            }
            return first.text == "--version" ? VersionCommand() : HelpCommand(topic: nil)
        }
        guard let name = CommandName(rawValue: first.text) else { throw unknown(first) }
        topic = name.rawValue
        let rest = Array(words.dropFirst())
        switch name {
        case .list: return try ListCommand.parse(rest) ?? HelpCommand(topic: .command(.list))
        case .describe: return try describe(rest)
        case .call: return try call(name, rest) { CallCommand(arguments: $0) }
        case .curl: return try call(name, rest) { CurlCommand(arguments: $0) }
        case .format: return try FormatCommand.parse(rest) ?? HelpCommand(topic: .command(.format))
        case .help: return try help(rest)
        }
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
            return .unknownOption(word.text, position: word.position, nearest: nearest)
        }
        // An endpoint's name alone most likely means to call it.
        if let endpoint = try? registry.endpoint(word) {
            return .unknownCommand(word.text, position: word.position, nearest: "call \(endpoint.name)")
        }
        let nearest = Nearest.match(word.text, in: CommandName.allCases.map(\.rawValue))
        return .unknownCommand(word.text, position: word.position, nearest: nearest)
    }

    private mutating func describe(_ words: [Word]) throws -> any Command {
        var options = DisplayOptions()
        let (positionals, _) = try DisplayOptions.table.parse(words, into: &options, most: 1)
        if options.help { return HelpCommand(topic: .command(.describe)) }
        guard let word = positionals.first else {
            throw UsageError.endpointExpected(command: "describe", example: registry.exampleName)
        }
        return DescribeCommand(declaration: try endpoint(word), options: options)
    }

    /// Parses `call` and `curl`, or their `--help`.
    private mutating func call(
        _ name: CommandName, _ words: [Word], _ make: (CallArguments) -> any Command
    ) throws -> any Command {
        var parser = CallArgumentParser(words)
        guard let word = try parser.endpointName() else {
            if parser.asksForHelp { return HelpCommand(topic: .command(name)) }
            throw UsageError.endpointExpected(command: name.rawValue, example: registry.exampleName)
        }
        let arguments = try parser.arguments(of: endpoint(word))
        return arguments.options.help ? HelpCommand(topic: .endpoint(arguments.declaration)) : make(arguments)
    }

    private mutating func help(_ words: [Word]) throws -> any Command {
        let (topics, _) = try HelpCommand.parse(words)
        guard let word = topics.first else { return HelpCommand(topic: nil) }
        if let command = CommandName(rawValue: word.text) { return HelpCommand(topic: .command(command)) }
        if word.text == "exit-codes" { return HelpCommand(topic: .exitCodes) }
        if word.text == "environment" { return HelpCommand(topic: .environment) }
        if word.text.contains(".") || registry.apis.contains(where: { $0.name == word.text }) {
            return HelpCommand(topic: .endpoint(try registry.endpoint(word)))
        }
        let known = CommandName.allCases.map(\.rawValue) + ["exit-codes", "environment"]
        throw UsageError.unknownTopic(
            word.text, position: word.position, nearest: Nearest.match(word.text, in: known))
    }
}
