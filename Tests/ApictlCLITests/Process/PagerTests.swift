import SystemCalls
import Testing

@testable import ApictlCLI

/// The text for a pager.
struct PagedOutputTests {
    @Test("A text is kept for the pager until it has to appear at once")
    func direct() throws {
        let terminal = BufferOutput(isTerminal: true, columns: 40)
        let output = PagedOutput(terminal: terminal)
        try output.write("a")
        #expect(output.bytes == Array("a".utf8) && terminal.bytes.isEmpty && output.columns == 40)
        try output.writeDirectly()
        try output.write("b")
        #expect(output.bytes.isEmpty && terminal.bytes == Array("ab".utf8))
    }

    @Test(
        "A pager that has ended by itself, by Ctrl-C or because the terminal has gone has shown the text",
        arguments: [0, (128 + SIGINT) << 8, SIGPIPE])
    func endedPager(_ status: Int32) { #expect(Pager.hasShown(status: status)) }

    @Test(
        "A pager that has failed or was killed has shown nothing", arguments: [1 << 8, (128 + SIGKILL) << 8, SIGKILL])
    func failedPager(_ status: Int32) { #expect(!Pager.hasShown(status: status)) }
}
