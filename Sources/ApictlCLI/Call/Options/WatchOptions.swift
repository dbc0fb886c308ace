import EndpointKit

/// The options with which `call` repeats a call.
struct WatchOptions: Sendable, Equatable {
    /// The time from the end of a call to the start of the next one; nil is a single call.
    var interval: Duration?
    /// The values of `--ignore`: paths of values that are not compared.
    var ignored: [SourcedText] = []
}

extension WatchOptions {
    static let group = OptionGroup<WatchOptions>(
        title: "Watching",
        options: [
            Option(
                "watch", .watchInterval, \.interval,
                "repeat the call, with this time between two calls, until Ctrl-C; a terminal shows the last response "
                    + "and marks its new lines, other outputs get each response that differs from the one before"
            ).excluding(ofSingleCall).rarelyUsed(),
            IgnoredPaths.option { $0.ignored.append($1) }.needing("watch").excluding(withoutWholeBody).rarelyUsed(),
        ])

    /// The options that make no sense for a call that is repeated.
    ///
    /// A file would be replaced again and again. The headers on stderr, the times and the texts of `--write-out` differ
    /// with each call. Pages and `--exit-status` are about the end of a call, and a repeated call has none.
    private static let ofSingleCall = [
        "output", "remote-name", "save", "record", "har", "verbose", "timing", "write-out", "quiet", "exit-status",
        "all-pages", "max-pages", "max-items", "dry-run", "sample",
    ]

    /// The options with which the result is not the body of the response, in which the paths of `--ignore` select.
    private static let withoutWholeBody = ["include", "select", "table", "tsv", "csv"]
}

extension OptionValueType where Value == Duration {
    /// The time between two calls. It is at least 100 ms, as for the program watch, so that a slip of the keyboard does
    /// not flood a server.
    fileprivate static let watchInterval = parsed(
        "DURATION", expected: DurationText.expectation + ", at least 100ms"
    ) { text in
        guard let interval = DurationText.parse(text), interval >= .milliseconds(100) else { return nil }
        return interval
    }
}

extension CallRequest {
    /// Changes the options of a call for `--watch`, which repeats it.
    ///
    /// Each response is read whole before it is shown. So the time limit of a decoded response applies, and the length
    /// of the response is limited too.
    ///
    /// - Throws: ``UsageError`` for a call that reads stdin, which has its bytes only once.
    mutating func prepareForWatching() throws(UsageError) {
        let wordsThatMayReadStdin = parameters.filter(\.mayBeJSON).map(\.word) + options.readers
        if wordsThatMayReadStdin.contains(where: \.isStdin) {
            throw UsageError("--watch can't repeat a call that reads stdin; put the data into a file: @FILE")
        }
        isReadWhole = true
        options.transfer.maxBytes = options.transfer.maxBytes ?? Client.defaultMaxBodySize
    }
}
