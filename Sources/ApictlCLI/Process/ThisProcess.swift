import EndpointKit
import EndpointTools
import Synchronization
import SystemCalls

extension Apictl {
    /// Runs the command line of this process and ends it with the run's exit code.
    ///
    /// - Parameters:
    ///   - apis: The APIs of the tool.
    ///   - tool: The name of the tool.
    ///   - version: The version of the tool.
    ///   - transport: Makes the transport, given a function that returns the values of environment variables.
    public static func main(
        apis: [any API.Type], tool: String = "apictl", version: String = Version.number,
        transport: (_ variable: @Sendable (String) -> String?) -> any Transport
    ) -> Never {
        // If the parent has closed stdin, stdout or stderr, the next opened file would take its number.
        Descriptor.fillStandardDescriptors()
        // Writing to a closed pipe is then an error that can be handled, and does not end the process.
        signal(SIGPIPE, SIG_IGN)
        // Writing to a file beyond its permitted size (`ulimit -f`) is then such an error too.
        signal(SIGXFSZ, SIG_IGN)
        if let problem = ProcessLimits.current.problem {
            // The message is written directly, because nothing of what follows could work.
            try? DescriptorStream(STDERR_FILENO, name: "stderr", closesDescriptor: false).write("\(tool): \(problem)\n")
            exit(ExitCode.failure.rawValue)
        }
        let run = InterruptibleRun()
        let environment = ProcessEnvironment(ofProcess: run, tool: tool, transport: transport)
        let catalogueAPIs = apis.map { CatalogueAPI($0) }
        let arguments = SystemCall.arguments().map { String(exactBytes: $0) }
        run.carryOut {
            await Apictl.run(
                arguments, apis: catalogueAPIs, environment: environment, tool: tool, version: version)
        }
    }
}

extension ProcessEnvironment {
    /// Makes the environment of this process: its streams, variables, files and programs.
    ///
    /// - Parameters:
    ///   - run: The run, which signals cancel.
    ///   - tool: The name of the tool, with which its variables start.
    ///   - transport: Makes the transport, given a function that returns the values of environment variables.
    fileprivate init(
        ofProcess run: InterruptibleRun, tool: String,
        transport: (_ variable: @Sendable (String) -> String?) -> any Transport
    ) {
        let stdout = DescriptorStream(STDOUT_FILENO, name: "stdout", closesDescriptor: false)
        let stderr = DescriptorStream(STDERR_FILENO, name: "stderr", closesDescriptor: false)
        let stdin = DescriptorStream(STDIN_FILENO, name: "stdin", closesDescriptor: false)
        let variable: @Sendable (String) -> String? = { name in getenv(name).map { String(exactCString: $0) } }
        self.init(
            stdout: stdout, stderr: stderr, stdin: stdin, variable: variable, files: DiskFileSystem(),
            transport: transport(variable))
        commandOutput = { words, limit in
            try await BlockingWork.run {
                try CommandOutput.capture(words, within: limit, maxBytes: CredentialSource.maxValueLength)
            }
        }
        // A signal to this process itself ends the command in the same way as Ctrl-C.
        signals.interrupt = { kill(getpid(), SIGTERM) }
        signals.startHandling = run.watchSignals
        signals.exitCode = { run.signalExitCode }
        if let store = DiskLoginStore.ofProcess(tool: tool, self) { logins = store }
        sessions = SessionStore.ofProcess(tool: tool, self)
        openPage = { [environment = self] address in environment.openInBrowser(address) }
        // `mcp` needs stdout for its messages alone.
        takeStdout = Self.replaceStdoutByStderr
        makePager = { [environment = self] configured in
            guard stdout.isTerminal else { return nil }
            let command = Pager.command(
                names: VariableNames(tool: tool), configured: configured, environment: environment)
            return command.map { Pager($0, terminal: stdout, errors: stderr) }
        }
    }

    /// Opens a page in the browser that `$BROWSER` names, without waiting for it. In a script, where stderr is no
    /// terminal, there is nobody who could use a browser, so that nothing is opened.
    private func openInBrowser(_ address: String) {
        guard stderr.isTerminal, let browser = value("BROWSER") else { return }
        // The address is also written to stderr, so a browser that does not start is no error.
        _ = try? ChildProgram.start([browser, address], output: STDERR_FILENO)
    }

    /// Makes everything that writes to the process's stdout write to stderr from now on.
    ///
    /// - Returns: The only output that still writes to the former stdout.
    /// - Throws: ``FileError``.
    @Sendable private static func replaceStdoutByStderr() throws -> any ByteOutput {
        let formerStdout = try OpenDescriptor.copy(STDOUT_FILENO, name: "stdout")
        guard dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else { throw FileError(.write, "stdout", number: errno) }
        return formerStdout
    }
}
