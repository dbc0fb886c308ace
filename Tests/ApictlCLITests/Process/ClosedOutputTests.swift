import Testing

@testable import ApictlCLI

/// If the reader of stdout or stderr goes away (`| head -1`), the run ends quietly.
struct ClosedOutputTests {
    @Test(
        "With stdout closed after some bytes, the exit code is that of SIGPIPE, and stderr is empty",
        arguments: [
            "list", "list --json", "describe movies.popular", "help call", "--version", "curl echo.ping",
            "call echo.ping --dry-run", "call movies.popular --sample", "call movies.popular --sample --raw",
            "call movies.popular --sample -i", "call echo.path a --sample", "call movies.popular --sample -o -",
        ], [0, 3])
    func closed(_ words: String, after count: Int) async {
        let err = BufferOutput()
        let environment = ProcessEnvironment.test(out: ClosingOutput(after: count), err: err)
        #expect(await Apictl.run(words.words, apis: testAPIs, environment: environment) == 141)
        #expect(err.text == "")
    }

    @Test("With stderr closed, only the exit code is reported")
    func closedError() async {
        let environment = ProcessEnvironment.test(err: ClosingOutput(after: 0))
        #expect(await Apictl.run(["call", "movies"], apis: [Movies.self], environment: environment) == 2)
    }
}
