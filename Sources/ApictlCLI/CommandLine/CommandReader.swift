/// Reads the words after a command's name: the command's options, its operands and the parameters of its endpoint.
struct CommandReader<C: Command> {
    /// The help topic that an error refers to: the endpoint if it is known, or else the command.
    private(set) var topic: String?
    private var words: CommandWords<C.Options>
    private var scanner: OptionScanner

    private var registry: APIRegistry { words.registry }

    /// The common options before and after the command's name.
    var common: CommonOptions { words.options.common }

    /// The state after the last word that was read, from which completion finds the words that may follow.
    var state: Parser.State {
        Parser.State(
            operands: C.operands, specs: scanner.options, others: words.others, call: words.call,
            openOption: scanner.openOption, foreignPrograms: C.foreignPrograms)
    }

    /// Prepares to read the words of a command.
    ///
    /// - Parameters:
    ///   - commandWords: The words after the command's name.
    ///   - parser: The parser that has read the words before them.
    init(_ commandWords: [SourcedText], after parser: Parser) {
        topic = parser.topic
        words = CommandWords<C.Options>(registry: parser.registry, commands: parser.commands)
        words.all = parser.allWords
        words.options.common = parser.common
        scanner = OptionScanner(commandWords, options: C.table.specs)
        if C.operands == .call { scanner.unknownHint = "; parameters come after the endpoint's name" }
    }

    // MARK: Words

    /// Reads all words. A value of a parameter goes to the call, and everything else to the command.
    ///
    /// - Throws: ``UsageError`` for a word that is wrong.
    mutating func readWords() throws {
        while let item = try scanner.next() {
            let isParameter = words.call?.take(item) == true
            if isParameter { continue }
            switch item {
            case .option(let spec, let value, let source):
                try C.table.apply(spec, value: value, source: source, to: &words.options)
            case .positional(let word):
                try readOperand(word)
            }
        }
    }

    /// Reads a word that is neither an option nor a value of a parameter.
    private mutating func readOperand(_ word: SourcedText) throws {
        if let call = words.call {
            // `diff movies.popular https://a https://b` names its servers without options.
            if let server = Self.serverOption, CalledURL.begins(word.text) {
                return try C.table.apply(server, value: word.text, source: word.source, to: &words.options)
            }
            throw secondName(word) ?? call.unexpected(word)
        }
        words.others.append(word)
        // All words after the name of another program, such as `curl`, are that program's, even if they look like
        // options.
        let isForeign = words.others.count == 1 && C.foreignPrograms.contains(word.text)
        if isForeign { words.others += scanner.takeRest() }
        guard C.operands == .call, !isForeign else { return }
        if words.others.count == 1, namesCommand(word), registry.apiOrGroup(word.text) == nil {
            throw UsageError.unexpectedArgument(word, because: Self.oneCommand)
        }
        // `kinto buckets list` names an endpoint in three words. As long as the words name an API or group, another
        // one follows.
        let isNameComplete = registry.apiOrGroup(words.others) == nil
        if isNameComplete { try beginCall() }
    }

    /// Returns the error that a word after the endpoint is the name of a command or of another endpoint; nil if it is
    /// neither.
    private func secondName(_ word: SourcedText) -> UsageError? {
        if namesCommand(word) { return .unexpectedArgument(word, because: Self.oneCommand) }
        guard let (_, endpoint) = registry.splitName(word.text), !endpoint.isEmpty else { return nil }
        return .unexpectedArgument(word, because: "a command line calls one endpoint")
    }

    private static var oneCommand: String { "a command line has one command" }

    private func namesCommand(_ word: SourcedText) -> Bool { words.commands.contains { $0.name == word.text } }

    /// Begins the call of the endpoint or URL that the words name. From here on, options may be parameters of the
    /// endpoint.
    private mutating func beginCall() throws {
        scanner.unknownHint = ""
        guard let declaration = try words.beginCall(mayBeURL: Self.makesOneCall) else { return }
        if Self.makesOneCall { topic = declaration.name }
        // Parameters come first, because they win over options of the same name.
        let ofURLs = C.Options.self == CallOptions.self ? CallOptions.ofURLs : []
        let commandOptions = C.table.specs.filter { !ofURLs.contains($0.name) }
        scanner.options = declaration.signature.options() + commandOptions
    }

    /// Whether the command makes a single call.
    ///
    /// Then the call may be of a URL, and the help about its endpoint is the help of the command. `diff` makes its
    /// call twice, to two servers.
    private static var makesOneCall: Bool { C.self != DiffCommand.self }

    /// The option for the base URL of a server, if the command also takes servers without their option.
    private static var serverOption: OptionSpec? {
        makesOneCall ? nil : C.table.specs.first { $0.name == "base-url" }
    }

    // MARK: The command

    /// Makes the command from the words that were read, or the help page that they ask for.
    ///
    /// - Throws: ``UsageError`` for words and options that can't be used together.
    func command() throws -> any Command {
        var words = words
        // The words may name no complete endpoint. This reports what is missing.
        let isForeign = words.others.first.map { C.foreignPrograms.contains($0.text) } ?? false
        if C.operands == .call, words.call == nil, !isForeign { try words.beginCall() }
        let isHelpItself = C.self == HelpCommand.self
        if words.options.common.asksForHelp, !isHelpItself { return help(about: words) }
        try C.table.check(words.options)
        return try C(words)
    }

    /// Returns the help page about the endpoint that the words name, or else about the API or the command.
    private func help(about words: CommandWords<C.Options>) -> HelpCommand {
        if let call = words.call {
            if call.request.url == nil { return HelpCommand(HelpText.endpoint(call.declaration)) }
            return HelpCommand { HelpText.command(C.self, $0, without: CallOptions.ofEndpoints) }
        }
        // `movies --help` is about the API `movies`, `describe movies --help` about `describe`.
        if let subject = registry.apiOrGroup(words.others), subject.name == topic {
            return HelpCommand(HelpText.subject(subject))
        }
        return HelpCommand { HelpText.command(C.self, $0) }
    }
}
