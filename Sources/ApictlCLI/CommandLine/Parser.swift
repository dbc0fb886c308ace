import EndpointKit

/// Parses a command line into a command.
struct Parser {
    let registry: Registry
    let commands: [any Command.Type]
    /// The help topic to suggest for an invalid command line: the endpoint if it was found, otherwise the command, otherwise nil.
    private(set) var topic: String?
    /// The common options, as far as they were read.
    private(set) var common = CommonOptions()
    /// What the words read so far are, also if they are no whole command line.
    private(set) var state = State()

    /// Where a command line stands, for completion.
    struct State {
        /// Those of the command; nil before it.
        var operands: Operands?
        /// The options that may follow.
        var specs: [OptionSpec] = []
        /// The words that are not options, up to the name of an endpoint.
        var others: [Word] = []
        var call: CallWords?
        /// The option whose value comes next.
        var openOption: OptionSpec?
    }

    init(registry: Registry, commands: [any Command.Type]) {
        self.registry = registry
        self.commands = commands
    }

    /// The command that `arguments` describe. Throws ``UsageError``.
    mutating func parse(_ arguments: [String]) throws -> any Command { try read(arguments)() }

    /// Reads words up to ``state``; returns what makes a command of them. Both throw ``UsageError``.
    mutating func read(_ arguments: [String]) throws -> () throws -> any Command {
        if arguments.first == "__complete" {
            return { HelpCommand(isPaged: false) { Completion(Array(arguments.dropFirst()), $0).text } }
        }
        let words = arguments.enumerated().map { Word(text: $1, position: $0 + 1) }
        var options = NoOptions()
        var printsVersion = false
        let version = OptionSpec(name: "version", short: "V")
        var scanner = OptionScanner(words, options: [version] + NoOptions.table.specs)
        scanner.unknownHint = "; options come after the command"
        var isStart = true
        defer {
            common = options.common
            if isStart { state = State(specs: scanner.options, openOption: scanner.openOption) }
        }
        while let item = try scanner.next() {
            switch item {
            case .option(version, value: nil, _): printsVersion = true
            case .option(let spec, let value, let position):
                try NoOptions.table.apply(spec, value: value, position: position, to: &options)
            case .positional(let word):
                isStart = false
                if printsVersion { throw UsageError.unexpectedArgument(word) }
                if word.text == "version" {
                    printsVersion = true
                    continue
                }
                let (type, words) = try command(word, Array(scanner.words))
                return try read(type, words, &options.common)
            }
        }
        if !printsVersion { return { HelpCommand(topic: HelpText.overview) } }
        return { HelpCommand(isPaged: false) { "\($0.tool) \($0.version)\n" } }
    }

    /// The command that the word names, and its words.
    private mutating func command(_ word: Word, _ rest: [Word]) throws(UsageError) -> (any Command.Type, [Word]) {
        if let type = commands.first(where: { $0.name == word.text }) {
            topic = type.name
            return (type, rest)
        }
        guard word.text.utf8.count <= Registry.maxNameLength,
            let api = registry.api(String(word.text.prefix { $0 != "." }))
        else {
            let names = commands.map { $0.name } + registry.apis.map { $0.name }
            throw UsageError("unknown command \(word.shown)" + Nearest.question(Nearest.matches(word.text, in: names)))
        }
        // `movies.popular …` and `movies popular …` are calls, `movies` alone is about the API.
        if word.text.contains(".") || namesEndpoint(rest) { return (CallCommand.self, [word] + rest) }
        topic = api.name
        return (DescribeCommand.self, [word] + rest)
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

    /// The words of a command of that type, which may ask for its help. `common` are the options before it, to which those after it are added.
    private mutating func read<C: Command>(
        _ type: C.Type, _ words: [Word], _ common: inout CommonOptions
    ) throws -> () throws -> any Command {
        let table = C.table
        var parsed = CommandWords<C.Options>(registry: registry, commands: commands)
        parsed.options.common = common
        var scanner = OptionScanner(words, options: table.specs)
        defer {
            common = parsed.options.common
            state = State(
                operands: C.operands, specs: scanner.options, others: parsed.others, call: parsed.call,
                openOption: scanner.openOption)
        }
        if C.operands == .call { scanner.unknownHint = "; parameters come after the endpoint's name" }
        while let item = try scanner.next() {
            if parsed.call?.take(item) == true { continue }
            switch item {
            case .option(let spec, let value, let position):
                try table.apply(spec, value: value, position: position, to: &parsed.options)
            case .positional(let word):
                if let call = parsed.call { throw call.unexpected(word) }
                parsed.others.append(word)
                // The name may go on after an API's.
                guard C.operands == .call, parsed.others.count == 2 || registry.api(word.text) == nil else { continue }
                let declaration = try parsed.beginCall()
                // A page about the endpoint is about calling it.
                if C.self != DiffCommand.self { topic = declaration?.name }
                // Parameters win over options of the same name.
                scanner.options = (declaration?.signature.options().map(\.spec) ?? []) + table.specs
                scanner.unknownHint = ""
            }
        }
        return { [self, parsed] in
            var words = parsed
            if C.operands == .call, words.call == nil { try words.beginCall() }
            if words.options.common.asksForHelp, C.self != HelpCommand.self { return help(type, words) }
            try table.check(words.options)
            return try C(words)
        }
    }

    private func help<C: Command>(_ type: C.Type, _ words: CommandWords<C.Options>) -> HelpCommand {
        if let call = words.call {
            let showsAll = (words.options as? CallOptions)?.showsAllOptions ?? false
            return HelpCommand(topic: HelpText.endpoint(call.declaration, all: showsAll))
        }
        // An API's name alone is about the API.
        if let api = words.others.first.flatMap({ registry.api($0.text) }), api.name == topic {
            return HelpCommand(topic: HelpText.api(api))
        }
        return HelpCommand { HelpText.command(type, $0) }
    }
}
