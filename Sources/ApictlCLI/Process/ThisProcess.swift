import EndpointKit
import SystemCalls

extension ProcessEnvironment {
    /// This process's own streams, variables and files.
    public static func process(
        transport: (_ variable: @Sendable (String) -> String?) -> any Transport
    ) -> ProcessEnvironment {
        let variable: @Sendable (String) -> String? = { name in getenv(name).map { String(exactCString: $0) } }
        var environment = ProcessEnvironment(
            stdout: DescriptorOutput(STDOUT_FILENO, name: "stdout"),
            stderr: DescriptorOutput(STDERR_FILENO, name: "stderr"),
            stdin: DescriptorInput(STDIN_FILENO, name: "stdin", closes: false),
            variable: variable, files: DiskFileSystem(), transport: transport(variable))
        environment.commandOutput = { words, limit in
            try CommandOutput.of(words, within: limit, most: CredentialSource.longestValue)
        }
        return environment
    }
}

extension Apictl {
    /// Runs the command line of this process and ends it with the run's exit code.
    ///
    /// `transport` makes the transport; its argument looks up environment variables.
    public static func main(
        apis: [any API.Type], tool: String = "apictl", version: String = Version.number,
        transport: (_ variable: @Sendable (String) -> String?) -> any Transport
    ) -> Never {
        Descriptor.fillStandardDescriptors()
        SystemCall.keepFreedMemory()
        // Writing to a closed pipe should be an error, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        // The same for a file that exceeds `ulimit -f`.
        signal(SIGXFSZ, SIG_IGN)
        var environment = ProcessEnvironment.process(transport: transport)
        guard let arguments = ProcessArguments.read()?.map({ String(exactBytes: $0) }) else {
            try? environment.stderr.write("\(tool): can't read the command-line arguments\n")
            SystemCall.endProcess(ExitCode.usage.rawValue)
        }
        let process = InterruptibleRun(environment.files as? DiskFileSystem)
        environment.watchSignals = process.watchSignals
        environment.makePager = { [environment] in
            let stdout = DescriptorOutput(STDOUT_FILENO, name: "stdout")
            let command = stdout.isTerminal ? Pager.command(VariableNames(tool: tool), environment) : nil
            return command.map { Pager($0, terminal: stdout, errors: environment.stderr) }
        }
        process.carryOut { [environment] in
            await run(arguments, apis: apis, environment: environment, tool: tool, version: version)
        }
    }
}

extension String {
    /// The text of a C string whose bytes need not be UTF-8.
    fileprivate init(exactCString pointer: UnsafePointer<CChar>) {
        self.init(exactBytes: UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
    }
}
