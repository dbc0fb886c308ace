import EndpointKit

/// Parses a command line into a command.
struct Parser {
    let registry: APIRegistry
    let commands: [any Command.Type]
    /// The help topic to suggest for an invalid command line: the endpoint if it was found, otherwise the command, otherwise nil.
    private(set) var topic: String?
    /// The common options, as far as they were read.
    private(set) var common = CommonOptions()
    /// All words of the command line.
    private(set) var allWords: [String] = []
    /// What the words read so far are, also if they are no whole command line.
    private(set) var state = State()

    /// Where a command line stands, for completion.
    struct State {
        /// Those of the command; nil before it.
        var operands: CommandOperands?
        /// The options that may follow.
        var specs: [OptionSpec] = []
        /// The words that are not options, up to the name of an endpoint.
        var others: [SourcedText] = []
        var call: CallWords?
        /// The option whose value comes next.
        var openOption: OptionSpec?
    }

    /// The command that `arguments` describe. Throws ``UsageError``.
    mutating func parse(_ arguments: [String]) throws -> any Command { try read(arguments)() }

    /// Reads words up to ``state``; returns what makes a command of them. Both throw ``UsageError``.
    mutating func read(_ arguments: [String]) throws -> () throws -> any Command {
        if arguments.first == "__complete" {
            return { HelpCommand(isPaged: false) { Completion(Array(arguments.dropFirst()), $0).text } }
        }
        allWords = arguments
        var words = arguments.enumerated().map { SourcedText($1, .argument($0 + 1)) }
        if words.first?.text == "version" { words[0] = words[0].with("--version") }
        var options = NoOptions()
        let version = OptionSpec(name: "version", short: "V")
        var asksForVersion = false
        var scanner = OptionScanner(words, options: NoOptions.table.specs + [version])
        scanner.unknownHint =
            words.first?.text == "-v"
            ? "; -V prints the version, and -v comes after a command" : "; options come after the command"
        var isStart = true
        defer {
            common = options.common
            if isStart { state = State(specs: scanner.options, openOption: scanner.openOption) }
        }
        while let item = try scanner.next() {
            switch item {
            case .option(version, nil, _): asksForVersion = true
            case .option(let spec, let value, let source):
                try NoOptions.table.apply(spec, value: value, source: source, to: &options)
            case .positional(let word):
                if asksForVersion { throw UsageError.unexpectedArgument(word) }
                isStart = false
                let (type, words) = try command(word, Array(scanner.words))
                return try read(type, words, &options.common)
            }
        }
        if asksForVersion { return { HelpCommand(isPaged: false) { "\($0.tool) \($0.version)\n" } } }
        return { HelpCommand(HelpText.overview) }
    }

    /// The command that the word names, and its words.
    private mutating func command(_ word: SourcedText, _ rest: [SourcedText]) throws(UsageError) -> (
        any Command.Type, [SourcedText]
    ) {
        if let type = commands.first(where: { $0.name == word.text }) {
            topic = type.name
            return (type, rest)
        }
        if CalledURL.begins(word.text) {
            topic = CallCommand.name
            return (CallCommand.self, [word] + rest)
        }
        if registry.apiOrGroup(word.text) == nil, registry.parts(of: word.text) == nil {
            if registry.isInGroup(word.text) { throw registry.unknownAPI(word, word.text) }
            let names = commands.map { $0.name } + registry.names
            throw registry.unknown("command", word, String(word.text.prefix { $0 != "." }), among: names)
        }
        // `movies.popular …` and `movies popular …` are calls, `movies` alone is about the API or group.
        let name = [word] + rest.prefix { !$0.text.hasPrefix("-") }
        guard let subject = registry.apiOrGroup(name) else { return (CallCommand.self, [word] + rest) }
        topic = subject.name
        return (DescribeCommand.self, [word] + rest)
    }

    /// The words of a command of that type, which may ask for its help. `common` are the options before it, to which those after it are added.
    private mutating func read<C: Command>(
        _ type: C.Type, _ words: [SourcedText], _ common: inout CommonOptions
    ) throws -> () throws -> any Command {
        let table = C.table
        var parsed = CommandWords<C.Options>(registry: registry, commands: commands)
        parsed.all = allWords
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
            case .option(let spec, let value, let source):
                try table.apply(spec, value: value, source: source, to: &parsed.options)
            case .positional(let word):
                if let call = parsed.call { throw call.unexpected(word) }
                parsed.others.append(word)
                if C.foreignPrograms.contains(word.text) { parsed.others += scanner.takeRest() }
                // The name may go on after that of an API or group.
                guard C.operands == .call, registry.apiOrGroup(parsed.others) == nil else { continue }
                scanner.unknownHint = ""
                let declaration = try parsed.beginCall(mayBeURL: C.self != DiffCommand.self)
                if parsed.call?.request.url != nil { continue }
                // A page about the endpoint is about calling it.
                if C.self != DiffCommand.self { topic = declaration?.name }
                // Parameters win over options of the same name.
                scanner.options =
                    (declaration?.signature.options() ?? [])
                    + table.specs.filter { $0.name != "request" }
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
        if let call = words.call, call.request.url == nil { return HelpCommand(HelpText.endpoint(call.declaration)) }
        // The name of an API or group alone is about that.
        if let subject = registry.apiOrGroup(words.others), subject.name == topic {
            return HelpCommand(HelpText.subject(subject))
        }
        return HelpCommand { HelpText.command(type, $0) }
    }
}
