import EndpointKit
import JSONText

/// `curl`: prints the curl command that sends the same request as `call`.
struct CurlCommand: ImmediateCommand {
    var invocation: EndpointInvocation

    func run(_ context: RunContext) throws -> ExitCode {
        let environment = context.environment
        let declaration = try context.registry.endpoint(Word(text: invocation.endpoint, position: 2))
        let call = try invocation.call(declaration, environment)
        let request = try RequestPreparation(
            declaration: declaration, invocation: invocation, environment: environment
        )
        .request(call, missing: .placeholder)
        var curl = CurlInvocation(request)
        curl.add(invocation.options)
        for warning in curl.warnings {
            try environment.stderr.write("\(context.tool): \(warning.safeToShow)\n")
        }
        try environment.stdout.write(ShellText.command(curl) + "\n")
        return .success
    }
}

extension CurlInvocation {
    /// Adds curl's own options for those of `call`, and warns of those it has none for.
    mutating func add(_ options: CallOptions) {
        func seconds(_ duration: Duration) -> Argument {
            Argument("\(Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18)")
        }
        var without: [String] = []
        for name in options.given {
            switch name {
            case "output": arguments += ["--output", Argument(options.output ?? "-")]
            case "include": arguments.append("--include")
            case "verbose": arguments.append("--verbose")
            case "quiet": arguments += ["--silent", "--output", "/dev/null"]
            case "max-time": arguments += ["--max-time", seconds(options.maxTime)]
            case "connect-timeout": arguments += ["--connect-timeout", seconds(options.connectTimeout)]
            case "max-redirects":
                if options.maxRedirects > 0 { arguments += ["--max-redirs", Argument(String(options.maxRedirects))] }
            // curl itself prints any status's body.
            case "env", "base-url", "header", "query", "dry-run", "any-status": break
            default: without.append("--" + name)
            }
        }
        // A method of its own would be sent again to where a 303 leads, which a GET has to go to.
        if options.maxRedirects > 0, !arguments.contains("--request") { arguments.insert("--location", at: 0) }
        if !without.isEmpty {
            warnings.append("left out, as curl has nothing like it: " + without.joined(separator: ", "))
        }
    }
}
