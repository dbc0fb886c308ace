import Dispatch
import EndpointKit
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension ProcessEnvironment {
    /// This process's own streams, variables and files.
    public static func process(
        transport: (_ variable: @Sendable (String) -> String?) -> any Transport
    ) -> ProcessEnvironment {
        let variable: @Sendable (String) -> String? = { name in getenv(name).map { String(exactCString: $0) } }
        return ProcessEnvironment(
            stdout: DescriptorOutput(STDOUT_FILENO, name: "stdout"),
            stderr: DescriptorOutput(STDERR_FILENO, name: "stderr"),
            stdin: DescriptorInput(STDIN_FILENO, name: "stdin", closes: false),
            variable: variable, files: DiskFileSystem(), transport: transport(variable))
    }
}

extension Apictl {
    /// Runs the command line of this process and ends it with the run's exit code.
    ///
    /// `transport` makes what carries the requests; it is given the environment variables.
    public static func main(
        apis: [any API.Type], tool: String = "apictl", version: String = Version.number,
        transport: (_ variable: @Sendable (String) -> String?) -> any Transport
    ) -> Never {
        SystemCall.fillStandardDescriptors()
        SystemCall.keepFreedMemory()
        // A reader that goes away is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        // The vector is the C runtime's own, with `argc` valid entries that live as long as the process.
        let vector = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
        let arguments = vector.dropFirst().compactMap { $0.map { String(exactCString: $0) } }
        let environment = ProcessEnvironment.process(transport: transport)
        if mayTransfer(arguments) { environment.transport.prepare() }
        let context = RunContext(
            tool: tool, version: version, registry: Registry(apis: apis), environment: environment)
        switch begin(arguments, context) {
        case .ended(let code):
            SystemCall.endProcess(code.rawValue)
        case .waiting(let command):
            let files = environment.files as? DiskFileSystem
            let interruption = Interruption { files?.temporaries.unlinkAll() }
            let running = Mutex<Task<Void, Never>?>(nil)
            // Before the run begins: from its first file on there is something to tidy up.
            let sources = [SIGINT, SIGTERM, SIGHUP].compactMap { signal in
                interruption.source(for: signal) { running.withLock { $0?.cancel() } }
            }
            running.withLock { task in
                task = Task {
                    let code = await finish(command, context)
                    SystemCall.endProcess(interruption.exitCode ?? code.rawValue)
                }
            }
            withExtendedLifetime(sources) { waitForever() }
        }
    }

    /// What `dispatchMain` is for. That one ends its thread, for which the C library loads and runs the stack unwinder.
    private static func waitForever() -> Never {
        while true { pause() }
    }

    /// Whether a command line looks as if it needs the transport; it is not parsed yet, so this is a guess.
    static func mayTransfer(_ arguments: [String]) -> Bool {
        arguments.first == "call" && !arguments.contains { ["--sample", "--dry-run", "--help", "-h"].contains($0) }
    }
}

extension String {
    /// A C string whose bytes need not be UTF-8.
    fileprivate init(exactCString pointer: UnsafePointer<CChar>) {
        self.init(exactBytes: UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
    }
}
