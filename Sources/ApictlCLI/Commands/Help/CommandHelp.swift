/// What help and the manual page say about a command besides its usage and summary.
struct CommandHelp {
    /// Options under one heading.
    struct Group {
        let title: String
        let options: [OptionSpec]
    }

    var groups: [Group] = []
    var paragraphs: [String] = []
    /// Lines that are not wrapped.
    var example = ""

    static func groups<Options>(_ table: OptionTable<Options>) -> [Group] {
        table.groups.map { Group(title: $0.title, options: $0.options.map(\.spec)) }
    }

    init(_ command: CommandName, _ context: RunContext) {
        let tool = context.tool
        switch command {
        case .list: groups = Self.groups(DisplayOptions.listTable)
        case .describe: groups = Self.groups(DisplayOptions.table)
        case .format: groups = Self.groups(FormatOptions.table)
        case .help: groups = Self.groups(HelpCommand.table)
        case .config:
            groups = Self.groups(DisplayOptions.table)
            paragraphs = [
                "Settings are read from the file in \(context.variableNames.configuration), else from $XDG_CONFIG_HOME/\(tool)/config.json, else from ~/.config/\(tool)/config.json.",
                "An option overrides a variable, a variable overrides --env-file, and --env-file overrides the file. The file never has a secret, only where to get it; a command for it runs only when its API is called.",
            ]
            example = Self.configuration
        case .completions:
            paragraphs = ["Completion never uses the network."]
            example = """
                bash  source <(\(tool) completions bash)      in ~/.bashrc
                zsh   source <(\(tool) completions zsh)       in ~/.zshrc, after compinit
                fish  \(tool) completions fish | source       in ~/.config/fish/config.fish

                """
        case .check:
            groups = Self.groups(CheckOptions.table)
            paragraphs = [
                "A check sends one example of an endpoint, expects a 2xx status and compares the response with the endpoint's model.",
                "PATTERN is part of an endpoint's name, method, path or summary, or a glob with * and ?; without one, every endpoint is checked.",
                "✓ fits; ~ fits, but has keys that the model does not have; ✗ failed; – skipped: nothing was sent.",
                "Exit codes: 0 if nothing failed, 1 if a check failed or none ran, 2 for a wrong command line, 130 if interrupted.",
                "A file for --cases, of which only version, cases and endpoint are required:",
            ]
            example = Self.cases
        case .diff:
            groups = Self.groups(DiffCommand.table)
            paragraphs = ["Exit codes: 0 if the responses are alike, 1 if they differ, otherwise those of call."]
        case .mock:
            groups = Self.groups(MockOptions.table)
            paragraphs = [
                "The address is the only line on stdout; the routes, the variables to set and a line for each request go to stderr.",
                "Files in --samples DIR are named after the calls that they respond to: movies.video.json, movies.video@id=550.json with that parameter, movies.video.2.json for the second call, movies.video!503.json with that status, and movies.video!503.headers with its headers.",
                "A client chooses a status with the header 'Prefer: code=503'. Any credential is accepted, and none is logged.",
                "One API is served at /, several under /API each; without a name, all are served. The path of an API's own server, such as /3, may be there or not.",
                "Ctrl-C stops the server when the responses under way have been sent, after 5 seconds at the latest.",
            ]
        case .call, .curl:
            groups = Self.groups(CallOptions.table)
            paragraphs = [
                "Parameters and options may come in any order after the endpoint's name.",
                "See '\(tool) help API.ENDPOINT' for an endpoint's parameters.",
            ]
            if command == .curl { paragraphs.append("The printed command can be pasted into sh, bash, zsh and fish.") }
        }
    }

    static let cases = """
        {
          "version": 1,
          "cases": [
            {
              "endpoint": "API.ENDPOINT",
              "arguments": {"page": 2},
              "status": 200,
              "maxLatency": "500ms",
              "expect": {
                "results": {"count": {"min": 1, "max": 20}},
                "results.0.title": {"type": "string", "matches": "[A-Z].*"},
                "page": {"equals": 2},
                "errors": {"exists": false}
              },
              "capture": {"id": "results.0.id"}
            },
            {"endpoint": "API.OTHER", "arguments": {"id": "{{id}}"}}
          ]
        }

        """

    private static let configuration = """
        {
          "version": 1,
          "apis": {
            "API": {
              "server": "NAME or URL",
              "parameters": {"language": "de"},
              "options": {"max-time": "5s", "insecure": true, "header": ["A: 1", "B: 2"]},
              "credentials": {
                "API_KEY": {"command": ["pass", "api"]},
                "API_TOKEN": {"file": "~/.secrets/token"},
                "API_PASSWORD": {"variable": "OTHER_VARIABLE"}
              }
            }
          }
        }

        """
}
