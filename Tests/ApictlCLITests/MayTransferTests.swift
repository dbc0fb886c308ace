import Testing

@testable import ApictlCLI

/// libcurl is loaded ahead of time only for command lines that are likely to need it.
struct MayTransferTests {
    @Test(arguments: [
        ("call movies.popular", true),
        ("call movies.popular --raw --page 2", true),
        ("call movies.popular --sample", false),
        ("call movies.popular --dry-run", false),
        ("call --help", false),
        ("call movies.popular -h", false),
        ("curl movies.popular", false),
        ("list", false),
        ("", false),
    ])
    func guess(line: String, expected: Bool) {
        #expect(Apictl.mayTransfer(line.split(separator: " ").map(String.init)) == expected)
    }
}
