import EndpointKit

extension CallOptions {
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
        func count() throws(UsageError) -> Int {
            guard let count = Int(value), count >= 0 else { throw invalid("0 or a higher number") }
            return count
        }
        func checked(_ problem: (String) -> String?) throws(UsageError) -> String {
            guard let problem = problem(value) else { return value }
            throw .unusableValue(option: spec.flag, problem: problem, position: position)
        }
        func duration() throws(UsageError) -> Duration {
            guard let duration = DurationText.parse(value) else { throw invalid(DurationText.expectation) }
            return duration
        }
        // An empty proxy is none, whatever the variables say, and an empty body one like any other.
        if value.isEmpty, let placeholder = spec.placeholder, !["proxy", "body"].contains(spec.name) {
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
        case "max-redirects": maxRedirects = try count()
        case "retry": retry = try count()
        case "retry-delay": retryDelay = try duration()
        case "retry-unsafe": retryUnsafe = true
        case "body": body = Word(text: value, position: position)
        case "max-bytes":
            guard let size = ByteCountText.parse(value) else { throw invalid(ByteCountText.expectation) }
            maxBytes = size
        case "continue": continues = true
        case "insecure": connection.verifiesCertificate = false
        case "cacert": connection.certificateAuthorities = value
        case "cert": connection.clientCertificate = value
        case "key": connection.clientKey = value
        case "netrc": netrc = true
        case "proxy": connection.proxy = try checked(ConnectionValues.problem(proxy:))
        case "unix-socket": connection.unixSocket = try checked(ConnectionValues.problem(unixSocket:))
        case "resolve": connection.resolve.append(try checked(ResolveEntry.problem))
        case "http1.1": connection.httpVersion = .http1
        case "http2": connection.httpVersion = .http2
        case "timing": timing = true
        case "dry-run": dryRun = true
        case "sample": sample = true
        case "any-status": anyStatus = true
        case "color": color = try ColorChoice(value, position: position)
        case "help": help = true
        default: throw .unknownOption(spec.flag, position: position, nearest: nil)
        }
    }
}
