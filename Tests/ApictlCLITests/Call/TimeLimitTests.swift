import EndpointKit
import Testing

@testable import ApictlCLI

/// The time limits given to the transport: a total limit for decoded responses, an idle limit for streams.
struct TimeLimitTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Nil is no limit.
        let maxTime: Duration?
        let idleTimeout: Duration?

        init(_ words: String, maxTime: Duration?, idle idleTimeout: Duration?) {
            (testDescription, self.maxTime, self.idleTimeout) = (words, maxTime, idleTimeout)
        }
    }

    static let cases: [Case] = [
        Case("movies.popular", maxTime: .seconds(30), idle: nil),
        Case("movies.popular --any-status", maxTime: .seconds(30), idle: nil),
        Case("movies.popular -q", maxTime: .seconds(30), idle: nil),
        Case("movies.popular --raw", maxTime: nil, idle: .seconds(30)),
        Case("movies.popular -o f", maxTime: nil, idle: .seconds(30)),
        Case("movies.popular -o -", maxTime: nil, idle: .seconds(30)),
        Case("movies.poster 1", maxTime: nil, idle: .seconds(30)),
        Case("movies.forget 1", maxTime: nil, idle: .seconds(30)),
        Case("movies.popular -m 5", maxTime: .seconds(5), idle: nil),
        Case("movies.popular --raw -m 5", maxTime: .seconds(5), idle: nil),
        Case("movies.popular -o f -m 5", maxTime: .seconds(5), idle: nil),
        Case("movies.popular -m 0", maxTime: nil, idle: nil),
        Case("movies.popular --raw -m 0", maxTime: nil, idle: nil),
        Case("movies.popular -o f -m 0s", maxTime: nil, idle: nil),
    ]

    @Test(arguments: cases)
    func limit(_ wanted: Case) async throws {
        let transport = OptionKeeper()
        _ = await run(
            ["call"] + wanted.testDescription.split(separator: " ").map(String.init), variables: CallOutputTests.key,
            transport: transport)
        let options = transport.options
        try #require(options.count == 1)
        #expect(options[0].idleTimeout == wanted.idleTimeout)
        #expect(options[0].connectTimeout == .seconds(10))
        // What is left of the limit when the request goes out.
        #expect((options[0].maxTime == nil) == (wanted.maxTime == nil))
        if let maxTime = options[0].maxTime, let limit = wanted.maxTime {
            #expect(maxTime <= limit)
            #expect(maxTime > limit - .seconds(5))
        }
    }
}
