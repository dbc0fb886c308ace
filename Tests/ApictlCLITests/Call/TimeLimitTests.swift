import EndpointKit
import Testing

@testable import ApictlCLI

/// The time limits given to the transport: a total limit for decoded responses, an idle limit for streams.
struct TimeLimitTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let words: String
        /// Nil is no limit.
        let maxTime: Duration?
        let idleTimeout: Duration?

        init(_ id: String, _ words: String, maxTime: Duration?, idle idleTimeout: Duration?) {
            self.id = id
            self.words = words
            self.maxTime = maxTime
            self.idleTimeout = idleTimeout
        }

        var testDescription: String { id }
    }

    static let cases: [Case] = [
        Case("decoded", "movies.popular", maxTime: .seconds(30), idle: nil),
        Case("decoded, any status", "movies.popular --any-status", maxTime: .seconds(30), idle: nil),
        Case("decoded and quiet", "movies.popular -q", maxTime: .seconds(30), idle: nil),
        Case("raw", "movies.popular --raw", maxTime: nil, idle: .seconds(30)),
        Case("a file", "movies.popular -o f", maxTime: nil, idle: .seconds(30)),
        Case("exact bytes on stdout", "movies.popular -o -", maxTime: nil, idle: .seconds(30)),
        Case("an endpoint of bytes", "movies.poster 1", maxTime: nil, idle: .seconds(30)),
        Case("an endpoint without a body", "movies.forget 1", maxTime: nil, idle: .seconds(30)),
        Case("decoded, as typed", "movies.popular -m 5", maxTime: .seconds(5), idle: nil),
        Case("raw, as typed", "movies.popular --raw -m 5", maxTime: .seconds(5), idle: nil),
        Case("a file, as typed", "movies.popular -o f -m 5", maxTime: .seconds(5), idle: nil),
        Case("decoded, none", "movies.popular -m 0", maxTime: nil, idle: nil),
        Case("raw, none", "movies.popular --raw -m 0", maxTime: nil, idle: nil),
        Case("a file, none", "movies.popular -o f -m 0s", maxTime: nil, idle: nil),
    ]

    @Test(arguments: cases)
    func limit(_ wanted: Case) async throws {
        let transport = OptionKeeper()
        _ = await run(
            ["call"] + wanted.words.split(separator: " ").map(String.init), variables: CallOutputTests.key,
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
