/// All commands.
enum CommandName: String, CaseIterable, Sendable {
    case list, describe, call, curl, check, diff, mock, format, config, completions, help

    /// Its syntax.
    var usage: String {
        switch self {
        case .list: "list [PATTERN…] [--json]"
        case .describe: "describe API[.ENDPOINT] [--json]"
        case .call: "call API.ENDPOINT [parameters] [options]"
        case .curl: "curl API.ENDPOINT [parameters] [options]"
        case .check: "check [PATTERN…] [options]"
        case .diff: "diff API.ENDPOINT [parameters] --env NAME --env NAME [options]"
        case .mock: "mock [API…] [options]"
        case .format: "format [FILE…] [--compact | --indent N | --check | --select PATH]"
        case .config: "config [API] [--json]"
        case .completions: "completions bash|zsh|fish"
        case .help: "help [COMMAND | API | API.ENDPOINT | TOPIC]"
        }
    }

    var summary: String {
        switch self {
        case .list: "list endpoints"
        case .describe: "show an API, or an endpoint's parameters, response and examples"
        case .call: "send a request and show the response"
        case .curl: "print the curl command that sends the same request"
        case .check: "check that endpoints respond, and that their responses fit the models"
        case .diff: "compare the responses of two servers to the same call"
        case .mock: "serve the samples of APIs on this machine"
        case .format: "check, re-indent and select from JSON in files or stdin"
        case .config: "show the settings of APIs and where each comes from"
        case .completions: "print a shell's completion script"
        case .help: "show help; topics: exit-codes, environment, credentials"
        }
    }
}
