import EndpointKit
import EndpointTools
import JSONText
import MockServer
import Synchronization

/// The files of `--samples`: those of a directory, which are looked for at each request, or what an HTTP archive has in their place.
final class SampleDirectory: Sendable {
    private static let archiveExtension = ".har"

    private let path: String
    private let files: any FileSystem
    /// The files that stand for an archive; nil for a directory.
    private let recorded: [String: [UInt8]]?
    private let routes: [CallRoute]
    /// How often each sequence of files was asked for: a name without number and extension.
    private let counts = Mutex<[SampleName: Int]>([:])

    /// Calls `report` with a line about each file in `path` that can't be used.
    ///
    /// Throws ``FileError`` if there is no such directory, and ``UsageError`` for an archive that is none.
    init(
        _ path: String, _ files: any FileSystem, _ routes: CallRoutes, report: @Sendable (String) -> Void
    ) throws {
        (self.path, self.files, self.routes) = (path, files, routes.mounts.flatMap(\.endpoints))
        if path.lowercased().hasSuffix(Self.archiveExtension) {
            let text = try files.readAll(path)
            recorded = try RecordedSamples(text, path, routes, report: report).files
        } else {
            recorded = nil
        }
        for (file, name) in try list() {
            do { try check(file, name) } catch { report(Failure(error).message) }
        }
    }

    /// The files but for hidden ones, such as one that is still being written, and pipes, and what their names say.
    private func list() throws -> [(file: String, name: SampleName?)] {
        let names = try recorded?.keys.sorted() ?? files.list(path).filter { !files.isStream("\(path)/\($0)") }
        return names.filter { !$0.hasPrefix(".") }.map { ($0, SampleName($0)) }
    }

    /// The names of the endpoints that have files.
    var endpoints: Set<String> {
        Set((try? list())?.compactMap(\.name).filter { !$0.areHeaders }.map(\.endpoint) ?? [])
    }

    /// The response to a call; nil if no file has one.
    ///
    /// Of several files, the one with the most parameters; with a `status`, only files with that status, or else for a success, files without
    /// a status. Files for the same parameters take turns; a failure responds only if there is no success with its number. Throws
    /// ``UsageError`` and ``FileError``.
    func response(to reading: CallReading, status: Int?) throws -> Response? {
        let call = SampleFileParameter.all(of: reading.call, reading.declaration, reading.pageItems)
        let all = try list().compactMap { file, name in name.map { (file: file, name: $0) } }
            .filter { $0.name.endpoint == reading.declaration.name }
        var fitting = all.filter { !$0.name.areHeaders && $0.name.fits(call, reading.declaration.signature) }
        if let status {
            let chosen = fitting.filter { $0.name.status == status }
            fitting = chosen.isEmpty && status < 300 ? fitting.filter { !$0.name.isFailure } : chosen
        }
        let best = fitting.map(\.name).max { ($0.parameters.count, $1.text) < ($1.parameters.count, $0.text) }
        guard var sequence = best else { return nil }
        var turns: [(file: String, name: SampleName)] = []
        for file in fitting.sorted(by: { $0.name.turn < $1.name.turn })
        where Set(file.name.parameters) == Set(sequence.parameters) && turns.last?.name.number != file.name.number {
            turns.append(file)
        }
        (sequence.number, sequence.status, sequence.fileExtension) = (1, status, "")
        return try counts.withLock { counts in
            let count = counts[sequence, default: 0]
            let (file, name) = turns[count % turns.count]
            let headersFile = all.first { $0.name == name.headers }?.file
            let response = try response(file, name, of: reading.route.endpoint, headersFile.map(headers) ?? [])
            // HEAD asks about the response to the next GET; a file with an error has its turn once it is mended.
            if reading.request.method != "HEAD" { counts[sequence] = count + 1 }
            return response
        }
    }

    /// Throws ``UsageError`` and ``FileError`` if the file can't be used; it may be about an API that is not served.
    private func check(_ file: String, _ name: SampleName?) throws {
        guard let name else { throw problem(file, "expected a name such as movies.video@id=550.json") }
        guard let route = routes.first(where: { $0.declaration.name == name.endpoint }) else {
            guard routes.contains(where: { name.endpoint.hasPrefix($0.declaration.api.name + ".") }) else { return }
            let question = NearestWord.question(name.endpoint, in: routes.map(\.declaration.name))
            throw problem(file, "no endpoint '\(name.endpoint)'\(question)")
        }
        let signature = route.declaration.signature
        let known = signature.parameters.map { signature.shownName(of: $0.name) } + [SampleFileParameter.hashName]
        if let parameter = name.parameters.first(where: { !known.contains($0.name) }) {
            let question = NearestWord.question(parameter.name, in: known)
            // It may be a query item that chooses a page.
            if route.endpoint.pages == nil || !question.isEmpty {
                throw problem(file, "no parameter '\(parameter.name)'\(question)")
            }
        }
        if name.areHeaders { _ = try headers(file) } else { _ = try response(file, name, of: route.endpoint, []) }
    }

    private func problem(_ file: String, _ problem: String) -> UsageError { UsageError("\(path)/\(file): \(problem)") }

    private func read(_ file: String) throws -> [UInt8] {
        if let body = recorded?[file] { return body }
        let path = "\(path)/\(file)"
        return try files.readAll(path)
    }

    private func headers(_ file: String) throws -> [ResponseHead.Field] {
        var headers: [ResponseHead.Field] = []
        for (index, line) in try read(file).split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let text = line.last == 0x0D ? line.dropLast() : line
            if text.isEmpty { continue }
            guard let header = ResponseHead.Field(line: text) else {
                throw problem("\(file):\(index + 1):1", "expected 'Name: value'")
            }
            if !Header.ofConnection.contains(header.name.lowercased()) { headers.append(header) }
        }
        return headers
    }

    private func response(
        _ file: String, _ name: SampleName, of endpoint: Endpoint, _ headers: [ResponseHead.Field]
    ) throws -> Response {
        let body = try read(file)
        let mayBeEmpty = endpoint.response.kind != .json || name.status == 204 || name.isFailure
        do {
            if name.fileExtension == "json", !(body.isEmpty && mayBeEmpty) { _ = try JSONDocument(body) }
        } catch {
            throw UsageError.notJSON(error, in: "\(path)/\(file)")
        }
        var head = ResponseHead(status: name.status ?? endpoint.sampleStatus(isEmpty: body.isEmpty), fields: headers)
        if !body.isEmpty, head["Content-Type"] == nil {
            // The sample's own type is more exact than that of an extension.
            let own = endpoint.sample?.contentType ?? ""
            let isSame = !own.isEmpty && SampleName.fileExtension(for: own) == name.fileExtension
            head.fields.insert(.init("Content-Type", isSame ? own : name.contentType), at: 0)
        }
        return Response(head: head, body: body)
    }
}

/// The name of a file with a response, which says what it responds to.
///
///     movies.video.json                 any call of the endpoint
///     movies.video@id=550&page=2.json   calls with these parameters
///     movies.video.2.json               the second such call
///     movies.video!503.json             with that status
///     movies.video!503.headers          the headers of that one
///
/// Values are percent-encoded, also dots.
struct SampleName: Sendable, Hashable {
    var endpoint: String
    var parameters: [SampleFileParameter] = []
    var number = 1
    var status: Int?
    var fileExtension = ""

    private static let headersExtension = "headers"
    /// The most bytes of a recorded name before its number; a file system allows 255 in all.
    private static let maxStem = 200

    /// Nil if `name` does not have that form.
    init?(_ name: String) {
        var stem = name[...]
        /// Cuts off what follows the last `mark`.
        func tail(_ mark: Character) -> Substring? {
            guard let start = stem.lastIndex(of: mark) else { return nil }
            defer { stem = stem[..<start] }
            return stem[start...].dropFirst()
        }
        guard let ending = tail("."), !ending.isEmpty else { return nil }
        fileExtension = String(ending)
        if let text = tail("!") {
            guard let status = Int(text), (200...999).contains(status) else { return nil }
            self.status = status
        }
        if let dot = stem.lastIndex(of: "."), let number = Int(stem[dot...].dropFirst()), number > 0 {
            self.number = number
            stem = stem[..<dot]
        }
        let parts = stem.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        for pair in parts.dropFirst().flatMap({ $0.split(separator: "&", omittingEmptySubsequences: false) }) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { return nil }
            let name = KebabCase.text(PercentEncoding.decode(parts[0]))
            parameters.append(SampleFileParameter(name, PercentEncoding.decode(parts[1])))
        }
        guard parts[0].contains(".") else { return nil }
        endpoint = KebabCase.text(String(parts[0]))
    }

    /// The name for a response to a call without what `redactor` knows; a hash stands for parameters for which a file's name has no room.
    init(
        recording call: EndpointCall?, of declaration: EndpointDeclaration, _ pageItems: [ResponseHead.Field],
        _ redactor: Redactor = Redactor()
    ) {
        endpoint = declaration.name
        parameters = SampleFileParameter.all(of: call, declaration, pageItems)
            .filter { $0.isRecorded(of: declaration.signature) && redactor.redact($0.text) == $0.text }
        if stem.utf8.count > Self.maxStem { parameters = [.hash(parameters)] }
    }

    /// Whether it responds to a call with those parameters.
    fileprivate func fits(_ call: [SampleFileParameter], _ signature: Signature) -> Bool {
        parameters.allSatisfy { parameter in
            parameter.name == SampleFileParameter.hashName
                ? parameter == .hash(call.filter { $0.isRecorded(of: signature) })
                : call.contains(SampleFileParameter(parameter.name, parameter.text, of: signature))
        }
    }

    var text: String {
        stem + (number == 1 ? "" : ".\(number)") + (status.map { "!\($0)" } ?? "") + "." + fileExtension
    }

    private var stem: String {
        func encoded(_ text: String) -> String { PercentEncoding.encode(text).replacingBytes(of: ".", with: "%2E") }
        let pairs = parameters.map { "\(encoded($0.name))=\(encoded($0.text))" }
        return endpoint + (pairs.isEmpty ? "" : "@" + pairs.joined(separator: "&"))
    }

    var isFailure: Bool { status.map { $0 >= 300 } ?? false }

    fileprivate var turn: (Int, Int, String) { (number, isFailure ? 1 : 0, text) }

    var areHeaders: Bool { fileExtension == Self.headersExtension }

    var headers: SampleName {
        var copy = self
        copy.fileExtension = Self.headersExtension
        return copy
    }
}

/// A parameter in a file's name.
struct SampleFileParameter: Sendable, Hashable {
    /// The name of what stands for all parameters.
    static let hashName = "hash"

    /// The parameter's flag without its dashes, or what help calls one without a flag.
    let name: String
    /// The value's text; those of an array joined by commas.
    let text: String

    init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }

    /// A parameter of a call, with numbers as they are written in one way.
    init(_ name: String, _ text: String, of signature: Signature) {
        let type = signature.parameters.first { signature.shownName(of: $0.name) == name }?.type ?? .scalar(.string)
        let parts = type.isArray ? text.split(separator: ",", omittingEmptySubsequences: false) : [text[...]]
        self.init(name, parts.map { type.canonicalText(String($0)) }.joined(separator: ","))
    }

    static func hash(_ parameters: [SampleFileParameter]) -> SampleFileParameter {
        let text = parameters.map { "\($0.name)=\($0.text)" }.joined(separator: "&")
        return SampleFileParameter(hashName, String(text.utf8.hash64, radix: 16))
    }

    /// The parameters of a call that are given, and the query items that choose a page.
    static func all(
        of call: EndpointCall?, _ declaration: EndpointDeclaration, _ pageItems: [ResponseHead.Field]
    ) -> [SampleFileParameter] {
        let given = call.flatMap { try? declaration.signature.filled(from: $0) }.map { call in
            call.parameters.filter { !$0.example.isEmpty }.map {
                SampleFileParameter(call.shownName(of: $0.name), $0.example.joined(separator: ","), of: call)
            }
        }
        return (given ?? []) + pageItems.map { SampleFileParameter(KebabCase.text($0.name), $0.value) }
    }

    /// Whether the parameter has a place in a recorded name: JSON has none, nor has a secret.
    func isRecorded(of signature: Signature) -> Bool {
        let isJSON = signature.parameters.contains { $0.type.isJSON && signature.shownName(of: $0.name) == name }
        return !isJSON && !SecretName.isCredential(name) && !SecretRules.findsSecret(in: text)
    }
}

extension SampleName {
    /// Extensions of files with responses, and the content types that they stand for.
    private static let types = [
        ("json", "application/json"), ("jsonl", "application/jsonl"), ("txt", "text/plain; charset=utf-8"),
        ("html", "text/html; charset=utf-8"), ("css", "text/css"), ("csv", "text/csv"), ("xml", "application/xml"),
        ("svg", "image/svg+xml"), ("png", "image/png"), ("jpg", "image/jpeg"), ("gif", "image/gif"),
        ("webp", "image/webp"), ("pdf", "application/pdf"), ("zip", "application/zip"),
    ]

    var contentType: String { Self.types.first { $0.0 == fileExtension }?.1 ?? "application/octet-stream" }

    /// The extension for a content type, whose parameters do not count.
    static func fileExtension(for contentType: String?) -> String {
        let type = contentType.map { $0.prefix { $0 != ";" }.lowercased() } ?? ""
        return types.first { $0.1.prefix { $0 != ";" } == type }?.0 ?? "bin"
    }
}

extension Endpoint {
    /// The status of a file without one.
    func sampleStatus(isEmpty: Bool) -> Int { isEmpty && isBodiless ? 204 : 200 }
}
