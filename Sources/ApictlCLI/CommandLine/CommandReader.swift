/// Reads the words after a command's name: the command's options, its operands and the parameters of its endpoint.
struct CommandReader<CommandType: Command> {
    /// The help topic that a message about an error recommends: the endpoint if it is known, or else the command.
    private(set) var topic: String?
    private var words: CommandWords<CommandType.Options>
    private var scanner: OptionScanner

    private var registry: APIRegistry { words.registry }

    /// The common options before and after the command's name.
    var common: CommonOptions { words.options.common }

    /// The state after the last word that was read, from which completion finds the words that may follow.
    var state: Parser.State {
        Parser.State(
            operandKind: CommandType.operands, specs: scanner.options, operands: words.operands, call: words.call,
            openOption: scanner.openOption, foreignPrograms: CommandType.foreignPrograms)
    }

    /// Prepares to read the words of a command.
    ///
    /// - Parameters:
    ///   - commandWords: The words after the command's name.
    ///   - parser: The parser that has read the words before them.
    init(_ commandWords: [SourcedText], after parser: Parser) {
        topic = parser.topic
        words = CommandWords<CommandType.Options>(registry: parser.registry, commands: parser.commands)
        words.all = parser.allWords
        words.options.common = parser.common
        scanner = OptionScanner(commandWords, options: CommandType.table.specs)
        // ``beginCall()`` clears the hint once an endpoint is named.
        if Self.takesCall { scanner.unknownHint = "; parameters come after the endpoint's name" }
    }

    // MARK: Words

    /// Reads all words into the command's options and operands. Once an endpoint is named, the values of its
    /// parameters become part of the call.
    ///
    /// - Throws: ``UsageError`` for a word that is wrong, and the errors of reading an API's declarations.
    mutating func readWords() throws {
        while let item = try scanner.next() {
            let isParameterValue = words.call?.addParameterValue(from: item) == true
            if isParameterValue { continue }
            switch item {
            case .option(let spec, let value, let source):
                try CommandType.table.apply(spec, value: value, source: source, to: &words.options)
            case .positional(let word):
                try readOperand(word)
            }
        }
    }

    /// Reads a word that is neither an option nor the value of a parameter, and keeps it as an operand of the command.
    ///
    /// The operands of a command such as `call` name an endpoint. As soon as they do, its call begins, and the words
    /// that follow belong to the call.
    ///
    /// - Throws: ``UsageError`` if the command can't have the word, and the errors of beginning a call.
    private mutating func readOperand(_ word: SourcedText) throws {
        if let begunCall = words.call { return try readOperandAfterEndpoint(word, of: begunCall) }
        words.operands.append(word)
        if isInForeignProgram {
            // In `call curl -d a=b URL`, all words after `curl` belong to it, even if they look like options.
            words.operands += scanner.takeRemainingWords()
        } else if Self.takesCall {
            try readWordOfEndpointName(word)
        }
    }

    /// Reads a word of the name of the endpoint to call, and begins the call if the name is complete.
    ///
    /// `kinto buckets list` names an endpoint in three words. As long as the words name an API or a group of endpoints,
    /// another one follows.
    ///
    /// - Parameter word: The word, which is already the last operand.
    private mutating func readWordOfEndpointName(_ word: SourcedText) throws {
        try checkIsNoCommand(word)
        let namesAPIOrGroup = registry.apiOrGroup(joining: words.operands) != nil
        if !namesAPIOrGroup { try beginCall() }
    }

    /// Whether the operands of the command are an endpoint and its parameters, as those of `call` and `diff`.
    private static var takesCall: Bool { CommandType.operands == .call }

    /// Whether the first operand is the name of another program, such as `curl`, to which all further words belong.
    private var isInForeignProgram: Bool {
        guard let firstOperand = words.operands.first else { return false }
        return CommandType.foreignPrograms.contains(firstOperand.text)
    }

    /// Reads a word after the name of an endpoint for which the endpoint has no parameter.
    ///
    /// Only `diff` has such words: `diff movies.popular https://a https://b` names its servers without options.
    ///
    /// - Throws: ``UsageError`` for any other word.
    private mutating func readOperandAfterEndpoint(_ word: SourcedText, of call: CallWords) throws {
        if let server = Self.serverOption, CalledURL.begins(word.text) {
            return try CommandType.table.apply(server, value: word.text, source: word.source, to: &words.options)
        }
        throw secondNameError(word) ?? call.unexpectedWordError(word)
    }

    // MARK: Names

    /// Checks that the first operand of a call is not the name of a second command, as in `call list`.
    ///
    /// - Throws: ``UsageError`` for such a word, unless it is also the name of an API or group.
    private func checkIsNoCommand(_ word: SourcedText) throws(UsageError) {
        let isFirst = words.operands.count == 1
        if isFirst, namesCommand(word), registry.apiOrGroup(word.text) == nil {
            throw .unexpectedArgument(word, because: Self.oneCommandRule)
        }
    }

    /// Returns the error about a word after the endpoint that is the name of a command or of another endpoint; nil for
    /// any other word.
    private func secondNameError(_ word: SourcedText) -> UsageError? {
        if namesCommand(word) { return .unexpectedArgument(word, because: Self.oneCommandRule) }
        let namesEndpoint = registry.splitName(word.text).map { !$0.endpointName.isEmpty } ?? false
        return namesEndpoint ? .unexpectedArgument(word, because: "a command line calls one endpoint") : nil
    }

    private static var oneCommandRule: String { "a command line has one command" }

    private func namesCommand(_ word: SourcedText) -> Bool { words.commands.contains { $0.name == word.text } }

    // MARK: The call

    /// Begins the call of the endpoint or URL that the operands name.
    ///
    /// From here on, the scanner also knows the options that set the endpoint's parameters. The endpoint becomes the
    /// ``topic``.
    ///
    /// - Throws: ``UsageError`` if there is no such endpoint or if the URL can't be used, and the errors of reading an
    ///   API's declarations.
    private mutating func beginCall() throws {
        // Parameters may follow now, so the hint that they come after the endpoint's name would be wrong.
        scanner.unknownHint = ""
        // Nil for a URL, which has no parameters.
        guard let declaration = try words.beginCall(mayBeURL: Self.makesOneCall) else { return }
        if Self.makesOneCall { topic = declaration.name }
        // The options of `call` that only a URL can have are not options of the endpoint.
        let urlOptionNames = CommandType.Options.self == CallOptions.self ? CallOptions.ofURLs : []
        let commandOptions = CommandType.table.specs.filter { !urlOptionNames.contains($0.name) }
        // Parameters come first, because they win over options of the same name.
        scanner.options = declaration.signature.options() + commandOptions
    }

    /// Whether the command makes a single call.
    ///
    /// Then the call may be of a URL, and the help about its endpoint is the help of the command. `diff` makes its
    /// call twice, to two servers.
    private static var makesOneCall: Bool { CommandType.self != DiffCommand.self }

    /// The option for the base URL of a server, if the command also takes servers without their option.
    private static var serverOption: OptionSpec? {
        makesOneCall ? nil : CommandType.table.specs.first { $0.name == "base-url" }
    }

    // MARK: The command

    /// Makes the command from the words that were read, or with `--help` the command that shows a help page about them.
    ///
    /// - Throws: ``UsageError`` for words and options that can't be used together, and for an incomplete name of an
    ///   endpoint.
    func makeCommand() throws -> any Command {
        var words = words
        let lacksEndpoint = Self.takesCall && words.call == nil && !isInForeignProgram
        // Words such as `call movies` name an API but no endpoint. This throws the error that says so.
        if lacksEndpoint { try words.beginCall() }
        // With `help --help`, the command `help` itself makes the page.
        let isHelpItself = CommandType.self == HelpCommand.self
        if words.options.common.asksForHelp, !isHelpItself { return helpCommand(about: words) }
        try CommandType.table.checkCombination(of: words.options)
        return try CommandType(words)
    }

    /// Returns the command that shows a help page: about the endpoint that the words name, or else about the API, or
    /// else about the command.
    private func helpCommand(about words: CommandWords<CommandType.Options>) -> HelpCommand {
        if let call = words.call {
            if call.request.url == nil { return HelpCommand(HelpText.endpointPage(call.declaration)) }
            // For a URL, the options that only endpoints have are left out.
            return HelpCommand { HelpText.commandPage(CommandType.self, $0, without: CallOptions.ofEndpoints) }
        }
        // `movies --help` is about the API `movies`, `describe movies --help` about `describe`.
        if let subject = registry.apiOrGroup(joining: words.operands), subject.name == topic {
            return HelpCommand(HelpText.subjectPage(subject))
        }
        return HelpCommand { HelpText.commandPage(CommandType.self, $0) }
    }
}
