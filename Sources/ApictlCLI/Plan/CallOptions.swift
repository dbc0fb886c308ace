import EndpointKit

/// The options of `call` and `curl`.
struct CallOptions: Sendable, Equatable, SelectionOptions {
    var raw = false
    var compact = false
    var select: Word?
    var array = false
    var rawStrings = false
    var mustFind = false
    var output: String?
    var resumes = false
    var include = false
    var anyStatus = false
    var verbosity = 0
    var timing = false
    var quiet = false
    var color = ColorChoice.auto

    var server: String?
    var baseURL: String?
    var headers: [String] = []
    var query: [String] = []
    /// Replaces the endpoint's body: `@FILE`, `-` for stdin, or the text itself.
    var body: Word?
    var netrc = false

    var dryRun = false
    var sample = false

    /// Zero is no limit, as in curl; nil is ``patience``.
    var maxTime: Duration?
    var connectTimeout: Duration = .seconds(10)
    /// The longest body that is read, in bytes; nil is 100 MB for a body that is decoded, and no limit for one that streams.
    var maxBytes: Int?
    var maxRedirects = 10
    var retry = 0
    /// Nil is a wait that doubles each time.
    var retryDelay: Duration?
    var retryUnsafe = false

    var connection = ConnectionOptions()

    var help = false

    /// The names of the options that were given, in order.
    var given: [String] = []

    /// The time limit of a response that is decoded, and the longest silence in one that streams.
    static let patience = Duration.seconds(30)
}

extension CallOptions {
    /// Whether a successful response is decoded through `model`; otherwise its body streams, whatever its length.
    func decodes(_ model: ResponseModel) -> Bool { model.kind == .json && !raw && output == nil }

    /// Whether the body goes into a file.
    var writesFile: Bool { output.map { $0 != "-" } ?? false }
}
