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
        /// The name as the directory has it.
        let fileName: String
        /// The name as it is read.
        let name: SampleName
    }

    /// Identifies files that respond to the same calls in turn.
    private struct FileSequence: Hashable {
        let endpoint: String
        let parameters: Set<SampleFileParameter>
        /// The status that `--status` chooses; nil without it.
        let chosenStatus: Int?

        init(of name: SampleName, chosenStatus: Int?) {
            endpoint = name.endpoint
            parameters = Set(name.parameters)
            self.chosenStatus = chosenStatus
        }
    }

    private static let archiveExtension = ".har"
    /// The most calls that a message names as those that have samples.
    private static let maxShownCalls = 5

    private let path: String
    private let files: any FileSystem
    /// The contents of the files that an archive stands for, by their names; nil for a directory.
    private let archiveFiles: [String: [UInt8]]?
    private let routes: [CallRoute]
    /// The number of responses that each sequence has given.
    private let responseCounts = Mutex<[FileSequence: Int]>([:])

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
        _ path: String, in files: any FileSystem, routes: CallRoutes, report: @Sendable (String) -> Void
    ) throws {
        self.path = path
        self.files = files
        self.routes = routes.mounts.flatMap(\.endpoints)
        if path.lowercased().hasSuffix(Self.archiveExtension) {
            let archive = try files.readAll(path)
            archiveFiles = try ArchiveSamples(archive, name: path, routes: routes, report: report).files
        } else {
            archiveFiles = nil
            // A directory can be opened, but not read. A pipe is not read, because that could block.
            let isFile = !files.isStream(path) && (try? files.open(path).read(until: nil)) != nil
            if isFile { throw UsageError("--samples \(path): expected a directory or a .har file") }
        }
        for fileName in try fileNames() {
            do {
                try check(fileName)
            } catch {
                report(Failure(error).message)
            }
        }
    }

    // MARK: Files

    /// Returns the names of all files except pipes, which could block, and hidden files, which may be incomplete.
    private func fileNames() throws -> [String] {
        let names: [String]
        if let archiveFiles {
            names = archiveFiles.keys.sorted()
        } else {
            names = try files.list(path).filter { !files.isStream("\(path)/\($0)") }
        }
        return names.filter { !$0.hasPrefix(".") }
    }

    /// Returns the files whose names have the form of ``SampleName``.
    private func sampleFiles() throws -> [SampleFile] {
        try fileNames().compactMap { fileName in
            guard let name = SampleName(fileName) else { return nil }
            return SampleFile(fileName: fileName, name: name)
        }
    }

    /// The names of the files with bodies, as opposed to headers; empty if the directory can't be read.
    private var bodyNames: [SampleName] {
        let sampleFiles = (try? sampleFiles()) ?? []
        return sampleFiles.map(\.name).filter { !$0.isOfHeaders }
    }

    /// The names of the endpoints that have files with bodies; empty if the directory can't be read.
    var endpoints: Set<String> { Set(bodyNames.map(\.endpoint)) }

    /// Returns the content of a file of the archive or directory.
    private func read(_ fileName: String) throws -> [UInt8] {
        try archiveFiles?[fileName] ?? files.readAll("\(path)/\(fileName)")
    }

    /// Returns the parameters of the calls for which there are files, such as `id=550`, for a message. Only the first
    /// few are returned.
    ///
    /// - Parameter endpoint: The name of the endpoint.
    func parameters(of endpoint: String) -> [String] {
        let names = bodyNames.filter { $0.endpoint == endpoint && !$0.parameters.isEmpty }
        let texts = names.map { name in
            name.parameters.map { "\($0.name)=\($0.text)" }.joined(separator: " ")
        }
        return Array(texts.withoutRepetitions.prefix(Self.maxShownCalls))
    }

    // MARK: Responses

    /// Returns the response of the file whose turn it is. The next call of the same kind gets the next file.
    ///
    /// If several files fit the call, those with the most parameters respond in turn, in the order of their numbers. If
    /// two of them have the same number, the success responds.
    ///
    ///     movies.video.json             all calls, except for id=550
    ///     movies.video@id=550.json      the first, third, … call with id=550
    ///     movies.video@id=550.2.json    the second, fourth, … call with id=550
    ///
    /// - Parameters:
    ///   - call: The call of an endpoint, with its parameters.
    ///   - chosenStatus: The status that `--status` chooses; nil without it. Only files with this status respond then.
    ///     If there are none and the status is a success, other successes respond.
    /// - Returns: The response; nil if no file fits.
    /// - Throws: ``UsageError`` and ``FileError`` if a file can't be used.
    func takeNextResponse(to call: ReceivedCall, chosenStatus: Int?) throws -> Response? {
        let filesOfEndpoint = try sampleFiles().filter { $0.name.endpoint == call.declaration.name }
        let fittingFiles = Self.bodyFiles(among: filesOfEndpoint, fitting: call, chosenStatus: chosenStatus)
        guard let mostSpecific = fittingFiles.map(\.name).max(by: Self.isLessSpecific) else { return nil }
        let filesInTurn = Self.filesInTurn(among: fittingFiles, withParametersOf: mostSpecific)
        let sequence = FileSequence(of: mostSpecific, chosenStatus: chosenStatus)
        // Files are read within the lock, so that two calls at the same time get different turns.
        return try responseCounts.withLock { counts in
            let turn = counts[sequence, default: 0]
            let file = filesInTurn[turn % filesInTurn.count]
            let headersFile = filesOfEndpoint.first { $0.name == file.name.headersName }
            let response = try readResponse(in: file, headersFile: headersFile, of: call.route.endpoint)
            // HEAD asks about the response that the next GET will get, so that it takes no turn. A file with an error
            // has thrown before this line: it has its turn again once it is corrected.
            if call.request.method != "HEAD" { counts[sequence] = turn + 1 }
            return response
        }
    }

    /// Returns the files with bodies, as opposed to headers, whose parameters fit a call and whose status is the chosen
    /// one.
    ///
    /// - Parameters:
    ///   - filesOfEndpoint: The files of the call's endpoint.
    ///   - call: The call of an endpoint, with its parameters.
    ///   - chosenStatus: The status that `--status` chooses; nil for any. If no file has it and it is a success, all
    ///     successes are returned.
    private static func bodyFiles(
        among filesOfEndpoint: [SampleFile], fitting call: ReceivedCall, chosenStatus: Int?
    ) -> [SampleFile] {
        let parameters = SampleFileParameter.parameters(
            of: call.call, declaration: call.declaration, pageItems: call.pageItems)
        let fittingFiles = filesOfEndpoint.filter { file in
            !file.name.isOfHeaders && file.name.fits(parameters, of: call.declaration.signature)
        }
        guard let chosenStatus else { return fittingFiles }
        let filesWithStatus = fittingFiles.filter { $0.name.status == chosenStatus }
        let isSuccess = chosenStatus < 300
        if filesWithStatus.isEmpty && isSuccess { return fittingFiles.filter { !$0.name.isFailure } }
        return filesWithStatus
    }

    /// Whether the first name is less specific: it has fewer parameters.
    ///
    /// Of names with equally many, the first in alphabetical order counts as the most specific, so that the choice is
    /// always the same.
    private static func isLessSpecific(_ first: SampleName, _ second: SampleName) -> Bool {
        if first.parameters.count != second.parameters.count { return first.parameters.count < second.parameters.count }
        return first.text > second.text
    }

    /// Returns the files that respond in turn: one file for each number, in the order of the numbers.
    ///
    /// If several files have the same number, a success comes before a failure, and then the alphabetical order
    /// decides.
    ///
    /// - Parameters:
    ///   - fittingFiles: The files that fit the call.
    ///   - mostSpecific: The name whose parameters the files in the result have, in any order.
    private static func filesInTurn(
        among fittingFiles: [SampleFile], withParametersOf mostSpecific: SampleName
    ) -> [SampleFile] {
        let candidates = fittingFiles.filter { Set($0.name.parameters) == Set(mostSpecific.parameters) }
        let filesOfNumber = Dictionary(grouping: candidates, by: \.name.number)
        return filesOfNumber.sorted { $0.key < $1.key }.compactMap { _, files in
            let successes = files.filter { !$0.name.isFailure }
            let preferred = successes.isEmpty ? files : successes
            return preferred.min { $0.name.text < $1.name.text }
        }
    }

    /// Reads the response that a file with a body stands for.
    ///
    /// - Parameters:
    ///   - file: The file with the body.
    ///   - headersFile: The file with the headers of the same response; nil if there is none.
    ///   - endpoint: The endpoint, which tells the content type and whether an empty body is allowed.
    /// - Throws: ``UsageError`` and ``FileError`` if a file can't be used.
    private func readResponse(
        in file: SampleFile, headersFile: SampleFile?, of endpoint: Endpoint
    ) throws -> Response {
        let headers = try headersFile.map { try readHeaders($0.fileName) } ?? []
        let body = try read(file.fileName)
        try checkJSON(body, in: file, of: endpoint)
        let status = file.name.status ?? endpoint.sampleStatus(isEmpty: body.isEmpty)
        var head = ResponseHead(status: status, fields: headers)
        if !body.isEmpty, head["Content-Type"] == nil {
            head.fields.insert(HTTPField("Content-Type", Self.contentType(of: file.name, endpoint: endpoint)), at: 0)
        }
        return Response(head: head, body: body)
    }

    /// Returns the content type of a file.
    ///
    /// The type of the endpoint's own sample is more exact than the type of the file's extension, such as
    /// `application/vnd.api+json` for `.json`. It counts if both stand for the same extension.
    private static func contentType(of name: SampleName, endpoint: Endpoint) -> String {
        guard let type = endpoint.sample?.contentType, !type.isEmpty,
            SampleFileType.fileExtension(forContentType: type) == name.fileExtension
        else { return name.contentType }
        return type
    }

    /// Reads a file with a header in each line. Headers of the connection are left out, because the server sets its
    /// own.
    ///
    /// - Throws: ``UsageError`` for a line in another form, and ``FileError``.
    private func readHeaders(_ fileName: String) throws -> [HTTPField] {
        var headers: [HTTPField] = []
        let lines = try read(fileName).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            if text.isEmpty { continue }
            guard let header = HTTPField(line: text) else {
                throw usageError("\(fileName):\(index + 1):1", problem: "expected 'Name: value'")
            }
            if !HTTPField.ofConnection.contains(header.name.lowercased()) { headers.append(header) }
        }
        return headers
    }

    // MARK: Checks

    /// Checks the name and the content of a file. A file for an API that is not served is not checked.
    ///
    /// - Throws: ``UsageError`` and ``FileError`` if the file can't be used.
    private func check(_ fileName: String) throws {
        guard let name = SampleName(fileName) else {
            throw usageError(fileName, problem: "expected a name such as movies.video@id=550.json")
        }
        guard let route = routes.first(where: { $0.declaration.name == name.endpoint }) else {
            try checkAPIIsNotServed(of: name, fileName: fileName)
            return
        }
        try checkParameters(of: name, fileName: fileName, route: route)
        try checkContent(of: SampleFile(fileName: fileName, name: name), endpoint: route.endpoint)
    }

    /// Checks that a file can be read as the body or the headers of a response.
    ///
    /// - Throws: ``UsageError`` and ``FileError`` if it can't.
    private func checkContent(of file: SampleFile, endpoint: Endpoint) throws {
        if file.name.isOfHeaders {
            _ = try readHeaders(file.fileName)
        } else {
            _ = try readResponse(in: file, headersFile: nil, of: endpoint)
        }
    }

    /// Checks that a file of an unknown endpoint is for an API that is not served. Such files may be in the directory
    /// too.
    ///
    /// - Throws: ``UsageError`` if the file is for an API that is served, but has no such endpoint.
    private func checkAPIIsNotServed(of name: SampleName, fileName: String) throws {
        let isServed = routes.contains { name.endpoint.hasPrefix($0.declaration.api.name + ".") }
        guard isServed else { return }
        let suggestion = NearestWord.question(name.endpoint, in: routes.map(\.declaration.name))
        throw usageError(fileName, problem: "no endpoint '\(name.endpoint)'\(suggestion)")
    }

    /// Checks that the endpoint has the parameters in the name of a file.
    ///
    /// `movies.details@langage=en.json` → `no parameter 'langage'; did you mean 'language'?`
    ///
    /// - Parameters:
    ///   - name: The name of the file as it is read.
    ///   - fileName: The name of the file, for messages.
    ///   - route: The route of the endpoint.
    /// - Throws: ``UsageError`` if the endpoint does not have a parameter.
    private func checkParameters(of name: SampleName, fileName: String, route: CallRoute) throws {
        let signature = route.declaration.signature
        let names = signature.parameters.map { signature.shownName(of: $0.name) } + [SampleFileParameter.hashName]
        guard let unknown = name.parameters.first(where: { !names.contains($0.name) }) else { return }
        let suggestion = NearestWord.question(unknown.name, in: names)
        // For an endpoint with pages, an unknown name may be that of a query item which chooses a page. A name that
        // looks like a misspelled parameter is an error nevertheless.
        if route.endpoint.pages != nil, suggestion.isEmpty { return }
        throw usageError(fileName, problem: "no parameter '\(unknown.name)'\(suggestion)")
    }

    /// Checks that the content of a file with the extension `.json` is one document of JSON.
    ///
    /// It may be empty for a failure, for the status 204, and for an endpoint whose response is not JSON.
    ///
    /// - Throws: ``UsageError`` with line and column of the error.
    private func checkJSON(_ body: [UInt8], in file: SampleFile, of endpoint: Endpoint) throws {
        guard file.name.fileExtension == "json" else { return }
        let mayBeEmpty = endpoint.response.kind != .json || file.name.status == 204 || file.name.isFailure
        if body.isEmpty && mayBeEmpty { return }
        do {
            _ = try JSONDocument(body)
        } catch {
            throw UsageError.notJSON(error, in: "\(path)/\(file.fileName)")
        }
    }

    /// Returns the error about a file of the directory.
    ///
    /// - Parameters:
    ///   - fileName: The name of the file. Line and column may follow it.
    ///   - problem: The text after the path of the file.
    private func usageError(_ fileName: String, problem: String) -> UsageError {
        UsageError("\(path)/\(fileName): \(problem)")
    }
}
