import Testing

/// What people type first: no command, two words for an endpoint, an API alone.
struct ShortFormTests {
    private static let request = """
        GET https://api.movies.test/3/movie/popular?page=2&api_key=(not set: MOVIES_KEY)
        X-Client: tests
        Accept: application/json
        User-Agent: apictl/0.1.0

        """

    @Test(
        "An endpoint without a command is called, and may be two words",
        arguments: [
            "movies.popular --page 2 --dry-run", "movies popular --page 2 --dry-run",
            "call movies popular --page 2 --dry-run", "call --dry-run movies popular --page=2",
            "call movies --dry-run popular --page 2", "Movies.popular --page 2 --dry-run",
        ])
    func call(_ words: String) async {
        #expect(await run(words.words) == Outcome(out: Self.request))
    }

    @Test(
        "The endpoint of curl, describe and help may be two words",
        arguments: ["curl", "describe", "help", "help call"])
    func twoWords(_ command: String) async {
        let words = command.words
        let one = await run(words + ["movies.new-movies"])
        #expect(await run(words + ["movies", "newMovies"]) == one)
        #expect(one.code == 0)
    }

    static let page = """
        movies

        Servers
          production  https://api.movies.test/3
          staging     https://staging.movies.test/3

        Credentials
          query api_key from MOVIES_KEY                        MOVIES_KEY is set
          or header Authorization: Bearer … from MOVIES_TOKEN  MOVIES_TOKEN is not set

        """

    @Test("An API alone shows its page", arguments: ["movies", "describe movies", "help movies", "movies --help"])
    func page(_ words: String) async {
        let outcome = await run(words.words, variables: ["MOVIES_KEY": "k3y"])
        #expect(outcome.out.hasPrefix(Self.page), "\(outcome)")
        #expect(outcome.out.hasSuffix("  apictl call movies.popular --sample\n"))
        #expect(outcome.code == 0)
    }

    @Test(arguments: ["--version", "-V", "version"])
    func version(_ word: String) async {
        #expect(await run([word]) == Outcome(out: "apictl 0.1.0\n"))
    }
}
