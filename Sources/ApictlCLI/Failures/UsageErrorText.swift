extension UsageError {
    /// The message: what is wrong, the word, its position, and the nearest valid word.
    var text: String {
        switch self {
        case .unknownCommand(let word, let position, let nearest):
            "unknown command \(quoted(word))\(at(position))\(didYouMean(nearest))"
        case .unknownAPI(let word, let position, let nearest):
            "unknown API \(quoted(word))\(at(position))\(didYouMean(nearest))"
        case .unknownEndpoint(let word, let api, let position, let nearest):
            "\(api) has no endpoint \(quoted(word))\(at(position))\(didYouMean(nearest))"
        case .noExample(let name, let type, let position):
            "\(name)\(at(position)) can't be called: no example shows its parameters; add one to \(type).examples"
        case .unknownTopic(let word, let position, let nearest):
            unknown("help topic", word, position, nearest)
        case .endpointExpected(let command, let example):
            "\(command) needs an endpoint" + (example.map { ", such as \($0)" } ?? "")
        case .noSample(let endpoint):
            "\(endpoint) has no sample"
        case .noPages(let endpoint):
            "\(endpoint) declares no pages"
        case .optionBeforeCommand(let option, let position):
            "unknown option \(quoted(option))\(at(position)); options come after the command"
        case .fileNameExpected(let parameter, let position):
            "\(parameter)\(at(position)): expected a file name after '@'"
        case .shellExpected(let shells):
            "completions needs a shell: \(shells.joined(separator: ", "))"
        case .unknownShell(let word, let position, let shells):
            "there is no completion for \(quoted(word))\(at(position)), only for \(shells.joined(separator: ", "))"
        case .fileExpected:
            "format needs a file, or JSON on stdin"
        case .apiAlone(let word, _, let position, let example):
            "\(quoted(word))\(at(position)) is an API; name one of its endpoints"
                + (example.map { ", such as \($0)" } ?? "")
        case .noMatch(let pattern, let position, let nearest):
            "no endpoint matches \(quoted(pattern))\(at(position))\(didYouMean(nearest))"
        case .unknownOption(let word, let position, .advice(let advice)):
            unknown("option", word, position, nil) + "; \(advice)"
        case .unknownOption(let word, let position, .nearest(let nearest)):
            unknown("option", word, position, nearest)
        case .unknownOption(let word, let position, nil):
            unknown("option", word, position, nil)
        case .optionBeforeEndpoint(let word, let position):
            "unknown option \(quoted(word))\(at(position)); parameters come after the endpoint's name"
        case .valueExpected(let option, let placeholder, let position):
            "\(option)\(at(position)) needs a value: \(option) \(placeholder)"
        case .noValueTaken(let option, let value, let position):
            "\(option)\(at(position)) takes no value, but was given \(quoted(value))"
        case .unexpectedArgument(let word, let position, let suggestion):
            "unexpected argument \(quoted(word))\(at(position))" + (suggestion.map { "; did you mean \($0)?" } ?? "")
        case .invalidValue(let option, let value, let expected, let position):
            "\(option)\(at(position)): expected \(expected), got \(quoted(value))"
        case .unusableValue(let option, let problem, let position):
            "\(option)\(at(position)): \(problem)"
        case .missingParameters(let flags, let endpoint):
            "\(endpoint) needs \(flags.joined(separator: " and "))"
        case .repeatedParameter(let parameter, let position):
            "\(parameter) is given a second time\(at(position)); it takes one value"
        case .invalidJSON(let parameter, let source, let problem, let position):
            "\(parameter)\(at(position)): \(source): \(problem)"
        case .wholeAndFields(let parameter, let position):
            "\(parameter)\(at(position)): give it whole or by its fields, not both"
        case .conflict(let one, let other):
            "\(one) and \(other) can't be used together"
        case .twoServersExpected(let count):
            "diff compares two servers (--env NAME --env NAME, or --base-url URL --base-url URL), not \(count)"
        case .invalidFile(let name, let line, let column, let problem):
            "\(name):\(line):\(column): \(problem)"
        case .unknownField(let name, let model, let nearest, let option, let position):
            "\(option)\(at(position)): \(model) has no \(quoted(name))\(didYouMean(nearest))"
        case .selectTwice(let position):
            "a second --select\(at(position)) needs --table, --tsv or --csv"
        case .severalLists(let paths):
            "the result has several lists: \(paths.joined(separator: ", ")); choose one with --select"
        case .optionMissing(let missing, let option):
            "\(option) needs \(missing)"
        case .stdinTwice(let word, let position):
            "\(quoted(word))\(at(position)) would read stdin a second time"
        case .unknownServer(let name, let api, let servers, let source, let nearest):
            "\(source): \(api) has no server \(quoted(name)), only \(servers.joined(separator: ", "))"
                + didYouMean(nearest)
        case .invalidBaseURL(let url, let problem, let source):
            "\(source): " + (url.map { quoted($0) + " " } ?? "") + problem
        case .invalidHeader(let name, let problem):
            "header \(quoted(name)): \(problem)"
        case .invalidPathValue(let value, let parameter, let problem, let position):
            (parameter.map { "\($0)\(at(position)): " } ?? "")
                + "\(quoted(value)) can't be used in the path: \(problem)"
        case .bodyWithoutJSON(let problem):
            "the body can't be written as JSON: \(problem)"
        }
    }

    /// The command that shows the valid choices; `topic` is the help topic of the command line.
    func helpCommand(topic: String?) -> String {
        switch self {
        case .unknownAPI, .endpointExpected, .noMatch: "list"
        case .noExample(let name, _, _): String(name.prefix { $0 != "." })
        case .unknownEndpoint(_, let api, _, _), .apiAlone(_, let api, _, _): api
        // Calls read no other file of settings than the configuration and that of --env-file.
        case .invalidFile where topic.flatMap(CommandName.init(rawValue:)) == nil: "help config"
        default: topic.map { $0 == "help" ? "help" : "help \($0)" } ?? "help"
        }
    }

    private func unknown(_ kind: String, _ word: String, _ position: Int, _ nearest: String?) -> String {
        "unknown \(kind) \(quoted(word))\(at(position))\(didYouMean(nearest))"
    }

    /// Words of a file have position 0.
    private func at(_ position: Int?) -> String { position.flatMap { $0 > 0 ? " (argument \($0))" : nil } ?? "" }
    private func didYouMean(_ words: [String]) -> String {
        guard let last = words.last else { return "" }
        let others = words.dropLast().map(quoted).joined(separator: ", ")
        return "; did you mean \(others.isEmpty ? "" : others + " or ")\(quoted(last))?"
    }
    private func didYouMean(_ word: String?) -> String { word.map { "; did you mean '\($0)'?" } ?? "" }
    private func quoted(_ word: String) -> String { "'\(word)'" }
}
