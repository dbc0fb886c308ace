import EndpointKit

/// Carries out a plan: sends the request, retries it if allowed, and prints the response or writes it to a file.
struct CallTransfer {
    let plan: CallPlan
    private var context: RunContext
    private let limit: DecodingLimit
    /// When the time limit ends; nil is no limit.
    private let deadline: ContinuousClock.Instant?

    /// A transfer of a call that began at `start`.
    init(plan: CallPlan, context: RunContext, start: ContinuousClock.Instant) {
        let maxTime = plan.transfer.maxTime
        // A person may type a body for longer than the limit that nobody set.
        deadline = maxTime.map { (plan.options.maxTime == nil ? .now : start) + $0 }
        limit = DecodingLimit(maxTime: maxTime, deadline: deadline, server: plan.request.base)
        self.plan = plan
        self.context = context
        self.context.environment = context.environment.limited(until: deadline)
    }

    private var options: CallOptions { plan.options }
    private var environment: ProcessEnvironment { context.environment }
    /// The start of each line on stderr.
    private var subject: String { "\(context.tool): \(plan.declaration.name)" }

    func run() async throws -> ExitCode {
        guard let word = options.writeOut else { return try await run(nil) }
        let (text, _) = try ArgumentInput(environment: environment).bytes(word, of: "--write-out")
        let log = WriteOutLog(try WriteOut(String(exactBytes: text), position: word.position))
        do {
            let code = try await run(log)
            try environment.stderr.write(log.text(plan, exitCode: code))
            return code
        } catch {
            let failure = CallFailure(cause: error, endpoint: plan.declaration.name, options: options)
            let report = FailureReport(failure, context, topic: nil)
            try environment.stderr.write(
                log.text(plan, exitCode: report.code, errorMessage: report.description?.error.message ?? ""))
            throw error
        }
    }

    private func run(_ writeOut: WriteOutLog?) async throws -> ExitCode {
        try noteUnsigned()
        try noteCredentials()
        // Opened before anything is sent: there is no point in a response that can't be saved.
        let file = try outputFile()
        let progress = ResponseProgress(file: file)
        do {
            let code = try await transfer(into: file, progress, writeOut)
            guard code == .success, let file else {
                file?.discard()
                return code
            }
            try file.commit()
            try ResponseNotes(options, environment).saved(
                options.output ?? "", count: (file as? PartialFile)?.length ?? progress.fileBytes)
            return code
        } catch {
            file?.discard()
            throw error
        }
    }

    /// The file that `-o` names; nil is stdout. Throws ``FileError``.
    private func outputFile() throws -> (any FileReplacement)? {
        guard options.writesFile, let path = options.output else { return nil }
        return options.resumes
            ? try environment.files.resume(path) : try environment.files.replace(path)
    }

    /// Throws ``FailedExchange``.
    private func transfer(
        into file: (any FileReplacement)?, _ progress: ResponseProgress, _ writeOut: WriteOutLog?
    ) async throws -> ExitCode {
        let request = plan.request
        let recorder = try recorder()
        // A proxy or a library may also repeat secrets that are not part of the request.
        let redactor = Redactor(request, others: environment.proxySecrets + plan.connection.secrets)
        let retries = RetryLog(
            subject: subject, output: options.quiet ? nil : environment.stderr, redactor: redactor)
        let timing = TimingLog()
        defer {
            if options.timing { try? environment.stderr.write(timing.text) }
            writeOut?.add(timing.transfers, attempts: retries.attempts)
        }
        var client = client(timing, redactor)
        client.retry = retries.policy(options)
        do {
            if let file = file as? PartialFile {
                return try await resume(into: file, client, redactor, writeOut)
            }
            if let paging = plan.pages {
                let call = PagedCall(
                    plan: plan, paging: paging, environment: environment, redactor: redactor, limit: limit,
                    fail: { try await fail($0, redactor) },
                    onHead: { writeOut?.add($0.redacted(by: redactor)) })
                return try await call.run(client)
            }
            return try await client.exchange(request, mayRetry: progress.undo) { response in
                writeOut?.add(response.head.redacted(by: redactor))
                return try await show(response, redactor, progress, file, recorder)
            }
        } catch {
            let canResume = !options.resumes && !options.anyStatus && request.obstacleToResuming == nil
            throw FailedExchange(
                cause: error, server: request.base,
                isRepeatable: request.method.isRetrieval && !progress.hasWritten, method: request.method,
                losesDownload: progress.hasWrittenFile && canResume, attempts: retries.attempts,
                refusal: retries.refusal, redactor: redactor)
        }
    }

    private func show(
        _ response: StreamedResponse, _ redactor: Redactor, _ progress: ResponseProgress,
        _ file: (any FileReplacement)?, _ recorder: SampleRecorder?
    ) async throws -> ExitCode {
        guard let recorder else { return try await save(response, redactor, progress, file) }
        let body = try await response.wholeBody(limit: options.maxBytes ?? ResponseLimit.decoded)
        let recorded = try recorder.record(
            Response(head: response.head, body: body), to: plan.call, of: plan.declaration, redactor)
        var response = response
        response.body = ResponseBody(bytes: body)
        let code = try await save(response, redactor, progress, file)
        if let failure = recorded.failure { throw failure }
        return code
    }

    /// The directory of `--record`; nil without. Throws ``FileError``.
    private func recorder() throws -> SampleRecorder? {
        let (tool, stderr) = (context.tool, options.quiet ? nil : environment.stderr)
        return try options.record.map { directory in
            try SampleRecorder(directory, environment.files) { line in
                // The response matters more than a note on it.
                try? stderr?.write("\(tool): \(line.safeToShow)\n")
            }
        }
    }

    /// Processes the response; with `--save`, its body is also written to a file.
    private func save(
        _ response: StreamedResponse, _ redactor: Redactor, _ progress: ResponseProgress,
        _ file: (any FileReplacement)?
    ) async throws -> ExitCode {
        guard let path = options.save else { return try await process(response, redactor, progress, file) }
        let copy = BodyCopy(try environment.files.replace(path))
        defer { copy.discard() }
        var response = response
        response.body = copy.copying(response.body)
        do {
            let code = try await process(response, redactor, progress, file)
            for try await _ in response.body {}
            return code
        } catch {
            // Only the beginning of the body may have been read. The first error is the one to report.
            do { for try await _ in response.body {} } catch {}
            throw error
        }
    }

    private func process(
        _ response: StreamedResponse, _ redactor: Redactor, _ progress: ResponseProgress,
        _ file: (any FileReplacement)?
    ) async throws -> ExitCode {
        let printsAnyStatus = options.anyStatus || options.failsWithBody
        guard response.head.isSuccess || printsAnyStatus else { return try await fail(response, redactor) }
        if !printsAnyStatus { try Download.requireWhole(response.head, of: plan.request) }
        var environment = environment
        environment.stdout = WatchedOutput(output: environment.stdout, progress: progress)
        var response = response
        response.head = response.head.redacted(by: redactor)
        if file != nil { response.body = response.body.watched(progress) }
        let printer = ResponsePrinter(plan: plan, environment: environment, redactor: redactor, limit: limit)
        let code = try await printer.print(response, into: file)
        if options.failsWithBody, !response.head.isSuccess {
            throw StatusFailure(head: response.head, words: nil, hints: [])
        }
        return code
    }

    private func fail(_ response: StreamedResponse, _ redactor: Redactor) async throws -> ExitCode {
        try await FailurePrinter(options: options, environment: environment, redactor: redactor)
            .print(response, to: plan)
    }

    /// `-C`: requests what is missing of `file`.
    private func resume(
        into file: PartialFile, _ client: Client, _ redactor: Redactor, _ writeOut: WriteOutLog?
    ) async throws -> ExitCode {
        try await Download(file: file, notes: options.quiet ? nil : environment.stderr).run(
            plan.request, client,
            save: { response, extent in
                writeOut?.add(response.head.redacted(by: redactor))
                let printer = ResponsePrinter(
                    plan: plan, environment: environment, redactor: redactor, limit: limit)
                _ = try await printer.print(response, into: file, extent: extent)
            },
            fail: { response in
                writeOut?.add(response.head.redacted(by: redactor))
                return try await fail(response, redactor)
            })
    }

    /// Notes that `--netrc` found no entry, because the request is sent anyway.
    private func noteUnsigned() throws {
        guard options.netrc, !options.sample, !options.quiet, let path = NetrcFile(environment: environment).path,
            !plan.request.specifies(header: "Authorization")
        else { return }
        let line = "\(path) has no entry for \(plan.request.base.host); the request is sent without a password"
        try environment.stderr.write("\(subject): \(line.safeToShow)\n")
    }

    /// With -v, names the variables whose secrets are sent.
    private func noteCredentials() throws {
        let used = plan.request.usedVariables
        guard options.verbosity > 0, !options.sample, !used.isEmpty else { return }
        try environment.stderr.write("* credential from \(used.joined(separator: " and "))\n")
    }

    private func client(_ timing: TimingLog, _ redactor: Redactor) -> Client {
        var client = plan.client(environment.transport)
        client.transfer.deadline = deadline
        if options.verbosity > 0 {
            let log = WireLog(
                output: environment.stderr, verbosity: options.verbosity, redactor: redactor,
                colors: HeadColors(options.color, for: environment.stderr, environment), body: plan.request.body?.bytes)
            client.transfer.onEvent = { log.show($0) }
        }
        if options.timing || options.writeOut != nil { client.transfer.onTimes = { timing.add($0) } }
        return client
    }
}
