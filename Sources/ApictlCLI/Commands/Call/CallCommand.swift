import EndpointKit

/// `call`: sends a request and shows the response.
struct CallCommand: Command {
    let arguments: CallArguments

    /// What is streamed is not paged: it may take long, or never end.
    var isPaged: Bool {
        let options = arguments.options
        return !options.quiet && !options.dryRun && !options.followsPages
            && options.decodes(arguments.declaration.endpoint.response)
    }

    func run(_ context: RunContext) async throws -> ExitCode {
        let start = ContinuousClock.now
        let given = arguments.options
        var (arguments, context) = try arguments.configured(
            context.limited(to: given.maxTime, from: start), runsCommands: !given.sample && !given.dryRun)
        let options = arguments.options
        context = context.limited(to: options.maxTime, from: start)
        let purpose: CallPlan.Purpose = options.sample ? .sample : options.dryRun ? .show : .send
        // Before `prepare()`: glibc can't start the signal thread while a library is being loaded.
        context.environment.watchSignals(.milliseconds(200))
        // The transport gets ready while the plan is resolved.
        if purpose == .send { context.environment.transport.prepare() }
        do {
            let plan = try PlanResolver(arguments: arguments, purpose: purpose, context: context).plan()
            if options.dryRun {
                try RequestPrinter(
                    output: context.environment.stdout,
                    colors: HeadColors(options.color, for: context.environment.stdout, context.environment)
                ).print(plan, context.environment.files)
                return .success
            }
            return try await CallTransfer(plan: plan, context: context, start: start).run()
        } catch let error as UsageError {
            throw error
        } catch {
            throw CallFailure(cause: error, endpoint: arguments.declaration.name, options: options)
        }
    }
}

extension RunContext {
    /// The same, in which stdin and files are read and written no longer than `maxTime` from `start` on; nil and zero are no limit.
    fileprivate func limited(to maxTime: Duration?, from start: ContinuousClock.Instant) -> RunContext {
        guard let maxTime, maxTime > .zero else { return self }
        var copy = self
        copy.environment = environment.limited(until: start + maxTime)
        return copy
    }
}

/// A call that failed for a reason other than its command line.
struct CallFailure: Error {
    let cause: any Error
    /// The endpoint's name.
    let endpoint: String
    let options: CallOptions
}

extension CallCommand {
    static func help(_ context: RunContext) -> CommandHelp {
        CommandHelp(
            CallOptions.table,
            [
                "Parameters and options may come in any order after the endpoint's name.",
                "See '\(context.tool) help API.ENDPOINT' for an endpoint's parameters.",
            ])
    }
}
