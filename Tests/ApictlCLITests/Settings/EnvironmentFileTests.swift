import EndpointKit
import Testing

@testable import ApictlCLI

/// Files of variables in dotenv syntax.
struct EnvironmentFileTests {
    static let files: [(text: String, variables: [String: String])] = [
        ("", [:]), ("# only a comment", [:]), ("A=1\nB=2", ["A": "1", "B": "2"]),
        ("A=1\r\nB=2\r\n", ["A": "1", "B": "2"]),
        ("\u{FEFF}A=1", ["A": "1"]), ("export A=1", ["A": "1"]), ("export=1", ["export": "1"]), ("A=", ["A": ""]),
        ("A=# c", ["A": "# c"]), ("A= # c\nB=\t#c", ["A": "", "B": ""]), ("A =  x y  # z", ["A": "x y"]),
        ("A=x#y", ["A": "x#y"]), ("A='x # $Y \\n'", ["A": "x # $Y \\n"]),
        (#"A="a\n\t\"\\\$\x" # c"#, ["A": "a\n\t\"\\$\\x"]), ("A=\"two\nlines\"\nB=1", ["A": "two\nlines", "B": "1"]),
        ("A=1\nA=2", ["A": "2"]), ("A=it's", ["A": "it's"]), ("A==b", ["A": "=b"]), ("A=é", ["A": "é"]),
    ]

    @Test("A file sets these variables", arguments: files)
    func variables(_ text: String, _ variables: [String: String]) throws {
        #expect(try EnvironmentFile(text.exactBytes, path: "e").variables == variables)
    }

    static let errors: [(text: String, error: String)] = [
        ("A=1\n-", "2:1: expected NAME=value"), ("1A=1", "1:3: expected NAME=value"),
        ("A 1", "1:3: expected NAME=value"),
        ("A", "1:2: expected NAME=value"), ("B=\n A=\"x", "2:4: the quote is not closed"),
        ("A='x'y", "1:6: expected the end of the line after the closing quote"),
    ]

    @Test("An error has the place of the line that is wrong", arguments: errors)
    func error(_ text: String, _ error: String) {
        let thrown = #expect(throws: UsageError.self) { try EnvironmentFile(text.exactBytes, path: "e") }
        #expect(thrown?.text == "e:\(error)" && thrown?.see == "help call")
    }
}
