import APIImport
import EndpointKit
import EndpointTools
import JSONText

/// The sources of an import: requests with their responses, and samples without a request.
struct ImportSources {
    /// A response body that was read from a file or stdin, so that its request is unknown.
    struct Sample {
        /// The path of the file, or `response` for stdin.
        let name: String
        let body: [UInt8]
    }

    private(set) var requests: [ImportedRequest] = []
    private(set) var samples: [Sample] = []
    /// Remarks about requests that were left out, and about requests without a response.
    private(set) var notes: [String] = []

    private let options: ImportOptions
    private let context: CommandContext
    /// The files and variables that pasted text refers to, such as `@me.json` and `$TOKEN`.
    private let references = PastedReferences()

    /// Reads the sources that the command line names, and sends requests for the responses that are missing.
    ///
    /// - Parameters:
    ///   - sources: The words after the kind: the arguments of curl, or URLs and files.
    ///   - kind: The kind of the sources.
    ///   - options: The options of `import`.
    ///   - context: The context of the command.
    /// - Throws: ``UsageError`` for sources that are missing or wrong, ``FileError`` for a file that can't be read, and
    ///   ``Failure`` for a response that is needed but did not come.
    init(
        _ sources: ArraySlice<SourcedText>, of kind: ImportKind, options: ImportOptions, context: CommandContext
    ) async throws {
        self.options = options
        self.context = context
        switch kind {
        case .curl:
            let words = sources.map(\.text)
            requests = try CurlWords.readRequests(in: words, context.environment, recordingIn: references)
        case .json: try readURLsAndFiles(sources, of: kind)
        case .har: try readRecording(sources)
        case .openapi:
            if let extra = sources.dropFirst().first { throw UsageError.unexpectedArgument(extra) }
            try readURLsAndFiles(sources, of: kind)
        }
        keepMostUsedServer()
        if let method = options.method {
            for index in requests.indices { requests[index].method = method.rawValue }
        }
        try await addResponses(of: kind)
        addSamplesToFirstRequest()
    }

    // MARK: Reading

    /// Adds a request for each URL, and a sample for each file and for stdin.
    ///
    /// - Parameters:
    ///   - sources: URLs and paths; `-` is stdin.
    ///   - kind: The kind of import, for the message about missing sources.
    /// - Throws: ``UsageError`` if there is no source, if two of them are stdin, or for a URL that is wrong.
    ///   ``FileError`` for a file that can't be read.
    private mutating func readURLsAndFiles(_ sources: ArraySlice<SourcedText>, of kind: ImportKind) throws {
        guard !sources.isEmpty else {
            throw UsageError("import \(kind.rawValue) needs a URL, a file, or - for stdin")
        }
        try UsageError.requireAtMostOneStdin(among: Array(sources))
        for source in sources {
            if source.text.hasPrefix("http://") || source.text.hasPrefix("https://") {
                requests.append(try request(to: source))
            } else {
                // The model of a sample is named after its file. Stdin has no name.
                let name = source.text == "-" ? "response" : source.text
                samples.append(Sample(name: name, body: try read(source.text)))
            }
        }
    }

    /// The value of the header `Accept` that asks for JSON first, then for YAML (RFC 9110, section 12.5.1).
    private static let preferredTypes = "application/json, application/yaml;q=0.9, */*;q=0.1"

    /// Returns a GET request to a URL, with the headers of `-H`.
    ///
    /// - Throws: ``UsageError`` for text that is not a URL, and the errors of a secret in a header.
    private func request(to url: SourcedText) throws -> ImportedRequest {
        var request = ImportedRequest()
        request.method = "GET"
        do {
            try request.setURL(url.text)
        } catch {
            throw UsageError("\(error.text)\(url.source.suffix)")
        }
        if !options.headers.contains(where: { $0.name.isSameName(as: "Accept") }) {
            request.headers.append(("Accept", Self.preferredTypes))
        }
        for case .add(let header) in options.headers {
            request.headers.append((header.name, try header.revealedValue()))
        }
        return request
    }

    /// Reads the requests and responses of a recording (HTTP Archive, `.har`), and notes those that are left out.
    ///
    /// - Throws: ``UsageError`` if there is not exactly one source, if it is not a recording, or if no request in it
    ///   can be imported. ``FileError`` if it can't be read.
    private mutating func readRecording(_ sources: ArraySlice<SourcedText>) throws {
        guard let source = sources.first else { throw UsageError("import har needs a file") }
        if let extra = sources.dropFirst().first { throw UsageError.unexpectedArgument(extra) }
        let recording = try HAR(read(source.text), in: source.text)
        requests = recording.requests
        for (reason, count) in recording.leftOut.sorted(by: { $0.key < $1.key }) {
            notes.append("left out: \(count.counted("request")) \(reason)")
        }
        if requests.isEmpty { throw UsageError("\(source.text): there is no request in it that can be imported") }
    }

    /// Returns the content of a file, or of stdin for `-`.
    private func read(_ path: String) throws -> [UInt8] { try context.environment.readFile(path).bytes }

    // MARK: Completing

    /// Removes the requests to all servers but one, because an imported API has one server. A note names the others.
    ///
    /// The server that stays is the one with the most requests. Of several servers with equally many, it is the first.
    private mutating func keepMostUsedServer() {
        let countsByOrigin = Dictionary(requests.map { ($0.origin, 1) }, uniquingKeysWith: +)
        guard countsByOrigin.count > 1, let highestCount = countsByOrigin.values.max() else { return }
        let keptOrigin = requests.first { countsByOrigin[$0.origin] == highestCount }?.origin
        let otherOrigins = countsByOrigin.keys.filter { $0 != keptOrigin }.sorted()
        let countBefore = requests.count
        requests.removeAll { $0.origin != keptOrigin }
        let removedRequests = (countBefore - requests.count).counted("request")
        notes.append("left out: \(removedRequests) to other servers: \(otherOrigins.joined(separator: ", "))")
    }

    /// Adds the responses that the sources do not have: the one in the file of `--response`, or the server's.
    ///
    /// A recording has all responses that there are, so that nothing is sent for it. Only for a curl command, the
    /// response may be missing, because the command itself describes the endpoint. A note then says why it is missing.
    private mutating func addResponses(of kind: ImportKind) async throws {
        if requests.isEmpty || kind == .har { return }
        if let path = options.response {
            let response = Response(head: ResponseHead(status: 200), body: try read(path))
            for index in requests.indices { requests[index].response = response }
            return
        }
        let sender = ImportedRequestSender(sending: options.sending, context: context, references: references)
        for index in requests.indices where requests[index].response == nil {
            switch try await sender.fetchResponse(to: requests[index], isRequired: kind != .curl) {
            case .response(let response): requests[index].response = response
            case .noResponse(let note): notes.append(note)
            }
        }
    }

    /// Adds each sample as a further response to the first request: `import json URL FILE…` describes one endpoint.
    ///
    /// Without a request, the samples stay alone, and only models are made of them.
    private mutating func addSamplesToFirstRequest() {
        guard var request = requests.first else { return }
        for sample in samples {
            request.response = Response(head: ResponseHead(status: 200), body: sample.body)
            requests.append(request)
        }
    }

    /// Parses the samples as JSON. A sample may have several JSON documents, such as lines of JSON.
    ///
    /// - Throws: ``UsageError`` for a sample that is not JSON.
    func parseSamples() throws -> [JSONDocument] {
        let documentsBySample = try samples.map { sample in
            do {
                return try JSONDocument.all(in: sample.body)
            } catch {
                throw UsageError.notJSON(error, in: sample.name)
            }
        }
        return InferredModels.samples(documentsBySample)
    }
}

extension HAR {
    /// Parses a recording (HTTP Archive).
    ///
    /// - Parameters:
    ///   - text: The content of the file.
    ///   - name: The name of the file, for messages.
    ///   - keepsFiles: Whether requests for files of web pages, such as images, are kept.
    /// - Throws: ``UsageError`` if the text is not a recording.
    init(_ text: [UInt8], in name: String, keepsFiles: Bool = false) throws(UsageError) {
        do {
            try self.init(text, keepsFiles: keepsFiles)
        } catch let error as ImportError {
            throw UsageError("\(name): \(error.text)")
        } catch {
            // An error at the very end means that the document is incomplete.
            let isCutOff = (error as? JSONSyntaxError)?.offset == text.count
            let hint = isCutOff ? "; is the recording cut off?" : ""
            throw UsageError.notJSON(error, in: name, hint: hint)
        }
    }
}
