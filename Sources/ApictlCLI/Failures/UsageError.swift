/// What is wrong with a command line. Each case has the offending word and its position, counted from 1.
enum UsageError: Error, Equatable {
    case unknownCommand(String, position: Int, nearest: [String])
    case unknownAPI(String, position: Int, nearest: [String])
    case unknownEndpoint(String, api: String, position: Int, nearest: [String])
    /// A case that no example shows, so that nothing is known about it.
    case noExample(String, type: String, position: Int)
    case unknownTopic(String, position: Int, nearest: String?)
    /// A command needs an endpoint and was given none.
    case endpointExpected(command: String, example: String?)
    /// `completions` needs the name of a shell.
    case shellExpected([String])
    case unknownShell(String, position: Int, shells: [String])
    /// `format` was given no file, and stdin is a terminal.
    case fileExpected
    /// An API was named without one of its endpoints.
    case apiAlone(String, api: String, position: Int, example: String?)
    /// `--sample` for an endpoint without one.
    case noSample(String)
    /// Pages are to be followed, but the endpoint declares none.
    case noPages(String)
    case noMatch(String, position: Int, nearest: [String])
    case unknownOption(String, position: Int, OptionHint?)
    /// A parameter's flag comes before the endpoint's name, so it is not known yet.
    case optionBeforeEndpoint(String, position: Int)
    case valueExpected(option: String, placeholder: String, position: Int)
    case noValueTaken(option: String, value: String, position: Int)
    case unexpectedArgument(String, position: Int, suggestion: String?)
    case invalidValue(option: String, value: String, expected: String, position: Int?)
    /// An invalid value that must not be shown, or need not be.
    case unusableValue(option: String, problem: String, position: Int)
    case missingParameters([String], endpoint: String)
    case repeatedParameter(String, position: Int?)
    case invalidJSON(parameter: String, source: String, problem: String, position: Int?)
    case wholeAndFields(parameter: String, position: Int?)
    case conflict(String, String)
    case unknownField(String, model: String, nearest: String?, option: String, position: Int)
    /// A second `--select` without rows.
    case selectTwice(position: Int)
    /// Rows are to be shown of a result with these lists.
    case severalLists([String])
    /// An option needs another one.
    case optionMissing(String, for: String)
    /// An option of a command comes before the command.
    case optionBeforeCommand(String, position: Int)
    /// `@` without a file name.
    case fileNameExpected(parameter: String, position: Int)
    /// `diff` needs two servers and was given so many.
    case twoServersExpected(Int)
    /// A file with settings is wrong at that place.
    case invalidFile(String, line: Int, column: Int, problem: String)
    case stdinTwice(String, position: Int)
    case unknownServer(String, api: String, servers: [String], source: String, nearest: String?)
    /// The URL is nil if it must not be shown.
    case invalidBaseURL(String?, problem: String, source: String)
    case invalidHeader(name: String, problem: String)
    case invalidPathValue(String, parameter: String?, problem: String, position: Int?)
    case bodyWithoutJSON(String)
}
