import EndpointKit
import Testing

@testable import ApictlCLI

/// If the reader of stdout goes away (`| head -1`), the run ends quietly.
struct ClosedOutputTests {
    static let commands: [[String]] = [
        ["list"], ["list", "--json"], ["describe", "movies.popular"], ["describe", "movies.popular", "--json"],
        ["help"],
        ["help", "call"], ["--version"], ["curl", "echo.ping"], ["call", "echo.ping", "--dry-run"],
        ["call", "movies.popular", "--sample"], ["call", "movies.popular", "--sample", "--raw"],
        ["call", "movies.popular", "--sample", "-i"], ["call", "echo.path", "a", "--sample"],
        ["call", "movies.popular", "--sample", "-o", "-"],
    ]

    @Test(arguments: commands, [0, 3])
    func closed(_ words: [String], after count: Int) async {
        let err = BufferOutput()
        let environment = ProcessEnvironment.test(out: ClosingOutput(after: count), err: err)
        #expect(await Apictl.run(words, apis: [Movies.self, Echo.self], environment: environment) == 141)
        #expect(err.text == "")
    }

    @Test("With stderr closed, only the exit code is reported")
    func closedError() async {
        let environment = ProcessEnvironment.test(err: ClosingOutput(after: 0))
        #expect(await Apictl.run(["call", "movies"], apis: [Movies.self], environment: environment) == 2)
    }
}
