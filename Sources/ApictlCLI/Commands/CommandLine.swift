import EndpointKit

/// The commands there are, and how words become one of them.
enum CommandName: String, CaseIterable, Sendable {
    case list, describe, call, curl, format, help

    /// How it is written.
    var usage: String {
        switch self {
        case .list: "list [PATTERN] [--json]"
        case .describe: "describe API.ENDPOINT [--json]"
        case .call: "call API.ENDPOINT [parameters] [options]"
        case .curl: "curl API.ENDPOINT [parameters] [options]"
        case .format: "format [FILE…] [--compact | --indent N | --check]"
        case .help: "help [COMMAND | API.ENDPOINT | exit-codes | environment]"
        }
    }

    var summary: String {
        switch self {
        case .list: "the endpoints there are"
        case .describe: "parameters, servers, credentials and examples of an endpoint"
        case .call: "send a request and show the answer"
        case .curl: "print the curl command that sends the same request"
        case .format: "check and re-indent JSON from files or stdin"
        case .help: "help on a command, an endpoint or a topic"
        }
    }

    /// The options of the command itself, endpoint parameters aside.
    var options: [OptionSpec] {
        switch self {
        case .list, .describe: DisplayOptions.specs
        case .call, .curl: CallOptions.specs
        case .format: FormatCommand.specs
        case .help: [HelpCommand.helpOption]
        }
    }
}

/// Reads a command line.
struct CommandLineParser {
    let registry: Registry

    /// The command that `arguments` name. Throws ``UsageError``.
    func parse(_ arguments: [String]) throws -> any Command {
        let words = arguments.enumerated().map { Word(text: $1, position: $0 + 1) }
        guard let first = words.first else { return HelpCommand(topic: nil) }
        switch first.text {
        case "--help", "-h", "--version":
            if let extra = words.dropFirst().first {
                throw UsageError.unexpectedArgument(extra.text, position: extra.position, suggestion: nil)
            }
            return first.text == "--version" ? VersionCommand() : HelpCommand(topic: nil)
        default: break
        }
        guard let name = CommandName(rawValue: first.text) else { throw unknown(first) }
        let rest = Array(words.dropFirst())
        switch name {
        case .list: return try list(rest)
        case .describe: return try describe(rest)
        case .call: return try invocation(.call, rest) { CallCommand(invocation: $0) }
        case .curl: return try invocation(.curl, rest) { CurlCommand(invocation: $0) }
        case .format: return try FormatCommand.parse(rest) ?? HelpCommand(topic: .command(.format))
        case .help: return try help(rest)
        }
    }

    private func unknown(_ word: Word) -> UsageError {
        if word.text.hasPrefix("-"), word.text != "-" {
            let name = word.text.drop { $0 == "-" }.prefix { $0 != "=" }
            if CallOptions.specs.contains(where: { $0.name == name || $0.short.map(String.init) == String(name) }) {
                return .optionBeforeCommand(word.text, position: word.position)
            }
            let nearest = Nearest.match(word.text, in: ["--help", "--version"])
            return .unknownOption(word.text, position: word.position, nearest: nearest)
        }
        // An endpoint's name alone says clearly enough what is wanted.
        if let endpoint = try? registry.endpoint(word) {
            return .unknownCommand(word.text, position: word.position, nearest: "call \(endpoint.name)")
        }
        let nearest = Nearest.match(word.text, in: CommandName.allCases.map(\.rawValue))
        return .unknownCommand(word.text, position: word.position, nearest: nearest)
    }

    private func list(_ words: [Word]) throws -> any Command {
        let (options, positionals) = try DisplayOptions.parse(words, most: 1)
        if options.help { return HelpCommand(topic: .command(.list)) }
        return ListCommand(pattern: positionals.first, json: options.json, color: options.color)
    }

    private func describe(_ words: [Word]) throws -> any Command {
        let (options, positionals) = try DisplayOptions.parse(words, most: 1)
        if options.help { return HelpCommand(topic: .command(.describe)) }
        guard let endpoint = positionals.first else {
            throw UsageError.endpointExpected(command: "describe", example: registry.exampleName)
        }
        return DescribeCommand(endpoint: endpoint, json: options.json, color: options.color)
    }

    /// A command on an endpoint, or help on the endpoint or the command where that was asked for.
    private func invocation(
        _ command: CommandName, _ words: [Word], _ make: (EndpointInvocation) -> any Command
    ) throws -> any Command {
        let invocation = try EndpointInvocation.parse(command: command.rawValue, words, registry: registry)
        guard invocation.options.help else {
            try invocation.check()
            return make(invocation)
        }
        return HelpCommand(topic: invocation.endpoint.isEmpty ? .command(command) : .endpoint(invocation.endpoint))
    }

    private func help(_ words: [Word]) throws -> any Command {
        var scanner = OptionScanner(words, options: [HelpCommand.helpOption])
        var topics: [Word] = []
        while let item = try scanner.next() {
            if case .positional(let word) = item { topics.append(word) }
        }
        if topics.count > 1 {
            throw UsageError.unexpectedArgument(topics[1].text, position: topics[1].position, suggestion: nil)
        }
        return HelpCommand(topic: try topics.first.map(topic))
    }

    private func topic(_ word: Word) throws -> HelpTopic {
        if let command = CommandName(rawValue: word.text) { return .command(command) }
        if word.text == "exit-codes" { return .exitCodes }
        if word.text == "environment" { return .environment }
        if word.text.contains(".") { return .endpoint(try registry.endpoint(word).name) }
        if registry.apis.contains(where: { $0.name == word.text }) { _ = try registry.endpoint(word) }
        let known = CommandName.allCases.map(\.rawValue) + ["exit-codes", "environment"]
        throw UsageError.unknownTopic(
            word.text, position: word.position, nearest: Nearest.match(word.text, in: known))
    }
}
