import EndpointKit

/// The options that say how long a transfer may take, how much it may bring, and how often it is tried.
///
/// A value that is nil is not chosen, and a default counts.
struct TransferChoices: Sendable, Equatable {
    /// The time limit of the whole call; zero is no limit, as in curl.
    var maxTime: Sourced<Duration>?
    /// The time limit for connecting; zero is no limit.
    var connectTimeout: Sourced<Duration>?
    /// The longest body to read, in bytes.
    var maxBytes: Int?
    var maxRedirects: Int?
    var retry: Sourced<Int>?
    var retryDelay: Duration?
    /// Whether POST and PATCH are retried too.
    var retriesUnsafe = false
}

extension TransferChoices {
    /// The time limit if none is chosen. A decoded response must be complete by then. A streamed one may take longer,
    /// but not pause for so long.
    static let defaultTimeLimit = Duration.seconds(30)
    /// The time limit for connecting if none is chosen. It is shorter than that of the call, so that a host that does
    /// not answer is noticed early.
    private static let defaultConnectTimeout = Duration.seconds(10)
    /// The most redirects that are followed if no number is chosen, so that a loop ends.
    private static let defaultRedirects = 10

    /// The time limit that a message about a timeout names.
    var shownTimeLimit: Duration { maxTime?.value ?? Self.defaultTimeLimit }

    /// The time limit of a request for a token that a call needs. It is the limit of the call, or the default one for a
    /// call without a limit.
    var tokenTimeLimit: Duration { shownTimeLimit == .zero ? Self.defaultTimeLimit : shownTimeLimit }

    /// How many redirects are followed.
    var redirectLimit: Int { maxRedirects ?? Self.defaultRedirects }

    /// How many times a failed request is tried again.
    var retryCount: Int { retry?.value ?? 0 }

    /// The time limit for connecting; nil is none.
    var connectLimit: Duration? {
        let limit = connectTimeout?.value ?? Self.defaultConnectTimeout
        return limit == .zero ? nil : limit
    }

    /// Returns when a call must have ended.
    ///
    /// - Parameter start: When the command started.
    /// - Returns: The time; nil if the user gave no limit, or 0 for none. The default limit is not in it, because
    ///   that only begins with the exchange.
    func deadline(from start: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let limit = maxTime?.value, limit > .zero else { return nil }
        return start + limit
    }

    /// Returns these choices, in which each choice that is nil is replaced by the one in `general`.
    ///
    /// - Parameter general: The choices that count less, such as those of the configuration.
    func overriding(_ general: TransferChoices) -> TransferChoices {
        var result = self
        result.maxTime = maxTime ?? general.maxTime
        result.connectTimeout = connectTimeout ?? general.connectTimeout
        result.maxBytes = maxBytes ?? general.maxBytes
        result.maxRedirects = maxRedirects ?? general.maxRedirects
        result.retry = retry ?? general.retry
        result.retryDelay = retryDelay ?? general.retryDelay
        // A flag can't be taken back, so it counts if either has it.
        result.retriesUnsafe = retriesUnsafe || general.retriesUnsafe
        return result
    }
}

extension TransferChoices {
    static let group = OptionGroup<TransferChoices>(
        title: "Transfer",
        options: [
            Option(
                "max-time", short: "m", .duration, sourced: \.maxTime,
                "time limit for the whole call: 2.5, 500ms, 20s, 2m; 0: no limit; "
                    + "default 30s in total; with --raw, -o or a URL, 30s without data"
            ),
            Option("connect-timeout", .duration, sourced: \.connectTimeout, "time limit for connecting; default 10s")
                .rarelyUsed(),
            Option(
                "max-bytes", .size, \.maxBytes,
                "longest body to read: 65536, 64k, 10M, 1G; default 100 MB if decoded, otherwise no limit"
            ).rarelyUsed(),
            Option("max-redirects", .count, \.maxRedirects, "how many redirects to follow; default 10").rarelyUsed(),
            Option(
                "retry", .count, sourced: \.retry,
                "try again up to N times after failed, cut and timed-out connections, "
                    + "and 408, 429, 500, 502, 503, 504, and 403 with Retry-After; default 0"),
            Option(
                "retry-delay", .duration, \.retryDelay,
                "wait this long each time; default 1s, doubling, or Retry-After if longer"
            ).rarelyUsed(),
            Option("retry-unsafe", \.retriesUnsafe, "retry POST and PATCH too").rarelyUsed(),
        ])
}
