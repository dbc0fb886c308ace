import APIImport
import EndpointKit
import JSONText

/// The options of `import`.
struct ImportOptions: CommandOptions {
    /// Which requests are sent for their responses.
    enum Sending {
        /// Only GET requests, which change no data.
        case retrievals
        /// All requests, as `--send` says.
        case all
        /// No request, as `--no-send` says.
        case none
    }

    /// The patterns that choose the requests to import.
    struct Patterns: Sendable {
        /// The patterns of `--only`; without any, all names are meant.
        var only: [String] = []
        /// The patterns of `--skip`.
        var skip: [String] = []

        /// A function that says whether a request is imported, given its names, such as `GET /movie/{id}` and
        /// `getMovie`. It is nil if neither option is given, because then all requests are imported.
        ///
        /// A request is imported if `--only` matches one of its names or is not given, and `--skip` matches none.
        var isKept: (@Sendable ([String]) -> Bool)? {
            if only.isEmpty, skip.isEmpty { return nil }
            let onlyPatterns = only.map(NamePattern.init)
            let skipPatterns = skip.map(NamePattern.init)
            return { names in
                func matches(_ pattern: NamePattern) -> Bool { names.contains(where: pattern.matches) }
                if skipPatterns.contains(where: matches) { return false }
                return onlyPatterns.isEmpty || onlyPatterns.contains(where: matches)
            }
        }
    }

    var common = CommonOptions()
    /// The names of the API and the endpoint, such as `movies.popular`; nil if they are made of host and path.
    var name: String?
    /// The directory or Swift file of `--into`; nil for stdout.
    var into: String?
    /// The patterns of `--only` and `--skip`.
    var patterns = Patterns()
    /// The method that the requests get in place of the one that was found.
    var method: HTTPMethod?
    var sending = Sending.retrievals
    /// The headers of `-H`, with which URLs of JSON and of documents are requested.
    var headers: [HeaderChange] = []
    /// The file of `--response`, which holds the response. The request is not sent then.
    var response: String?
    /// The file of `--names`, which gives names to operations, types and fields.
    var names: String?
    /// The choices that options make directly. ``makeChoices(_:)`` adds those that `--name` and other options make.
    var directChoices = ImportChoices()
    /// Whether files that exist with another content are overwritten.
    var force = false
    /// Whether the files are only listed, and not written.
    var dryRun = false
    /// The file of `--report`; `-` for stdout.
    var report: String?
    /// Whether the command fails if anything became `JSONValue` or bytes.
    var strict = false
    /// Whether a document is compared with the APIs instead of imported.
    var compares = false
    /// The options of the comparison.
    var check = CheckOptions()

    static let table = OptionTable<ImportOptions>(command: [
        OptionGroup(
            title: "Names and requests",
            options: [
                Option(
                    "name", .text("API[.ENDPOINT]", problem: problem(name:)), \.name,
                    "names; default from host and path"),
                Option("method", .method, \.method, "another method than the one found").rarelyUsed(),
                Option(
                    "path",
                    .text("TEMPLATE", problem: { $0.hasPrefix("/") ? nil : "expected a path such as /users/{login}" }),
                    \.directChoices.path, "which segments are parameters: /users/{login}"
                ).rarelyUsed(),
                Option("only", .text("PATTERN"), "only these requests, such as 'GET /movie/*' or getMovie*; repeatable")
                {
                    $0.patterns.only.append($1)
                },
                Option("skip", .text("PATTERN"), "not these requests; repeatable") { $0.patterns.skip.append($1) },
            ]),
        OptionGroup(
            title: "Models",
            options: [
                Option(
                    "send", "send the request for its response, whatever its method; a GET is sent anyway"
                ) {
                    $0.sending = .all
                }.excluding("no-send", "response"),
                Option("header", short: "H", .header, "send this header to a URL of json or openapi; repeatable") {
                    $0.headers.append($1)
                },
                Option("no-send", "send nothing") { $0.sending = .none }.excluding("response").rarelyUsed(),
                Option("response", .file, \.response, "a response, in a file, instead of sending"),
                Option(
                    "names", .file, \.names,
                    #"other names, as JSON: {"operations": {"getMovie": "movie"}}, also "types" and "fields""#
                ).rarelyUsed(),
                Option("map", .text("PATH"), "treat the object at PATH as a dictionary, whatever its keys; repeatable")
                {
                    $0.directChoices.maps.append($1)
                }.rarelyUsed(),
                Option(
                    "struct", .text("PATH"), "treat the object at PATH as a structure, whatever its keys; repeatable"
                ) {
                    $0.directChoices.structs.append($1)
                }.rarelyUsed(),
            ]),
        OptionGroup(
            title: "Output",
            options: [
                Option(
                    "into", .text("DIR|FILE.swift", completion: .files), \.into,
                    "write files into DIR, or one FILE.swift: a new one, or an API's, where endpoints are inserted; default stdout"
                ),
                Option("force", \.force, "overwrite files that differ"),
                Option("dry-run", \.dryRun, "only list the files"),
                Option("report", .file, \.report, "write the summary into FILE, as JSON").rarelyUsed(),
                Option("strict", \.strict, "exit 1 if anything became JSONValue or bytes").rarelyUsed(),
            ]),
        OptionGroup(
            title: "Comparison with APIs, as check --document: openapi SOURCE --check PATTERN…",
            options: [
                Option(
                    "check", \.compares,
                    "write nothing; exit 1 if an API does not fit the document, with --strict also if one has more than the other"
                ).excluding("into", "force", "dry-run", "name", "only", "skip", "report").rarelyUsed()
            ] + CheckOptions.documentOptions.map { $0.lifted(to: \.check).rarelyUsed() }),
    ])

    /// Returns what is wrong with the value of `--name`; nil if nothing is.
    ///
    /// The value has one to three parts, such as `kinto.buckets.list`: a group, an API and an endpoint. Each part has
    /// ASCII letters, digits, `-` and `_`, and at least one letter or digit to make a Swift name of.
    private static func problem(name: String) -> String? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let areNames = parts.allSatisfy { part in
            let hasWord = !SwiftNames.words(part).isEmpty
            return hasWord && part.utf8.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
        }
        if parts.count > 3 || !areNames { return "expected a name such as movies or movies.popular" }
        return nil
    }

    /// Returns the options of `check` for comparing a document with the APIs.
    func check(of document: DocumentSource) -> CheckOptions {
        var options = check
        options.common = common
        options.judging.strict = strict
        options.running.document = document
        return options
    }

    /// Returns the choices of all options, including the names in the file of `--names`.
    ///
    /// `--name kinto.buckets.list` chooses the API `kinto.buckets` and the endpoint `list`. `--name movies` chooses
    /// only the API.
    ///
    /// - Throws: ``UsageError`` if the file of `--names` has another form, and ``FileError`` if it can't be read.
    func makeChoices(_ environment: ProcessEnvironment) throws -> ImportChoices {
        var choices = directChoices
        let nameParts = name?.split(separator: ".").map(String.init) ?? []
        if let endpoint = nameParts.last, nameParts.count > 1 {
            // Of three parts, the first two are the name of an API in a group.
            choices.api = nameParts.dropLast().joined(separator: ".")
            choices.endpoint = SwiftNames.memberName(SwiftNames.words(endpoint))
        } else {
            choices.api = nameParts.first
        }
        choices.isKept = patterns.isKept
        if let names { try ImportNamesFile(names, environment).add(to: &choices) }
        return choices
    }
}
