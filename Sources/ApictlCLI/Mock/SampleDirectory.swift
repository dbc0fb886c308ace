import EndpointKit
import JSONText
import MockServer
import Synchronization

/// The files of `--samples`, read again when one of them has changed.
final class SampleDirectory: Sendable {
    /// What was in the directory at one time.
    private struct Contents {
        /// Nil if the directory could not be read.
        var entries: [FileEntry]?
        var responses: [(name: SampleName, response: Response)] = []
        /// A line about each file that can't be used.
        var problems: [String] = []
    }

    /// Why a file can't be used.
    private struct Problem: Error {
        /// What follows the path: `:line:column: what is wrong`, or without a place.
        let text: String
    }

    /// The largest file that is read, in bytes.
    private static let maxFileSize = 100_000_000
    /// Headers that the server sets itself.
    private static let framing = ["content-length", "transfer-encoding", "connection", "keep-alive", "upgrade"]

    private let path: String
    private let files: any FileSystem
    private let routes: [CallRoutes.Route]
    private let report: @Sendable (String) -> Void
    private let contents = Mutex(Contents())
    /// How often each sequence of files was asked for: a name without number and extension.
    private let counts = Mutex<[SampleName: Int]>([:])

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
        _ = current()
    }

    /// The response to a call of `endpoint` with `parameters`; nil if no file has one.
    ///
    /// Of several files, the one with the most parameters; with a `status`, only files with that status. Files for the same parameters
    /// take turns; a failure responds only if there is no success with its number.
    func response(to endpoint: String, _ parameters: [SampleParameter], status: Int?) -> Response? {
        let fitting = current().responses.filter { file in
            file.name.endpoint == endpoint && (status == nil || file.name.status == status)
                && file.name.parameters.allSatisfy(parameters.contains)
        }
        let best = fitting.max { one, other in
            (one.name.parameters.count, other.name.text) < (other.name.parameters.count, one.name.text)
        }
        guard var sequence = best?.name else { return nil }
        let sorted = fitting.filter { Set($0.name.parameters) == Set(sequence.parameters) }.sorted { one, other in
            (one.name.number, one.name.isFailure ? 1 : 0, one.name.text)
                < (other.name.number, other.name.isFailure ? 1 : 0, other.name.text)
        }
        var turns: [(name: SampleName, response: Response)] = []
        for file in sorted where turns.last?.name.number != file.name.number { turns.append(file) }
        (sequence.number, sequence.status, sequence.fileExtension) = (1, status, "")
        let count = counts.withLock { [sequence] counts in
            counts[sequence, default: -1] += 1
            return counts[sequence, default: 0]
        }
        return turns[count % turns.count].response
    }

    // MARK: Reading

    /// The directory as it is now. Problems that are new are reported.
    private func current() -> Contents {
        var fresh = Contents()
        do {
            let entries = try files.list(path)
            let known = contents.withLock(\.self)
            if known.entries == entries { return known }
            fresh = read(entries)
        } catch {
            let reason = (error as? FileError)?.reason ?? "\(error)"
            fresh.problems = ["\(path) can't be read: \(reason); the samples respond"]
        }
        let old = contents.withLock { [fresh] contents in
            defer { contents = fresh }
            return contents.problems
        }
        for problem in fresh.problems where !old.contains(problem) { report(problem) }
        return fresh
    }

    private func read(_ entries: [FileEntry]) -> Contents {
        var contents = Contents(entries: entries)
        // Skip hidden files, such as one that is still being written.
        let names = entries.map(\.name).filter { !$0.hasPrefix(".") }
        let areHeaders = { (name: String) in name.hasSuffix("." + SampleName.headersExtension) }
        var headers: [SampleName: [ResponseHead.Field]] = [:]
        // The responses need their headers.
        for file in names.filter(areHeaders) + names.filter({ !areHeaders($0) }) {
            let path = path + "/" + file
            do {
                guard let (name, endpoint) = try called(file) else { continue }
                let bytes = try files.open(path).readAll(name: path, limit: Self.maxFileSize)
                if areHeaders(file) {
                    headers[name] = try Self.headers(bytes)
                } else {
                    let response = try Self.response(bytes, name, of: endpoint, headers[name.headers] ?? [])
                    contents.responses.append((name, response))
                }
            } catch let problem as Problem {
                contents.problems.append(path + problem.text)
            } catch let error as JSONSyntaxError {
                let problem = "expected \(error.expected), found \(error.found)"
                contents.problems.append("\(path):\(error.line):\(error.column): \(problem)")
            } catch {
                contents.problems.append("\(path): \((error as? FileError)?.reason ?? "\(error)")")
            }
        }
        contents.problems.sort()
        return contents
    }

    /// What the file of that name responds to; nil if it is about an API that is not served.
    private func called(_ file: String) throws(Problem) -> (SampleName, Endpoint)? {
        guard let name = SampleName(file) else {
            throw Problem(text: ": expected a name such as movies.video@id=550.json")
        }
        guard let route = routes.first(where: { $0.declaration.name == name.endpoint }) else {
            guard routes.contains(where: { name.endpoint.hasPrefix($0.declaration.api.name + ".") }) else { return nil }
            throw Self.unknown("endpoint", name.endpoint, among: routes.map(\.declaration.name))
        }
        let signature = route.declaration.signature
        let known = signature.parameters.map(signature.shownName)
        if let parameter = name.parameters.first(where: { !known.contains($0.name) }) {
            throw Self.unknown("parameter", parameter.name, among: known)
        }
        return (name, route.endpoint)
    }

    private static func unknown(_ kind: String, _ name: String, among known: [String]) -> Problem {
        let nearest = Nearest.match(name, in: known)
        return Problem(text: ": no \(kind) '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
    }

    private static func response(
        _ body: [UInt8], _ name: SampleName, of endpoint: Endpoint, _ headers: [ResponseHead.Field]
    ) throws -> Response {
        let mayBeEmpty = endpoint.response.kind != .json || name.status == 204 || name.isFailure
        if name.fileExtension == "json", !(body.isEmpty && mayBeEmpty) {
            do {
                _ = try JSONDocument(body)
            } catch is JSONDocumentError {
                throw Problem(text: ": it is not one JSON document")
            }
        }
        let status = name.status ?? endpoint.sampleStatus(isEmpty: body.isEmpty)
        var head = ResponseHead(status: status, fields: headers)
        if !body.isEmpty, head["Content-Type"] == nil {
            // The sample's own type is more exact than that of an extension.
            let own = endpoint.sample?.contentType ?? ""
            let isSame = !own.isEmpty && SampleName.fileExtension(for: own) == name.fileExtension
            head.fields.insert(.init("Content-Type", isSame ? own : name.contentType), at: 0)
        }
        return Response(head: head, body: body)
    }

    /// Lines of `Name: value`.
    private static func headers(_ bytes: [UInt8]) throws(Problem) -> [ResponseHead.Field] {
        var headers: [ResponseHead.Field] = []
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let text = line.last == 0x0D ? line.dropLast() : line
            if text.isEmpty { continue }
            let name = text.prefix { $0 != UInt8(ascii: ":") }
            let header = Header(
                String(exactBytes: name), String(exactBytes: text.dropFirst(name.count + 1).drop { $0 == 0x20 }))
            guard name.count < text.count, (try? header.checked()) != nil else {
                throw Problem(text: ":\(index + 1):1: expected 'Name: value'")
            }
            if framing.contains(header.name.lowercased()) { continue }
            headers.append(.init(header.name, header.value.description))
        }
        return headers
    }
}
