import EndpointKit
import EndpointTools
import OpenAPI

/// A document that the configuration names.
struct ConfiguredDocument: Sendable {
    /// The name of its API.
    let name: String
    let source: DocumentSource
}

/// Finds the APIs that a command line can use: the compiled ones, and those of OpenAPI documents.
///
/// Documents come from the configuration and from options `--api`. Options must be read in their order, because a
/// parameter of an endpoint may have the name of an option: in `--api shop.yaml shop.find --api x`, the second `--api`
/// may be a parameter of `shop.find`, which is only known once `shop.yaml` has been read.
struct CatalogueReading {
    /// The words after the tool's name.
    private let arguments: [String]
    private let context: CommandContext
    /// The options about documents, in the order of the command line. Some of them may be parameters of an endpoint.
    private let possibleOptions: [DocumentOption]
    private let loader: DocumentLoader
    /// The documents that have been read, in the order of their APIs.
    private var documents: [LoadedDocument] = []
    /// The choices that the options have made for all documents.
    private var choices = DocumentCatalogue.Options()

    /// Finds the options about documents. Reads nothing yet.
    ///
    /// - Parameters:
    ///   - arguments: The words after the tool's name.
    ///   - context: The context with the APIs that are compiled, and with the configuration.
    init(_ arguments: [String], _ context: CommandContext) {
        self.arguments = arguments
        self.context = context
        // The words of a curl command are no options of this tool.
        let ownArguments = arguments.prefix(Self.countOfOwnWords(in: arguments, context))
        possibleOptions = DocumentOption.findOptions(in: ownArguments)
        loader = DocumentLoader(context)
    }

    /// Reads the documents that the command line needs, and returns the APIs: the compiled ones, those of the
    /// configuration's documents, and those of `--api`.
    ///
    /// A document of the configuration is read if the command line names its API, or names no API at all.
    ///
    /// - Throws: ``UsageError`` for a wrong value of an option, for a text that is no document and for two APIs with
    ///   the same name, ``FileError``, and ``Failure`` for a URL that can't be read.
    mutating func readAPIs() async throws -> APIRegistry {
        for document in neededDocuments { documents.append(try await loader.loadDocument(from: document.source)) }
        var readOptions: [DocumentOption] = []
        var documentsOfOptions: [LoadedDocument] = []
        var endpointFinder = EndpointFinder(arguments, commands: context.commands)
        for option in possibleOptions {
            try endpointFinder.findEndpoint(before: option) { try registryWithDocuments() }
            // The parser will read this word as a parameter of the endpoint.
            if endpointFinder.hasParameter(named: option.name) { continue }
            readOptions.append(option)
            if let document = try await apply(option) {
                documents.append(document)
                documentsOfOptions.append(document)
            }
        }
        var registry = try registryWithDocuments()
        registry.apiOptions = documentsOfOptions.map(\.source.option)
        registry.namesOfOptions = Set(documentsOfOptions.map(\.apiName))
        try refuseOptionsThatAreParameters(readOptions, in: registry)
        try checkConfiguration(registry)
        return registry
    }

    /// Carries out an option: loads the document of `--api`, or stores the value of `--server-variable` or
    /// `--body-type` in ``choices``.
    ///
    /// - Returns: The document of `--api`; nil for any other option, and for a URL while a shell asks for completions,
    ///   which must not wait for a network.
    /// - Throws: ``UsageError`` for a wrong value, and the errors of reading a document.
    private mutating func apply(_ option: DocumentOption) async throws -> LoadedDocument? {
        switch option.name {
        case .api:
            let source = try DocumentSource(option.value)
            if isCompletion, source.isURL { return nil }
            return try await loader.loadDocument(from: source)
        case .serverVariable:
            let variable = try OptionValueType.member.read(option.value, "--server-variable")
            choices.serverVariables[variable.name] = variable.text
        case .bodyType:
            choices.bodyType = option.value.text
        }
        return nil
    }

    /// Reports an error of the configuration in place of the misleading message "unknown API".
    ///
    /// If the configuration can't be read, its documents are not known, and neither are the APIs of these documents.
    /// Commands that need the configuration for something else report its error themselves.
    ///
    /// - Parameter registry: All APIs that are known.
    /// - Throws: The error of reading the configuration, if the command line has a name that belongs to no known API.
    private func checkConfiguration(_ registry: APIRegistry) throws {
        guard case .failure(let configurationError) = context.configuration else { return }
        // A shell that asks for completions shows no errors. It gets the names that are known.
        if isCompletion { return }
        let command = Self.command(namedBy: arguments, context)
        // Without a command, the first word is itself a name, as in `movies.popular`.
        if let command, !command.namesAPIs { return }
        let namesKnownAPI = registry.apis.contains { Self.isNamed($0.name, by: arguments) }
        if namesKnownAPI { return }
        let namesUnknownAPI = hasOperand(besides: command)
        if namesUnknownAPI { throw configurationError }
    }

    /// Whether there is a word that is neither an option nor the name of the command. A word after an option counts as
    /// the option's value.
    private func hasOperand(besides command: (any Command.Type)?) -> Bool {
        arguments.indices.contains { index in
            let isOption = arguments[index].hasPrefix("-")
            let followsOption = index > 0 && arguments[index - 1].hasPrefix("-")
            return !isOption && !followsOption && arguments[index] != command?.name
        }
    }

    /// Checks that no option is a parameter of an endpoint that was unknown before the option was read.
    ///
    /// ``readAPIs()`` reads each option when only the APIs before it are known. Once all APIs are known, the option may
    /// turn out to follow the name of an endpoint with a parameter of the same name. Then it is not clear what is
    /// meant.
    ///
    /// - Parameters:
    ///   - options: The words that were read as options.
    ///   - registry: All APIs.
    /// - Throws: ``UsageError`` for such an option: it must stand before the name of the endpoint.
    private func refuseOptionsThatAreParameters(
        _ options: [DocumentOption], in registry: APIRegistry
    ) throws(UsageError) {
        var endpointFinder = EndpointFinder(arguments, commands: context.commands)
        for option in options {
            endpointFinder.findEndpoint(before: option) { registry }
            guard endpointFinder.hasParameter(named: option.name) else { continue }
            let word = SourcedText("--" + option.name.rawValue, .argument(option.range.lowerBound + 1))
            throw UsageError(
                "\(word.shown) is a parameter of the endpoint; write the option before the endpoint's name",
                see: "help documents")
        }
    }

    /// Returns the compiled APIs, and those of the documents that have been read so far.
    ///
    /// - Throws: ``UsageError`` if two APIs have the same name.
    private func registryWithDocuments() throws -> APIRegistry {
        var registry = context.registry
        for (index, document) in documents.enumerated() {
            let api = try document.makeAPI(with: choices)
            let isNameTaken = registry.apis.contains { $0.name == api.name }
            if isNameTaken {
                let earlierDocument = documents[..<index].first { $0.apiName == document.apiName }
                throw Self.takenNameError(for: document, takenBy: earlierDocument)
            }
            registry.apis.append(api)
        }
        return registry
    }

    /// Returns the error that the API of a document has the name of another API.
    ///
    /// - Parameters:
    ///   - document: The document whose API can't be added.
    ///   - earlierDocument: The document of the other API; nil if that API is compiled.
    private static func takenNameError(
        for document: LoadedDocument, takenBy earlierDocument: LoadedDocument?
    ) -> UsageError {
        let word = document.source.word
        // Only a document that the configuration names has a file as the source of its word.
        let configurationPlace = earlierDocument?.source.word.source.file
        let origin = configurationPlace.map { ", which the configuration \($0.file) names" } ?? ""
        let remedy = word.source.isConfiguration ? "" : "; --api NAME=FILE gives this one another name"
        return UsageError(
            "\(word.shown): there is an API \(document.apiName) already\(origin)\(remedy)", see: "list",
            from: word.source)
    }

    /// Whether a shell asks for completions of the words that follow.
    private var isCompletion: Bool { arguments.first == "__complete" }

    /// The documents of the configuration that the command needs: those whose APIs the words name, or else all of them.
    ///
    /// A configuration that can't be read has none here: ``checkConfiguration(_:)`` reports its error if it matters.
    private var neededDocuments: [ConfiguredDocument] {
        let documents = (try? context.configuration.get())?.documents ?? []
        if documents.isEmpty { return [] }
        let command = Self.command(namedBy: arguments, context)
        if let command, !command.takesAPIs { return [] }
        let apiNames = context.registry.apis.map(\.name) + documents.map(\.name) + namesInOptions
        let namesAnAPI = apiNames.contains { Self.isNamed($0, by: arguments) }
        if namesAnAPI {
            let namedDocuments = documents.filter { Self.isNamed($0.name, by: arguments) }
            // A shell waits for completions, which must not wait for a network.
            return isCompletion ? namedDocuments.filter { !$0.source.isURL } : namedDocuments
        }
        // Help that is about no API needs no network either.
        let isHelp = command == HelpCommand.self || arguments.isEmpty
        return isHelp || isCompletion ? documents.filter { !$0.source.isURL } : documents
    }

    /// The names in options such as `--api shop=shop.yaml`. A value that can't be read is reported by ``readAPIs()``.
    private var namesInOptions: [String] {
        possibleOptions.filter { $0.name == .api }.compactMap { try? DocumentSource($0.value).name }
    }

    /// Returns the command that the first word other than an option names; nil if no command has this name.
    private static func command(namedBy arguments: [String], _ context: CommandContext) -> (any Command.Type)? {
        let firstWord = arguments.first { !$0.hasPrefix("-") && $0 != "__complete" }
        return context.commands.first { $0.name == firstWord }
    }

    /// Returns how many words at the beginning of a command line belong to this tool. The words after `call curl`
    /// belong to curl. If no other program is named, all words belong to this tool.
    ///
    /// Another word `curl`, such as the value of a parameter, is not the name of the program.
    private static func countOfOwnWords(in arguments: [String], _ context: CommandContext) -> Int {
        var words = arguments.enumerated().map { SourcedText($1, .argument($0 + 1)) }[...]
        // A shell that asks for completions puts this word before the words of the person.
        if words.first?.text == "__complete" { words.removeFirst() }
        let commandName = takeFirstOperand(from: &words, options: NoOptions.table.specs)?.text
        let command = context.commands.first { $0.name == commandName }
        guard let command, !command.foreignPrograms.isEmpty else { return arguments.count }
        guard let operand = takeFirstOperand(from: &words, options: command.specs) else { return arguments.count }
        let isForeignProgram = command.foreignPrograms.contains(operand.text)
        return isForeignProgram ? arguments.count - words.count : arguments.count
    }

    /// Returns the first of the words that is neither an option nor the value of one, and removes the words up to it.
    ///
    /// - Parameters:
    ///   - words: The words of a command line. They do not change if there is no such word.
    ///   - options: The options that may stand before the word.
    /// - Returns: The word; nil if there is none, or if an option before it is unknown.
    private static func takeFirstOperand(
        from words: inout ArraySlice<SourcedText>, options: [OptionSpec]
    ) -> SourcedText? {
        var scanner = OptionScanner(words, options: options)
        while let item = try? scanner.next() {
            guard case .positional(let word) = item else { continue }
            words = scanner.remainingWords
            return word
        }
        return nil
    }

    /// Whether one of the words is the name of an API, of a group around it, or of one of its endpoints.
    ///
    /// For `kinto.buckets`, such words are `kinto.buckets`, `kinto` and `kinto.buckets.list`.
    private static func isNamed(_ apiName: String, by words: [String]) -> Bool {
        words.contains { word in
            let namesEndpoint = word.hasPrefix(apiName + ".")
            let namesGroup = apiName.hasPrefix(word + ".")
            return word == apiName || namesEndpoint || namesGroup
        }
    }
}

/// Finds the endpoint that the words before an option name. After the endpoint's name, a word such as `--api` is a
/// parameter of the endpoint, if it has one of this name.
private struct EndpointFinder {
    /// The words of the command line.
    private let arguments: [String]
    private let commands: [any Command.Type]
    /// The names of the endpoint's parameters that have a flag; empty as long as no endpoint is found.
    private var parameterNames: Set<String> = []
    /// The index after the last option. All words before it have been looked at.
    private var endOfLastOption = 0

    /// Prepares to look at the words of a command line.
    init(_ arguments: [String], commands: [any Command.Type]) {
        self.arguments = arguments
        self.commands = commands
    }

    /// Whether an endpoint was found that has a parameter with the name of an option.
    func hasParameter(named name: DocumentOption.Name) -> Bool { parameterNames.contains(name.rawValue) }

    /// Looks for the name of an endpoint in the words before an option. Keeps the names of the endpoint's parameters,
    /// which ``hasParameter(named:)`` reads.
    ///
    /// - Parameters:
    ///   - option: The option, which stands after those of earlier calls of this function.
    ///   - makeRegistry: Returns the APIs whose documents stand before the option. It is only called if necessary, because
    ///     making the APIs takes time.
    mutating func findEndpoint(before option: DocumentOption, makeRegistry: () throws -> APIRegistry) rethrows {
        let hasNewWords = endOfLastOption < option.range.lowerBound
        endOfLastOption = option.range.upperBound
        // A command line names one endpoint. If it is found, or if there are no new words, nothing can change.
        guard parameterNames.isEmpty, hasNewWords else { return }
        var words = arguments[..<option.range.lowerBound]
        // A shell that asks for completions puts this word before the words of the person.
        if words.first == "__complete" { words.removeFirst() }
        var parser = Parser(registry: try makeRegistry(), commands: commands)
        // The words may not be a whole command line, so that the parser throws. It knows the endpoint nevertheless.
        _ = try? parser.parse(Array(words))
        let parameterOptions = parser.state.call?.declaration.signature.options() ?? []
        parameterNames = Set(parameterOptions.map(\.name))
    }
}

extension Command {
    /// Whether the words of the command, or its options, can be about APIs, so that documents may be needed.
    fileprivate static var takesAPIs: Bool {
        switch operands {
        case .nothing, .files, .values: false
        case .apis, .topics, .patterns, .subject, .call, .valueAndFiles: true
        }
    }

    /// Whether all words of the command are names of APIs or endpoints, so that any other word is an error.
    fileprivate static var namesAPIs: Bool {
        switch operands {
        case .apis, .patterns, .subject, .call: true
        case .nothing, .topics, .files, .values, .valueAndFiles: false
        }
    }
}
