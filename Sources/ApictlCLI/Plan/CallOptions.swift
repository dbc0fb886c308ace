import EndpointKit

/// The options of `call` and `curl`.
struct CallOptions: Sendable, Equatable, SelectionOptions {
    var raw = false
    var compact = false
    var selects: [Word] = []
    var array = false
    var rawStrings = false
    var mustFind = false
    var rowStyle: RowStyle?
    var columns: Word?
    var allPages = false
    var maxPages: Int?
    var maxItems: Int?
    /// Whether the pages of the endpoint are followed.
    var followsPages: Bool { allPages || maxPages != nil || maxItems != nil }
    var output: String?
    var resumes = false
    var include = false
    var anyStatus = false
    var failsWithBody = false
    /// A file for the exact body, beside what is printed.
    var save: String?
    /// A directory for the response, without secrets, as a file for `mock`.
    var record: String?
    var verbosity = 0
    var timing = false
    /// A text for stderr after the call, in curl's notation: the text itself or `@FILE`.
    var writeOut: Word?
    var quiet = false
    var color = ColorChoice.auto

    var server: String?
    var baseURL: String?
    /// All servers and base URLs that were given, in order; `diff` takes two.
    var servers: [String] = []
    var comparesValues = false
    var headers: [String] = []
    var query: [String] = []
    /// Replaces the endpoint's body: `@FILE`, `-` for stdin, or the text itself.
    var body: Word?
    var netrc = false
    /// Which of a credential's alternatives to use.
    var auth: String?
    /// Files with variables, the last one with the last word.
    var environmentFiles: [String] = []

    var dryRun = false
    var sample = false

    /// Zero is no limit, as in curl; nil is ``defaultTimeLimit``.
    var maxTime: Duration?
    var connectTimeout: Duration = .seconds(10)
    /// The longest body to read, in bytes; nil is 100 MB if it is decoded, and no limit if it is streamed.
    var maxBytes: Int?
    var maxRedirects = 10
    var retry = 0
    /// The wait before each retry; nil doubles each time.
    var retryDelay: Duration?
    var retryUnsafe = false

    var connection = ConnectionOptions()

    var help = false
    var helpAll = false
    var asksForHelp: Bool { help || helpAll }

    /// The names of the options that were given, in order.
    var given: [String] = []

    /// The default time limit of a decoded response, and of the time without data in a streamed one.
    static let defaultTimeLimit = Duration.seconds(30)

    /// The time limit of a call that exceeded one.
    var wholeLimit: Duration { maxTime ?? Self.defaultTimeLimit }
}

extension CallOptions {
    /// Whether a successful response is decoded through `model`; otherwise its body is streamed.
    func decodes(_ model: ResponseModel) -> Bool { model.kind == .json && !raw && output == nil }

    /// Whether the body is written to a file.
    var writesFile: Bool { output.map { $0 != "-" } ?? false }
}
