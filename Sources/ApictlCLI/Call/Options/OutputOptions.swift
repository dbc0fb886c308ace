import EndpointKit

/// The options that say which parts of an exchange `call` shows, and where it writes them.
struct OutputOptions: Sendable, Equatable {
    /// Whether the response is shown as the server sent it, not as the model reads it.
    var raw = false
    /// Whether each JSON document is one line.
    var compact = false
    /// The file of `--output`; `-` is stdout. A path with a slash at its end is a directory, in which the file has the
    /// name of the URL's last segment.
    var file: String?
    /// Whether the file has the name that the response gives it (`--remote-header-name`).
    var isNamedByServer = false
    /// Whether a partial download is kept and resumed (`--continue`).
    var resumes = false
    /// Whether the status line and the headers are printed before the body.
    var includesHeaders = false
    /// The way to treat a 3xx, 4xx or 5xx.
    var unsuccessful = UnsuccessfulResponses.fail
    /// The file of `--save`, which gets a copy of the body.
    var copy: String?
    /// The directory of `--record`, which gets the response as a sample.
    var recordings: String?
    /// The file of `--har`.
    var archive: String?
    /// How many times `--verbose` is given.
    var verbosity = 0
    /// Whether stderr shows how long each phase of the transfers took.
    var timing = false
    /// The text of `--write-out`, or its file.
    var writeOut: SourcedText?
    /// Whether nothing is printed, neither result nor messages.
    var quiet = false

    /// Returns these options with a complete path of the file. If they give only its directory, the file has the name
    /// of the last segment of the URL.
    ///
    ///     -o images/, https://a.example/cat.png   →   images/cat.png
    ///     -O, https://a.example/cat.png           →   cat.png, because -O gives the current directory
    ///
    /// - Parameter path: The path of the request's URL.
    /// - Throws: ``UsageError`` if the options give only a directory, and `path` ends with a slash.
    func namingFile(afterPath path: String) throws(UsageError) -> OutputOptions {
        guard let file, file.utf8.last == UInt8(ascii: "/") else { return self }
        let directory = file == Self.currentDirectory ? "" : file
        var result = self
        result.file = directory + (try DownloadName.lastSegment(ofPath: path))
        return result
    }

    /// The directory of `--remote-name`.
    fileprivate static let currentDirectory = "./"

    /// Whether the body is written to a file.
    var writesFile: Bool { file.map { $0 != "-" } ?? false }
}

/// The ways to treat a response whose status is not that of a success.
enum UnsuccessfulResponses: Sendable, Equatable {
    /// The body is shown on stderr, and the exit code tells the kind of status.
    case fail
    /// The body is printed on stdout, and the exit code tells the kind of status (`--fail-with-body`).
    case failWithBody
    /// The response is treated as a success (`--any-status`).
    case accept
}

extension OutputOptions {
    static let group = OptionGroup<OutputOptions>(
        title: "Output",
        options: [
            Option("raw", \.raw, "JSON as the server sent it, re-indented while it streams; no model is applied"),
            Option("compact", \.compact, "one line per document"),
            Option(
                "output", short: "o", .file, \.file,
                "write the body's exact bytes to FILE (-: stdout); no model is applied; "
                    + "DIR/ names the file after the URL's last segment"),
            Option(
                "remote-name", short: "O",
                "write the body's exact bytes to a file named after the URL's last segment"
            ) { $0.file = $1 ? Self.currentDirectory : nil }.excluding("output").rarelyUsed(),
            Option(
                "remote-header-name", short: "J", \.isNamedByServer,
                "with -O or -o DIR/: name the file as the response does, but never replace one"
            ).excluding("continue").needing("output", "remote-name").rarelyUsed(),
            Option(
                "continue", short: "C", \.resumes,
                "with -o: keep what arrived in FILE.part and resume it next time; needs a strong ETag"
            ).excluding("any-status").needing("output", "remote-name").rarelyUsed(),
            Option("include", short: "i", \.includesHeaders, "print status line and headers before the body"),
            Option(
                "any-status", \.unsuccessful, on: .accept, off: .fail,
                "print a 3xx, 4xx or 5xx body like any other, exit 0"
            ).rarelyUsed(),
            Option(
                "fail-with-body", \.unsuccessful, on: .failWithBody, off: .fail,
                "print the body of a 3xx, 4xx or 5xx on stdout, and exit 3, 4 or 5"
            ).excluding("any-status", "output", "remote-name").rarelyUsed(),
            Option(
                "save", .file, \.copy, "write the body's exact bytes to FILE too, whatever is printed"
            ).excluding("output", "remote-name").rarelyUsed(),
            Option(
                "record", .directory, \.recordings,
                "save the response in DIR too, as a file for 'mock --samples'"
            ).excluding("sample", "dry-run", "output", "remote-name", "all-pages", "max-pages", "max-items")
                .rarelyUsed(),
            Option(
                "har", .file, \.archive, "save the exchanges in FILE too, as an HTTP archive (HAR 1.2) without secrets"
            ).excluding("dry-run").rarelyUsed(),
            Option(
                "verbose", short: "v",
                "print request and response headers on stderr; -vv: connection details too"
            ) { $0.verbosity = $1 ? $0.verbosity + 1 : 0 }.excluding("json-errors"),
            Option("timing", \.timing, "print on stderr how long each phase took").excluding("json-errors")
                .rarelyUsed(),
            Option(
                "write-out", short: "w", .word("TEXT|@FILE", completion: .filesAfterAt), \.writeOut,
                "print this at the end, on stderr (what follows %{stdout}: on stdout), "
                    + "with curl's variables: '%{http_code} %{time_total}\\n', %{json}"
            ).rarelyUsed(),
            Option("quiet", short: "q", \.quiet, "print nothing; only set the exit code").rarelyUsed(),
        ])
}
