import EndpointKit

/// Parses a command line into a command.
struct Parser {
    let registry: APIRegistry
    let commands: [any Command.Type]

    /// The help topic that an error refers to: the endpoint, or else the command. It is nil before the command's
    /// name.
    private(set) var topic: String?
    /// The common options that were read, such as `--json-errors`. They count even if the words after them are wrong.
    private(set) var common = CommonOptions()
    /// All words of the command line.
    private(set) var allWords: [String] = []
    /// The state after the last word that was read, from which completion finds the words that may follow.
    private(set) var state = State()

    /// The words that were read, and the options that may follow. It is used for completion, also after an error.
    struct State {
        /// The operands of the command; nil before the command's name.
        var operands: CommandOperands?
        /// The options that may follow. They are empty if nothing may follow.
        var specs: [OptionSpec] = []
        /// The words that are not options, up to the name of an endpoint.
        var others: [SourcedText] = []
        /// The call that the words make; nil before the name of an endpoint.
        var call: CallWords?
        /// The option whose value comes next.
        var openOption: OptionSpec?
        /// The words after which all others belong to another program, such as `curl` for `import`.
        var foreignPrograms: Set<String> = []

        /// Whether the words that follow belong to another program.
        var isOfForeignProgram: Bool { others.first.map { foreignPrograms.contains($0.text) } ?? false }
    }

    /// Parses a command line.
    ///
    /// - Parameter arguments: The words after the name of the tool.
    /// - Returns: The command, with its options and operands.
    /// - Throws: ``UsageError``. Then ``topic``, ``common`` and ``state`` tell about the words before the error.
    mutating func parse(_ arguments: [String]) throws -> any Command {
        // Shells call this hidden command for the words that may follow.
        if arguments.first == "__complete" {
            let words = Array(arguments.dropFirst())
            return HelpCommand(isPaged: false) { Completion(words, $0).text }
        }
        allWords = arguments
        var words = arguments.enumerated().map { SourcedText($1, .argument($0 + 1)) }
        // Many tools have a command `version`. Here it means the option.
        if let first = words.first, first.text == "version" { words[0] = first.with("--version") }

        let start: Start
        do {
            start = try readStart(of: words)
        } catch {
            // `apictl -X PUT https://…` is a call, whose options may come before what it calls.
            guard commands.contains(where: { $0 == CallCommand.self }), beginsCall(words) else { throw error }
            topic = CallCommand.name
            return try parse(CallCommand.self, words)
        }
        guard let firstWord = start.firstWord else {
            if start.asksForVersion { return HelpCommand(isPaged: false) { "\($0.tool) \($0.version)\n" } }
            return HelpCommand { HelpText.overview($0) }
        }
        // After a word that is not a command, nothing may follow.
        state = State()
        let command = try command(firstWord, start.rest)
        return try parse(command.type, command.words)
    }

    // MARK: Before the command

    /// The words of a command line up to the name of the command.
    private struct Start {
        var asksForVersion = false
        /// The first word that is not an option; nil if there is none.
        var firstWord: SourcedText?
        /// The words after it.
        var rest: [SourcedText] = []
    }

    /// Reads the options before the command's name.
    ///
    /// - Throws: ``UsageError`` for an unknown option, and for a word after `--version`.
    private mutating func readStart(of words: [SourcedText]) throws(UsageError) -> Start {
        let version = OptionSpec(name: "version", short: "V")
        var scanner = OptionScanner(words, options: NoOptions.table.specs + [version])
        scanner.unknownHint =
            words.first?.text == "-v"
            ? "; -V prints the version, and -v comes after a command" : "; options come after the command"
        var options = NoOptions()
        defer {
            common = options.common
            state = State(specs: scanner.options, openOption: scanner.openOption)
        }
        var start = Start()
        while let item = try scanner.next() {
            switch item {
            case .option(version, nil, _):
                start.asksForVersion = true
            case .option(let spec, let value, let source):
                try NoOptions.table.apply(spec, value: value, source: source, to: &options)
            case .positional(let word):
                if start.asksForVersion { throw .unexpectedArgument(word) }
                start.firstWord = word
                start.rest = Array(scanner.takeRest())
            }
        }
        return start
    }

    /// Whether words are options, followed by a URL or the name of an endpoint. An unknown option, which `call` will
    /// report, is taken for a switch.
    private func beginsCall(_ words: [SourcedText]) -> Bool {
        var scanner = OptionScanner(words, options: CallCommand.table.specs)
        while !scanner.words.isEmpty {
            guard case .positional(let word)? = try? scanner.next() else { continue }
            return CalledURL.isURL(word.text) || registry.splitName(word.text) != nil
        }
        return false
    }

    // MARK: The command

    /// A command and its words.
    private struct NamedCommand {
        let type: any Command.Type
        let words: [SourcedText]
    }

    /// Returns the command that a command line is for. Calls and descriptions may leave out the name of the command.
    ///
    /// | Command line | Command |
    /// |---|---|
    /// | `list …` | `list …` |
    /// | `https://…`, `:8080/…`, `example.com/…` | `call https://…` |
    /// | `movies.popular …`, `movies popular …` | `call movies.popular …` |
    /// | `movies` | `describe movies` |
    ///
    /// - Parameters:
    ///   - word: The first word that is not an option.
    ///   - rest: The words after it.
    /// - Throws: ``UsageError`` for a word that names neither a command nor an API.
    private mutating func command(_ word: SourcedText, _ rest: [SourcedText]) throws(UsageError) -> NamedCommand {
        if let type = commands.first(where: { $0.name == word.text }) {
            topic = type.name
            return NamedCommand(type: type, words: rest)
        }
        let words = [word] + rest
        if CalledURL.isURL(word.text) {
            topic = CallCommand.name
            return NamedCommand(type: CallCommand.self, words: words)
        }
        let namesAPI = registry.apiOrGroup(word.text) != nil || registry.splitName(word.text) != nil
        if !namesAPI { throw unknownCommand(word) }

        // The name of an API or group may have several words, up to the first option.
        let nameWords = [word] + rest.prefix { !$0.text.hasPrefix("-") }
        if let subject = registry.apiOrGroup(nameWords) {
            topic = subject.name
            return NamedCommand(type: DescribeCommand.self, words: words)
        }
        return NamedCommand(type: CallCommand.self, words: words)
    }

    /// Returns the error that a word names neither a command nor an API.
    private func unknownCommand(_ word: SourcedText) -> UsageError {
        if registry.isInGroup(word.text) { return registry.unknownAPI(word, word.text) }
        let names = commands.map { $0.name } + registry.names
        return registry.unknown("command", word, String(word.text.prefix { $0 != "." }), among: names)
    }

    /// Parses the words of a command, and makes the command.
    ///
    /// - Throws: ``UsageError``. What was read before the error is kept, because messages and completion use it.
    private mutating func parse<C: Command>(_ type: C.Type, _ words: [SourcedText]) throws -> any Command {
        var reader = CommandReader<C>(words, after: self)
        defer {
            topic = reader.topic
            common = reader.common
            state = reader.state
        }
        try reader.readWords()
        return try reader.command()
    }
}
