import Testing

@testable import ApictlCLI

/// `help --man`: the manual page, made from the tables of help.
struct ManualPageTests {
    private static func page() async -> [String] {
        let outcome = await run(["help", "--man"])
        #expect(outcome.err == "")
        #expect(outcome.code == 0)
        return outcome.out.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("Its start is what man, whatis and apropos read")
    func start() async {
        #expect(
            await Self.page().prefix(6) == [
                #".TH APICTL 1 "" "apictl 0.1.0""#, ".SH NAME", #"apictl \- call HTTP APIs by name"#, ".SH SYNOPSIS",
                #"\fBapictl\fR list [PATTERN…] [\-\-json]"#, ".br",
            ])
    }

    @Test("It has every option of call with its help")
    func options() async {
        let lines = await Self.page()
        for option in CallOptions.table.specs {
            let spelling = option.flag.map { $0 == "-" ? #"\-"# : String($0) }.joined()
            #expect(lines.contains { $0.hasPrefix(#"\fB"#) && $0.contains(spelling) }, "\(option.flag)")
        }
    }

    @Test("Lines that start with a dot are requests only")
    func requests() async {
        let known = [".TH", ".SH", ".SS", ".PP", ".TP", ".br", ".nf", ".fi", ".BR"]
        for line in await Self.page() where line.hasPrefix(".") {
            #expect(known.contains { line == $0 || line.hasPrefix($0 + " ") }, "\(line)")
        }
        #expect(await !Self.page().contains { $0.hasPrefix("'") })
    }

    @Test("It takes no topic")
    func topic() async {
        await wrong(
            "topic", "help --man call", "unexpected argument 'call' (argument 3)", see: "help"
        ).check()
    }
}
