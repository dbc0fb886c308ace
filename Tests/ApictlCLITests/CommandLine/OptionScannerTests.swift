import Testing

@testable import ApictlCLI

/// The grammar of words and options, one item at a time.
struct OptionScannerTests {
    private static let page = OptionSpec("page", short: "p", value: "INTEGER", "")
    private static let all = OptionSpec("all", short: "a", "")
    private static let version = OptionSpec("http-version", value: "V", "")
    private static let title = OptionSpec("movie.original-title", value: "TEXT", "")

    /// The result of scanning: the items, and the error that ended it, if any.
    struct Scan: Sendable, CustomTestStringConvertible {
        let id: String
        let words: [String]
        let items: [ParsedItem]
        let error: UsageError?

        init(_ id: String, _ words: [String], _ items: [ParsedItem] = [], error: UsageError? = nil) {
            self.id = id
            self.words = words
            self.items = items
            self.error = error
        }

        var testDescription: String { id }
    }

    private static func word(_ text: String, _ position: Int) -> ParsedItem {
        .positional(Word(text: text, position: position))
    }

    private static func page(_ value: String?, _ position: Int) -> ParsedItem {
        .option(page, value: value, position: position)
    }

    static let scans: [Scan] = [
        Scan("nothing", []),
        Scan("word", ["one"], [word("one", 1)]),
        Scan("empty word", [""], [word("", 1)]),
        Scan("value behind a space", ["--page", "2"], [page("2", 1)]),
        Scan("value behind =", ["--page=2"], [page("2", 1)]),
        Scan("value with =", ["--page=a=b"], [page("a=b", 1)]),
        Scan("empty value behind =", ["--page="], [page("", 1)]),
        Scan("empty value as a word", ["--page", ""], [page("", 1)]),
        Scan("value that starts with a combining mark", ["--page=\u{301}x"], [page("\u{301}x", 1)]),
        Scan("letter with a combining mark", ["-p\u{301}x", "-p=\u{301}"], [page("\u{301}x", 1), page("\u{301}", 2)]),
        Scan("letter and word", ["-p", "2"], [page("2", 1)]),
        Scan("letter with its value", ["-p2"], [page("2", 1)]),
        Scan("letter and =", ["-p=2"], [page("2", 1)]),
        Scan("switch", ["--all"], [.option(all, value: nil, position: 1)]),
        Scan("switch with a value", ["--all=false"], [.option(all, value: "false", position: 1)]),
        Scan("switch negated", ["--no-all"], [.negated(all, position: 1)]),
        Scan(
            "letters in one word", ["-aap3", "x"],
            [.option(all, value: nil, position: 1), .option(all, value: nil, position: 1), page("3", 1), word("x", 2)]),
        Scan(
            "a letter that takes a value ends the word", ["-apa"],
            [.option(all, value: nil, position: 1), page("a", 1)]),
        Scan("dash alone", ["-", "--page", "-"], [word("-", 1), page("-", 2)]),
        Scan("end of the options", ["--", "--page", "-a", "--"], [word("--page", 2), word("-a", 3), word("--", 4)]),
        Scan("negative number", ["-1", "-.5", "-2e3"], [word("-1", 1), word("-.5", 2), word("-2e3", 3)]),
        Scan("negative value", ["--page", "-1"], [page("-1", 1)]),
        Scan("negative value behind =", ["--page=-1"], [page("-1", 1)]),
        Scan("negative value behind a letter", ["-p", "-1", "-p-2"], [page("-1", 1), page("-2", 3)]),
        Scan("value that is a short option", ["--page", "-a"], [page("-a", 1)]),
        Scan("value with two dashes", ["--page", "--x"], [page("--x", 1)]),
        Scan("kebab name", ["--http-version", "2"], [.option(version, value: "2", position: 1)]),
        Scan("Swift name", ["--httpVersion", "2"], [.option(version, value: "2", position: 1)]),
        Scan("Swift name with =", ["--httpVersion=2"], [.option(version, value: "2", position: 1)]),
        Scan("dotted", ["--movie.original-title", "x"], [.option(title, value: "x", position: 1)]),
        Scan("dotted in Swift", ["--movie.originalTitle=x"], [.option(title, value: "x", position: 1)]),
        Scan(
            "forgotten value at the end", ["--page"],
            error: .valueExpected("--page", "INTEGER", 1)),
        Scan(
            "forgotten value before an option", ["x", "--page", "--all"], [word("x", 1)],
            error: .valueExpected("--page", "INTEGER", 2)),
        Scan(
            "forgotten value before a negated switch", ["--page", "--no-all"],
            error: .valueExpected("--page", "INTEGER", 1)),
        Scan(
            "forgotten value before --", ["-p", "--", "2"],
            error: .valueExpected("-p", "INTEGER", 1)),
        Scan(
            "unknown", ["x", "--pgae=3"], [word("x", 1)],
            error: .unknownOption(Word(text: "--pgae", position: 2), "; did you mean '--page'?")),
        Scan(
            "unknown and far off", ["--colour-of-money"],
            error: .unknownOption(Word(text: "--colour-of-money", position: 1), "")),
        Scan("no options end with dashes", ["---"], error: .unknownOption(Word(text: "---", position: 1), "")),
        Scan("unknown letter", ["-z"], error: .unknownOption(Word(text: "-z", position: 1), "")),
        Scan(
            "unknown letter behind a known one", ["-az"], [.option(all, value: nil, position: 1)],
            error: .unknownOption(Word(text: "-z", position: 1), "")),
        Scan(
            "one dash for two", ["-http-version=2"],
            error: .unknownOption(Word(text: "-h", position: 1), "; did you mean '--http-version'?")
        ),
        Scan(
            "letter that is a switch with a value", ["-a=1"],
            error: .noValueTaken("-a", "1", 1)),
        Scan("negated with a value", ["--no-all=1"], error: .noValueTaken("--no-all", "1", 1)),
        Scan("negated and no switch", ["--no-page"], error: .unknownOption(Word(text: "--no-page", position: 1), "")),
    ]

    @Test(arguments: scans)
    func scan(_ scan: Scan) {
        let words = scan.words.enumerated().map { Word(text: $1, position: $0 + 1) }
        var scanner = OptionScanner(words, options: [Self.page, Self.all, Self.version, Self.title])
        var items: [ParsedItem] = []
        var failure: UsageError?
        do throws(UsageError) {
            while let item = try scanner.next() { items.append(item) }
        } catch {
            failure = error
        }
        #expect(items == scan.items)
        #expect(failure == scan.error)
    }
}
