import EndpointKit

/// The options of `call` and `curl`, as typed.
struct CallOptions: Sendable, Equatable {
    var raw = false
    var compact = false
    var output: String?
    var include = false
    var verbosity = 0
    var quiet = false
    var environment: String?
    var baseURL: String?
    var headers: [String] = []
    var query: [String] = []
    /// Zero is no limit, as in curl; nil is ``patience``.
    var maxTime: Duration?
    var connectTimeout: Duration = .seconds(10)
    var maxRedirects = 10
    var retry = 0
    /// Nil is a wait that doubles each time.
    var retryDelay: Duration?
    var retryUnsafe = false
    var connection = ConnectionOptions()
    var netrc = false
    var continues = false
    /// What takes the place of the endpoint's body: `@FILE`, `-` for stdin, or the text itself.
    var body: Word?
    /// The longest body that is read, in bytes; nil is 100 MB where it is decoded, and no limit where it streams.
    var maxBytes: Int?
    var timing = false
    var dryRun = false
    var sample = false
    var anyStatus = false
    var color = ColorChoice.auto
    var help = false

    /// How long an answer that is decoded may take, and how long a server may be silent where a body of any length streams.
    static let patience = Duration.seconds(30)

    /// The names of the options that were given.
    var given: [String] = []
}

extension CallOptions {
    /// Whether a successful answer is decoded through `model`; else its body streams, whatever its length.
    func decodes(_ model: ResponseModel) -> Bool { model.kind == .json && !raw && output == nil }
}

enum ColorChoice: String, Sendable, CaseIterable {
    case auto, always, never
}
