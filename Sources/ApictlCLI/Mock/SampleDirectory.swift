import EndpointKit
import JSONText
import MockServer
import Synchronization

/// The files of `--samples`, read again when one of them has changed.
final class SampleDirectory: Sendable {
    private struct State {
        /// What was in the directory when it was read; nil if it could not be.
        var entries: [FileEntry]?
        var responses: [(name: SampleName, response: Response)] = []
        /// A line about each file that can't be used.
        var problems: [String] = []
        /// How often each sequence of files was asked for: a name without number and extension.
        var counts: [SampleName: Int] = [:]
    }

    /// The largest file that is read, in bytes.
    private static let maxFileSize = 100_000_000
    /// Headers that the server sets itself.
    private static let framing = ["content-length", "transfer-encoding", "connection", "keep-alive", "upgrade"]

    private let path: String
    private let files: any FileSystem
    private let routes: [CallRoutes.Route]
    private let report: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Reads the files in `path` and calls `report` with a line about each one that can't be used.
    ///
    /// Throws ``FileError`` if there is no such directory.
    init(
        _ path: String, _ files: any FileSystem, _ routes: CallRoutes, report: @escaping @Sendable (String) -> Void
    ) throws {
        self.path = path
        self.files = files
        self.report = report
        self.routes = routes.mounts.flatMap(\.endpoints)
        _ = try files.list(path)
        state.withLock { update(&$0) }
    }

    /// The response to a call of `endpoint` with `parameters`; nil if no file has one.
    ///
    /// Of several files, the one with the most parameters; with a `status`, only files with that status. Files for the same parameters
    /// take turns; a failure responds only if there is no success with its number.
    func response(to endpoint: String, _ parameters: [SampleParameter], status: Int?) -> Response? {
        state.withLock { state in
            update(&state)
            let fitting = state.responses.filter { name, _ in
                name.endpoint == endpoint && (status == nil || name.status == status)
                    && name.parameters.allSatisfy(parameters.contains)
            }
            let best = fitting.max { one, other in
                (one.name.parameters.count, other.name.text) < (other.name.parameters.count, one.name.text)
            }
            guard var sequence = best?.name else { return nil }
            let sorted = fitting.filter { Set($0.name.parameters) == Set(sequence.parameters) }
                .sorted { $0.name.turn < $1.name.turn }
            var turns: [(name: SampleName, response: Response)] = []
            for file in sorted where turns.last?.name.number != file.name.number { turns.append(file) }
            (sequence.number, sequence.status, sequence.fileExtension) = (1, status, "")
            let count = state.counts[sequence, default: 0]
            state.counts[sequence] = count + 1
            return turns[count % turns.count].response
        }
    }

    /// Reads the directory again if it has changed, and reports problems that are new.
    private func update(_ state: inout State) {
        let old = state.problems
        do {
            let entries = try files.list(path)
            if state.entries == entries { return }
            (state.entries, state.responses, state.problems) = (entries, [], [])
            // Skip hidden files, such as one that is still being written.
            read(entries.map(\.name).filter { !$0.hasPrefix(".") }, into: &state)
        } catch {
            let reason = (error as? FileError)?.reason ?? "\(error)"
            (state.entries, state.responses) = (nil, [])
            state.problems = ["\(path) can't be read: \(reason); the samples respond"]
        }
        for problem in state.problems where !old.contains(problem) { report(problem) }
    }

    private func read(_ names: [String], into state: inout State) {
        var headers: [SampleName: [ResponseHead.Field]] = [:]
        let areHeaders = { (name: String) in name.hasSuffix("." + SampleName.headersExtension) }
        // The responses need their headers.
        for file in names.filter(areHeaders) + names.filter({ !areHeaders($0) }) {
            let path = path + "/" + file
            do {
                guard let (name, endpoint) = try called(file, path) else { continue }
                let bytes = try files.open(path).readAll(name: path, limit: Self.maxFileSize)
                if areHeaders(file) {
                    headers[name] = try Self.headers(bytes, path)
                } else {
                    let mayBeEmpty = endpoint.response.kind != .json || name.status == 204 || name.isFailure
                    if name.fileExtension == "json", !(bytes.isEmpty && mayBeEmpty) { _ = try JSONDocument(bytes) }
                    let response = Self.response(bytes, name, of: endpoint, headers[name.headers] ?? [])
                    state.responses.append((name, response))
                }
            } catch let problem as UsageError {
                state.problems.append(problem.text)
            } catch is JSONDocumentError {
                state.problems.append("\(path): it is not one JSON document")
            } catch let error as JSONSyntaxError {
                let problem = "expected \(error.expected), found \(error.found)"
                state.problems.append("\(path):\(error.line):\(error.column): \(problem)")
            } catch {
                state.problems.append("\(path): \((error as? FileError)?.reason ?? "\(error)")")
            }
        }
        state.problems.sort()
    }

    /// What the file of that name responds to; nil if it is about an API that is not served.
    private func called(_ file: String, _ path: String) throws(UsageError) -> (SampleName, Endpoint)? {
        guard let name = SampleName(file) else {
            throw UsageError("\(path): expected a name such as movies.video@id=550.json")
        }
        guard let route = routes.first(where: { $0.declaration.name == name.endpoint }) else {
            guard routes.contains(where: { name.endpoint.hasPrefix($0.declaration.api.name + ".") }) else { return nil }
            let question = Nearest.question(name.endpoint, in: routes.map(\.declaration.name))
            throw UsageError("\(path): no endpoint '\(name.endpoint)'\(question)")
        }
        let signature = route.declaration.signature
        let known = signature.parameters.map(signature.shownName)
        if let parameter = name.parameters.first(where: { !known.contains($0.name) }) {
            let question = Nearest.question(parameter.name, in: known)
            throw UsageError("\(path): no parameter '\(parameter.name)'\(question)")
        }
        return (name, route.endpoint)
    }

    private static func response(
        _ body: [UInt8], _ name: SampleName, of endpoint: Endpoint, _ headers: [ResponseHead.Field]
    ) -> Response {
        var head = ResponseHead(status: name.status ?? endpoint.sampleStatus(isEmpty: body.isEmpty), fields: headers)
        if !body.isEmpty, head["Content-Type"] == nil {
            // The sample's own type is more exact than that of an extension.
            let own = endpoint.sample?.contentType ?? ""
            let isSame = !own.isEmpty && SampleName.fileExtension(for: own) == name.fileExtension
            head.fields.insert(.init("Content-Type", isSame ? own : name.contentType), at: 0)
        }
        return Response(head: head, body: body)
    }

    /// Lines of `Name: value`.
    private static func headers(_ bytes: [UInt8], _ path: String) throws(UsageError) -> [ResponseHead.Field] {
        var headers: [ResponseHead.Field] = []
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let text = line.last == 0x0D ? line.dropLast() : line
            if text.isEmpty { continue }
            let name = text.prefix { $0 != UInt8(ascii: ":") }
            let header = ResponseHead.Field(
                String(exactBytes: name), String(exactBytes: text.dropFirst(name.count + 1).drop { $0 == 0x20 }))
            guard name.count < text.count, (try? Header(header.name, header.value).checked()) != nil else {
                throw .invalidFile(path, line: index + 1, column: 1, problem: "expected 'Name: value'")
            }
            if !framing.contains(header.name.lowercased()) { headers.append(header) }
        }
        return headers
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
    /// `movies.video`
    var endpoint: String
    var parameters: [SampleParameter] = []
    /// Which call it is for, from 1.
    var number = 1
    /// Nil is that of the endpoint's sample.
    var status: Int?
    var fileExtension = ""

    /// The extension of a file with headers.
    static let headersExtension = "headers"
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
            guard let status = Int(text), (200...599).contains(status) else { return nil }
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
            parameters.append(SampleParameter(name: name, text: PercentEncoding.decode(parts[1])))
        }
        guard parts[0].contains(".") else { return nil }
        endpoint = KebabCase.text(String(parts[0]))
    }

    /// The name for a response to a call of `endpoint` with `parameters`, as many of them as a file's name has room for.
    init(recording endpoint: String, _ parameters: [SampleParameter]) {
        self.endpoint = endpoint
        for parameter in parameters {
            self.parameters.append(parameter)
            if stem.utf8.count > Self.maxStem { self.parameters.removeLast() }
        }
    }

    /// The file's name.
    var text: String {
        stem + (number == 1 ? "" : ".\(number)") + (status.map { "!\($0)" } ?? "") + "." + fileExtension
    }

    private var stem: String {
        func encoded(_ text: String) -> String { PercentEncoding.encode(text).replacingBytes(of: ".", with: "%2E") }
        let pairs = parameters.map { "\(encoded($0.name))=\(encoded($0.text))" }
        return endpoint + (pairs.isEmpty ? "" : "@" + pairs.joined(separator: "&"))
    }

    var isFailure: Bool { status.map { $0 >= 300 } ?? false }

    /// What files for the same parameters are sorted by.
    fileprivate var turn: (Int, Int, String) { (number, isFailure ? 1 : 0, text) }

    /// The same name for the headers.
    var headers: SampleName {
        var copy = self
        copy.fileExtension = Self.headersExtension
        return copy
    }
}

/// A parameter in a file's name.
struct SampleParameter: Sendable, Hashable {
    /// The parameter's flag without its dashes, or what help calls one without a flag.
    let name: String
    /// The value's text; those of an array joined by commas.
    let text: String

    /// The parameters of a call that are given and that `isNeeded` accepts.
    static func all(of call: Signature?, where isNeeded: (Parameter) -> Bool = { _ in true }) -> [SampleParameter] {
        guard let call else { return [] }
        return call.parameters.filter { !$0.example.isEmpty && isNeeded($0) }.map { parameter in
            SampleParameter(name: call.shownName(of: parameter), text: parameter.example.joined(separator: ","))
        }
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

    /// The content type that the extension stands for.
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
