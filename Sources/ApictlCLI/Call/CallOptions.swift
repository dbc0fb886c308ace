import EndpointKit

/// The options of `call` and `curl`, as typed.
struct CallOptions: Sendable, Equatable {
    var raw = false
    var compact = false
    var output: String?
    var include = false
    var verbosity = 0
    var quiet = false
    var environment: String?
    var baseURL: String?
    var headers: [String] = []
    var query: [String] = []
    /// Zero is no limit, as in curl.
    var maxTime: Duration = .seconds(30)
    var connectTimeout: Duration = .seconds(10)
    var maxRedirects = 10
    var dryRun = false
    var sample = false
    var anyStatus = false
    var color = ColorChoice.auto
    var help = false

    /// The names of the options that were given.
    var given: [String] = []
}

enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}

extension CallOptions {
    static let specs: [OptionSpec] = [
        OptionSpec("raw", "JSON as the server sent it, re-indented while it streams; no model is applied"),
        OptionSpec("compact", "one line per document"),
        OptionSpec(
            "output", short: "o", value: "FILE", "the body's exact bytes into FILE (-: stdout); no model is applied"),
        OptionSpec("include", short: "i", "status line and headers before the body"),
        OptionSpec(
            "verbose", short: "v", repeats: true, "request and response heads on stderr; -vv: the transfer's steps too"),
        OptionSpec("quiet", short: "q", "no body, no notes: the exit code only"),
        OptionSpec("env", value: "NAME", "which of the API's servers"),
        OptionSpec("base-url", value: "URL", "another server"),
        OptionSpec(
            "header", short: "H", value: "'NAME: VALUE'", repeats: true,
            "add a header; 'Name:' leaves one out, 'Name;' is empty"),
        OptionSpec("query", value: "NAME=VALUE", repeats: true, "add to the query"),
        OptionSpec(
            "max-time", short: "m", value: "DURATION", "for the whole transfer: 2.5, 500ms, 20s (30s; 0: no limit)"),
        OptionSpec("connect-timeout", value: "DURATION", "until connected (10s)"),
        OptionSpec("max-redirects", value: "N", "how many redirects are followed (10)"),
        OptionSpec("dry-run", "print the request, send nothing; works without credentials"),
        OptionSpec("sample", "answer from the embedded sample: no network, no key"),
        OptionSpec("any-status", "print a 3xx, 4xx or 5xx body like any other, exit 0"),
        OptionSpec("color", value: "auto|always|never", "when to colour (auto)"),
        HelpCommand.helpOption,
    ]

    /// Takes over one option. Throws ``UsageError`` for a value that does not fit.
    mutating func apply(_ spec: OptionSpec, value: String?, position: Int) throws(UsageError) {
        if given.contains(spec.name), !spec.repeats {
            throw .repeatedOption(spec.flag, position: position)
        }
        if spec.placeholder == nil, let value {
            throw .noValueTaken(option: spec.flag, value: value, position: position)
        }
        if !given.contains(spec.name) { given.append(spec.name) }
        let value = value ?? ""
        func invalid(_ expected: String) -> UsageError {
            .invalidValue(option: spec.flag, value: value, expected: expected, position: position)
        }
        func duration() throws(UsageError) -> Duration {
            guard let duration = DurationText.parse(value) else { throw invalid(DurationText.expectation) }
            return duration
        }
        if value.isEmpty, let placeholder = spec.placeholder {
            throw .valueExpected(option: spec.flag, placeholder: placeholder, position: position)
        }
        switch spec.name {
        case "raw": raw = true
        case "compact": compact = true
        case "output": output = value
        case "include": include = true
        case "verbose": verbosity += 1
        case "quiet": quiet = true
        case "env": environment = value
        case "base-url": baseURL = value
        case "header": headers.append(value)
        case "query": query.append(value)
        case "max-time": maxTime = try duration()
        case "connect-timeout": connectTimeout = try duration()
        case "max-redirects":
            guard let count = Int(value), count >= 0 else { throw invalid("0 or a higher number") }
            maxRedirects = count
        case "dry-run": dryRun = true
        case "sample": sample = true
        case "any-status": anyStatus = true
        case "color": color = try ColorChoice(value, position: position)
        case "help": help = true
        default: throw .unknownOption(spec.flag, position: position, nearest: nil)
        }
    }
}
