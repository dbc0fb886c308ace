import Testing

@testable import ApictlCLI

/// What a person sees at a narrow and at a coloured terminal. Plain texts in 80 columns stand with their commands' own tests.
struct TranscriptTests {
    /// What a terminal of so many columns shows of these command lines, with stdout and stderr in one.
    private static func session(_ columns: Int, color: Bool = false, _ commands: [String]) async -> String {
        var text = ""
        for command in commands {
            let terminal = BufferOutput(isTerminal: true, columns: columns)
            let variables = ["TERM": "xterm", "NO_COLOR": color ? "" : "1", "MOVIES_KEY": "k"]
            let environment = ProcessEnvironment.test(
                out: terminal, err: terminal, variables: variables,
                transport: StubTransport(.json(MoviePage.sample)))
            let words = command.words
            let code = await Apictl.run(words, apis: [Movies.self], environment: environment)
            text += "$ apictl \(command)\n" + terminal.text + (code == 0 ? "" : "(exit \(code))\n")
        }
        return text.replacing("\u{1B}", with: "␛")
    }

    @Test("60 columns")
    func narrow() async {
        let shown = await Self.session(60, ["list", "movies.popular --table", "movies popula"])
        #expect(
            shown == """
                $ apictl list
                movies
                  movies.popular     GET     /movie/popular
                                                      Popular right now
                  movies.new-movies  GET     /movie/now_playing
                                                      In cinemas now
                  movies.details     GET     /movie/{value}
                                                      One movie
                  movies.search      GET     /search  Movies by title
                  movies.rate        POST    /movie/{value}/rating
                                                      Rate a movie
                  movies.forget      DELETE  /movie/{value}/rating
                                                      Take a rating back
                  movies.poster      GET     /movie/{value}/poster
                                                      The poster as an image
                $ apictl movies.popular --table
                 id  title         released  score
                348  Alien                    8.10
                 78  Blade Runner
                $ apictl movies popula
                apictl: movies has no endpoint 'popula' (argument 2); did you mean 'movies.popular'?
                See 'apictl movies'.
                (exit 2)

                """)
    }

    @Test("Colours")
    func colours() async {
        let commands = [
            "movies.popular --select results.0", "movies.popular --select results.0 --compact",
            "movies.popular --table", "movies.popular -i --compact --select page",
        ]
        let shown = await Self.session(80, color: true, commands)
        #expect(
            shown == """
                $ apictl movies.popular --select results.0
                {
                  ␛[1;34m"title"␛[0m: ␛[32m"Alien"␛[0m,
                  ␛[1;34m"id"␛[0m: ␛[36m348␛[0m,
                  ␛[1;34m"score"␛[0m: ␛[36m8.10␛[0m
                }
                $ apictl movies.popular --select results.0 --compact
                {␛[1;34m"title"␛[0m:␛[32m"Alien"␛[0m,␛[1;34m"id"␛[0m:␛[36m348␛[0m,␛[1;34m"score"␛[0m:␛[36m8.10␛[0m}
                $ apictl movies.popular --table
                 ␛[1;34mid␛[0m  ␛[1;34mtitle␛[0m         ␛[1;34mreleased␛[0m  ␛[1;34mscore␛[0m
                348  Alien                    8.10
                 78  Blade Runner
                $ apictl movies.popular -i --compact --select page
                HTTP/1.1 200 OK
                Content-Type: application/json

                ␛[36m1␛[0m

                """)
    }
}
