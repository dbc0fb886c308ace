import EndpointKit

/// Parses a command line into a command.
struct Parser {
    let registry: Registry
    let commands: [any Command.Type]
    /// The help topic to suggest for an invalid command line: the endpoint if it was found, otherwise the command, otherwise nil.
    private(set) var topic: String?
    /// The common options, as far as they were read.
    private(set) var common = CommonOptions()

    init(registry: Registry, commands: [any Command.Type]) {
        self.registry = registry
        self.commands = commands
    }

    /// The options before a command.
    private struct StartOptions: CommandOptions {
        var common = CommonOptions()
        var printsVersion = false

        static let table = OptionTable<StartOptions>(command: [
            OptionGroup(
                title: "Options",
                options: [Option("version", short: "V", "print the version") { $0.printsVersion = true }])
        ])
    }

    /// The command that `arguments` describe. Throws ``UsageError``.
    mutating func parse(_ arguments: [String]) throws -> any Command {
        if arguments.first == CompleteCommand.name { return CompleteCommand(Array(arguments.dropFirst())) }
        let words = arguments.enumerated().map { Word(text: $1, position: $0 + 1) }
        var options = StartOptions()
        var scanner = OptionScanner(words, options: StartOptions.table.specs)
        defer { common = options.common }
        while let item = try next(&scanner) {
            switch item {
            case .option(let spec, let value, let position):
                try StartOptions.table.apply(spec, value: value, position: position, to: &options)
            case .negated(let spec, let position):
                throw UsageError.unknownOption(
                    Word(text: "--no-" + spec.name, position: position), Nearest.question([spec.flag]))
            case .positional(let word):
                let rest = Array(scanner.words)
                if options.printsVersion { throw UsageError.unexpectedArgument(word) }
                if word.text == VersionCommand.name { return try parse(VersionCommand.self, rest, &options.common) }
                return try command(word, rest, &options.common)
            }
        }
        return options.printsVersion
            ? try parse(VersionCommand.self, [], &options.common) : HelpCommand(topic: HelpText.overview)
    }

    /// The next word before the command, where the options of commands are not known.
    private func next(_ scanner: inout OptionScanner) throws(UsageError) -> ParsedItem? {
        let word = scanner.words.first
        do {
            return try scanner.next()
        } catch {
            guard let word, let spec = CallOptions.table.specs.first(where: { $0.isSpelled(word.text) }) else {
                throw error
            }
            throw .unknownOption(
                Word(text: spec.spelling(word.text), position: word.position), "; options come after the command")
        }
    }

    private mutating func command(
        _ word: Word, _ rest: [Word], _ common: inout CommonOptions
    ) throws -> any Command {
        if let type = commands.first(where: { $0.name == word.text }) {
            topic = type.name
            return try parse(type, rest, &common)
        }
        let api =
            word.text.utf8.count <= Registry.maxNameLength
            ? registry.api(String(word.text.prefix { $0 != "." })) : nil
        guard let api else {
            let names = commands.map { $0.name } + registry.apis.map { $0.name }
            throw UsageError("unknown command \(word.shown)" + Nearest.question(Nearest.matches(word.text, in: names)))
        }
        // `movies.popular …` and `movies popular …` are calls, `movies` alone is about the API.
        if word.text.contains(".") || namesEndpoint(rest) { return try parse(CallCommand.self, [word] + rest, &common) }
        topic = api.name
        return try parse(DescribeCommand.self, [word] + rest, &common)
    }

    /// Whether a word after an API's name is not an option nor the value of one.
    private func namesEndpoint(_ words: [Word]) -> Bool {
        var scanner = OptionScanner(words, options: DescribeCommand.specs)
        do {
            while let item = try scanner.next() {
                if case .positional = item { return true }
            }
            return false
        } catch {
            return scanner.words.contains { !$0.text.hasPrefix("-") }
        }
    }

    /// The command of that type, or its help. `common` are the options before the command, to which those after it are added.
    private mutating func parse<C: Command>(
        _ type: C.Type, _ words: [Word], _ common: inout CommonOptions
    ) throws -> any Command {
        let table = C.table
        var parsed = CommandWords<C.Options>(registry: registry, commands: commands)
        parsed.options.common = common
        defer { common = parsed.options.common }
        var given: [String] = []
        var scanner = OptionScanner(words, options: table.specs)
        var call: CallParser?
        if C.operands == .call {
            call = CallParser(registry)
            scanner.unknownHint = "; parameters come after the endpoint's name"
        }
        while let item = try scanner.next() {
            if let value = call?.value(item) {
                parsed.call?.parameters.append(value)
                continue
            }
            switch item {
            case .option(let spec, let value, let position):
                try table.apply(spec, value: value, position: position, to: &parsed.options)
                if !given.contains(spec.name) { given.append(spec.name) }
            case .negated(let spec, let position):
                throw UsageError.unknownOption(
                    Word(text: "--no-" + spec.name, position: position), Nearest.question([spec.flag]))
            case .positional(let word):
                guard call != nil else {
                    parsed.others.append(word)
                    continue
                }
                if let words = parsed.call { throw words.unexpected(word) }
                guard let declaration = try call?.endpoint(after: word) else { continue }
                parsed.call = CallWords(declaration)
                // A page about the endpoint is about calling it.
                if C.self != DiffCommand.self { topic = declaration.name }
                scanner.options = (call?.specs ?? []) + table.specs
                scanner.unknownHint = ""
            }
        }
        if call != nil, parsed.call == nil, let declaration = try call?.endpoint() {
            parsed.call = CallWords(declaration)
        }
        if parsed.options.common.asksForHelp, C.self != HelpCommand.self { return help(type, parsed) }
        try table.check(parsed.options, given: given)
        return try C(parsed)
    }

    private func help<C: Command>(_ type: C.Type, _ words: CommandWords<C.Options>) -> HelpCommand {
        // An API's name alone is about the API.
        let api = words.others.first.flatMap { registry.api($0.text) }.flatMap { $0.name == self.topic ? $0 : nil }
        let showsAll = (words.options as? CallOptions)?.showsAllOptions ?? false
        let topic = words.call.map { HelpText.endpoint($0.declaration, all: showsAll) } ?? api.map(HelpText.api)
        return HelpCommand(topic: topic ?? { HelpText.command(type, $0) })
    }
}

extension OptionSpec {
    /// Whether `word` begins with this option, with or without its value.
    fileprivate func isSpelled(_ word: String) -> Bool {
        spelling(word) == flag || short.map { "-\($0)" } == spelling(word)
    }

    /// `--raw` of `--raw=x`
    fileprivate func spelling(_ word: String) -> String { String(word.prefix { $0 != "=" }) }
}
