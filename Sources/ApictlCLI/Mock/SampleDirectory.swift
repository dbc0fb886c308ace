import EndpointKit
import EndpointTools
import JSONText
import MockServer
import Synchronization

/// The files of `--samples`: those of a directory, or those that an HTTP archive stands for.
///
/// A directory is listed at each request, so that files can be added and changed while the server runs.
final class SampleDirectory: Sendable {
    /// A file whose name says which calls get its response.
    private struct SampleFile {
        let file: String
        let name: SampleName
    }

    /// Identifies files that respond to the same calls in turn.
    private struct FileSequence: Hashable {
        let endpoint: String
        let parameters: [SampleFileParameter]
        /// The status that was asked for.
        let status: Int?
    }

    private static let archiveExtension = ".har"

    private let path: String
    private let files: any FileSystem
    /// The contents of the files that an archive stands for; nil for a directory.
    private let recorded: [String: [UInt8]]?
    private let routes: [CallRoute]
    /// The number of responses that each sequence has given.
    private let counts = Mutex<[FileSequence: Int]>([:])

    /// Opens a directory or an archive, and checks its files.
    ///
    /// A file that can't be used is only reported, because it may be changed while the server runs.
    ///
    /// - Parameters:
    ///   - path: The directory, or an archive with the extension `.har`.
    ///   - files: The file system.
    ///   - routes: The endpoints that are served.
    ///   - report: Receives a line about each file that can't be used.
    /// - Throws: ``FileError`` if the directory or archive can't be read, and ``UsageError`` if it is not an archive.
    init(
        _ path: String, _ files: any FileSystem, _ routes: CallRoutes, report: @Sendable (String) -> Void
    ) throws {
        self.path = path
        self.files = files
        self.routes = routes.mounts.flatMap(\.endpoints)
        if path.lowercased().hasSuffix(Self.archiveExtension) {
            recorded = try RecordedSamples(try files.readAll(path), path, routes, report: report).files
        } else {
            recorded = nil
        }
        // A directory can be opened, but not read.
        let isFile = recorded == nil && !files.isStream(path) && (try? files.open(path).read(until: nil)) != nil
        if isFile { throw UsageError("--samples \(path): expected a directory or a .har file") }
        for file in try fileNames() {
            do {
                try check(file)
            } catch {
                report(Failure(error).message)
            }
        }
    }

    // MARK: Files

    /// Returns the names of all files except pipes, which could block, and hidden files, which may be incomplete.
    private func fileNames() throws -> [String] {
        let names = try recorded?.keys.sorted() ?? files.list(path).filter { !files.isStream("\(path)/\($0)") }
        return names.filter { !$0.hasPrefix(".") }
    }

    /// Returns the files whose names have the right form.
    private func sampleFiles() throws -> [SampleFile] {
        try fileNames().compactMap { file in
            guard let name = SampleName(file) else { return nil }
            return SampleFile(file: file, name: name)
        }
    }

    /// The names of the endpoints that have files with bodies; empty if the directory can't be read.
    var endpoints: Set<String> {
        let bodies = (try? sampleFiles())?.map(\.name).filter { !$0.isOfHeaders }
        return Set(bodies?.map(\.endpoint) ?? [])
    }

    /// Returns the content of a file of the archive or directory.
    private func read(_ file: String) throws -> [UInt8] {
        try recorded?[file] ?? files.readAll("\(path)/\(file)")
    }

    /// Returns the parameters of the calls for which there are files, such as `id=550`, as far as a message has room.
    ///
    /// - Parameter endpoint: The name of the endpoint.
    func parameters(of endpoint: String) -> [String] {
        let names = ((try? sampleFiles()) ?? []).map(\.name).filter { $0.endpoint == endpoint && !$0.isOfHeaders }
        let texts = names.map { $0.parameters.map { "\($0.name)=\($0.text)" }.joined(separator: " ") }
        return Array(texts.filter { !$0.isEmpty }.withoutRepetitions.prefix(5))
    }

    // MARK: Responses

    /// Returns the next response to a call; nil if no file fits.
    ///
    /// The files with the most parameters that fit the call respond in turn, in the order of their numbers. Of two
    /// files with the same number, the success responds.
    ///
    ///     movies.video.json             all calls, except for id=550
    ///     movies.video@id=550.json      the first, third, … call with id=550
    ///     movies.video@id=550.2.json    the second, fourth, … call with id=550
    ///
    /// - Parameters:
    ///   - reading: The call.
    ///   - status: The status that `--status` chooses; nil without it. Only files with this status respond then. If
    ///     there are none and the status is a success, other successes respond.
    /// - Throws: ``UsageError`` and ``FileError`` if a file can't be used.
    func response(to reading: CallReading, status: Int?) throws -> Response? {
        let all = try sampleFiles().filter { $0.name.endpoint == reading.declaration.name }
        let fitting = fitting(all, reading, status: status)
        guard let best = fitting.map(\.name).max(by: Self.isLessSpecific) else { return nil }
        let turns = Self.turns(of: best, among: fitting)
        let sequence = FileSequence(endpoint: best.endpoint, parameters: best.parameters, status: status)
        // Files are read within the lock, so that two calls at the same time get different turns.
        return try counts.withLock { counts in
            let count = counts[sequence, default: 0]
            let sample = turns[count % turns.count]
            let headersFile = all.first { $0.name == sample.name.headersName }?.file
            let headers = try headersFile.map(headers) ?? []
            let response = try response(sample, of: reading.route.endpoint, headers)
            // HEAD asks about the response that the next GET will get, so that it takes no turn. A file with an error
            // has thrown before this line: it has its turn again once it is corrected.
            if reading.request.method != "HEAD" { counts[sequence] = count + 1 }
            return response
        }
    }

    /// Returns the files with bodies whose parameters fit the call, and whose status is the chosen one.
    ///
    /// - Parameters:
    ///   - all: The files of the endpoint.
    ///   - reading: The call.
    ///   - status: The chosen status, as in ``response(to:status:)``.
    private func fitting(_ all: [SampleFile], _ reading: CallReading, status: Int?) -> [SampleFile] {
        let parameters = SampleFileParameter.all(of: reading.call, reading.declaration, reading.pageItems)
        let fitting = all.filter { sample in
            !sample.name.isOfHeaders && sample.name.fits(parameters, reading.declaration.signature)
        }
        guard let status else { return fitting }
        let exact = fitting.filter { $0.name.status == status }
        let isSuccess = status < 300
        return exact.isEmpty && isSuccess ? fitting.filter { !$0.name.isFailure } : exact
    }

    /// Returns whether the first name is less specific: it has fewer parameters.
    ///
    /// Of names with equally many, the first in alphabetical order counts as the most specific, so that the choice is
    /// always the same.
    private static func isLessSpecific(_ first: SampleName, _ second: SampleName) -> Bool {
        if first.parameters.count != second.parameters.count { return first.parameters.count < second.parameters.count }
        return first.text > second.text
    }

    /// Returns the files that respond in turn: those with the same parameters as `best`, one for each number.
    ///
    /// If several files have a number, a success comes before a failure, and then the alphabetical order decides.
    private static func turns(of best: SampleName, among files: [SampleFile]) -> [SampleFile] {
        let candidates = files.filter { Set($0.name.parameters) == Set(best.parameters) }.sorted { first, second in
            if first.name.number != second.name.number { return first.name.number < second.name.number }
            if first.name.isFailure != second.name.isFailure { return second.name.isFailure }
            return first.name.text < second.name.text
        }
        var turns: [SampleFile] = []
        for candidate in candidates where candidate.name.number != turns.last?.name.number { turns.append(candidate) }
        return turns
    }

    /// Returns the response that a file and its headers stand for.
    ///
    /// - Parameters:
    ///   - sample: The file with the body.
    ///   - endpoint: The endpoint, which tells the content type and whether an empty body is allowed.
    ///   - headers: The lines of the file with headers; empty if there is no such file.
    /// - Throws: ``UsageError`` and ``FileError`` if the file can't be used.
    private func response(
        _ sample: SampleFile, of endpoint: Endpoint, _ headers: [HTTPField]
    ) throws -> Response {
        let name = sample.name
        let body = try read(sample.file)
        try checkJSON(body, sample, of: endpoint)
        let status = name.status ?? endpoint.sampleStatus(isEmpty: body.isEmpty)
        var head = ResponseHead(status: status, fields: headers)
        if !body.isEmpty, head["Content-Type"] == nil {
            head.fields.insert(.init("Content-Type", Self.contentType(of: name, endpoint)), at: 0)
        }
        return Response(head: head, body: body)
    }

    /// Returns the content type of a file.
    ///
    /// The type of the endpoint's own sample is more exact than the type of the file's extension, such as
    /// `application/vnd.api+json` for `.json`. It counts if both stand for the same extension.
    private static func contentType(of name: SampleName, _ endpoint: Endpoint) -> String {
        guard let type = endpoint.sample?.contentType, !type.isEmpty,
            SampleName.fileExtension(for: type) == name.fileExtension
        else { return name.contentType }
        return type
    }

    /// Checks that a file with the extension `.json` is one document of JSON.
    ///
    /// It may be empty for a failure, for the status 204, and for an endpoint whose response is not JSON.
    ///
    /// - Throws: ``UsageError`` with the place of the error.
    private func checkJSON(_ body: [UInt8], _ sample: SampleFile, of endpoint: Endpoint) throws {
        guard sample.name.fileExtension == "json" else { return }
        let mayBeEmpty = endpoint.response.kind != .json || sample.name.status == 204 || sample.name.isFailure
        if body.isEmpty && mayBeEmpty { return }
        do {
            _ = try JSONDocument(body)
        } catch {
            throw UsageError.notJSON(error, in: "\(path)/\(sample.file)")
        }
    }

    /// Reads a file with a header in each line. Headers of the connection are left out, because the server sets its
    /// own.
    ///
    /// - Throws: ``UsageError`` for a line in another form, and ``FileError``.
    private func headers(_ file: String) throws -> [HTTPField] {
        var headers: [HTTPField] = []
        let lineFeed = UInt8(ascii: "\n")
        let lines = try read(file).split(separator: lineFeed, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if text.isEmpty { continue }
            guard let header = HTTPField(line: text) else {
                throw problem("\(file):\(index + 1):1", "expected 'Name: value'")
            }
            if !HTTPField.ofConnection.contains(header.name.lowercased()) { headers.append(header) }
        }
        return headers
    }

    // MARK: Checks

    /// Checks the name and the content of a file. A file for an API that is not served is not checked.
    ///
    /// - Throws: ``UsageError`` and ``FileError`` if the file can't be used.
    private func check(_ file: String) throws {
        guard let name = SampleName(file) else {
            throw problem(file, "expected a name such as movies.video@id=550.json")
        }
        guard let route = routes.first(where: { $0.declaration.name == name.endpoint }) else {
            try checkIsOfOtherAPI(file, name)
            return
        }
        try checkParameters(of: name, file, route)
        if name.isOfHeaders {
            _ = try headers(file)
        } else {
            _ = try response(SampleFile(file: file, name: name), of: route.endpoint, [])
        }
    }

    /// Checks that a file of an unknown endpoint is for an API that is not served. Such files may be in the directory
    /// too.
    ///
    /// - Throws: ``UsageError`` if the file is for an API that is served, but has no such endpoint.
    private func checkIsOfOtherAPI(_ file: String, _ name: SampleName) throws {
        let isServed = routes.contains { name.endpoint.hasPrefix($0.declaration.api.name + ".") }
        guard isServed else { return }
        let question = NearestWord.question(name.endpoint, in: routes.map(\.declaration.name))
        throw problem(file, "no endpoint '\(name.endpoint)'\(question)")
    }

    /// Checks that the endpoint has the parameters in the name of a file.
    ///
    /// - Throws: ``UsageError`` if the endpoint does not have a parameter.
    private func checkParameters(of name: SampleName, _ file: String, _ route: CallRoute) throws {
        let signature = route.declaration.signature
        let known = signature.parameters.map { signature.shownName(of: $0.name) } + [SampleFileParameter.hashName]
        guard let unknown = name.parameters.first(where: { !known.contains($0.name) }) else { return }
        let question = NearestWord.question(unknown.name, in: known)
        // For an endpoint with pages, an unknown name may be that of a query item which chooses a page. A name that
        // looks like a misspelled parameter is an error nevertheless.
        if route.endpoint.pages != nil, question.isEmpty { return }
        throw problem(file, "no parameter '\(unknown.name)'\(question)")
    }

    /// Returns the error about a file, with its path.
    private func problem(_ file: String, _ problem: String) -> UsageError { UsageError("\(path)/\(file): \(problem)") }
}
