import EndpointKit
import Testing

@testable import ApictlCLI

/// The time limits given to the transport: a total limit for decoded responses, an idle limit for streams.
struct TimeLimitTests {
    /// The time limit and the idle limit in seconds; nil is no limit.
    static let limits: [(words: String, maxTime: Int?, idle: Int?)] = [
        ("movies.popular", 30, nil),
        ("movies.popular --raw", nil, 30),
        ("movies.popular -o f", nil, 30),
        ("movies.poster 1", nil, 30),
        ("movies.popular -m 5", 5, nil),
        ("movies.popular -o f -m 5", 5, nil),
        ("movies.popular -m 0", nil, nil),
    ]

    @Test(arguments: limits)
    func limit(_ words: String, _ maxTime: Int?, _ idle: Int?) async throws {
        let transport = OptionKeeper()
        _ = await run(["call"] + words.words, transport: transport)
        let options = try #require(transport.options.first)
        #expect(options.idleTimeout == idle.map { .seconds($0) } && options.connectTimeout == .seconds(10))
        // What is left of the limit when the request goes out.
        #expect((options.maxTime == nil) == (maxTime == nil))
        if let left = options.maxTime, let maxTime {
            #expect(left <= .seconds(maxTime) && left > .seconds(maxTime - 5))
        }
    }
}
