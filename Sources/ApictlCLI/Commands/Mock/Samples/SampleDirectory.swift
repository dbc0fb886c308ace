import EndpointKit
import MockServer
import Synchronization

/// The files of `--samples`, read again when they change.
final class SampleDirectory: Sendable {
    private struct State {
        /// The files that have been read, by name; nil for one that can't be used.
        var files: [String: (entry: FileEntry, file: SampleFile?)] = [:]
        /// How often each sequence was asked for.
        var counts: [Sequence: Int] = [:]
        var isGone = false
    }

    /// Files that respond to one call after the other.
    private struct Sequence: Hashable {
        let endpoint: String
        let parameters: [SampleParameter]
        let status: Int?
    }

    private let path: String
    private let files: any FileSystem
    private let routes: [String: CallRoutes.Route]
    /// The names of the APIs that are served.
    private let apis: Set<String>
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
        let all = routes.mounts.flatMap(\.endpoints).map { ($0.declaration.name, $0) }
        self.routes = Dictionary(all) { first, _ in first }
        apis = Set(routes.mounts.map { $0.api.name })
        let entries = try files.list(path)
        state.withLock { update(&$0, entries) }
    }

    /// The file that responds to a call of `endpoint` with `parameters`, as a reply; nil if none does.
    ///
    /// Of several, the one with the most parameters. With a `status`, only files with that status.
    func reply(to endpoint: String, _ parameters: [SampleParameter], status: Int?) -> MockReply? {
        state.withLock { state in
            refresh(&state)
            let fitting = state.files.values.compactMap(\.file).filter { file in
                guard case .body = file.content else { return false }
                return file.name.endpoint == endpoint && (status == nil || file.name.status == status)
                    && file.name.parameters.allSatisfy(parameters.contains)
            }
            let best = fitting.max { one, other in
                (one.name.parameters.count, other.name.text) < (other.name.parameters.count, one.name.text)
            }
            guard let best else { return nil }
            let sequence = fitting.filter { Set($0.name.parameters) == Set(best.name.parameters) }
            let file = Self.next(
                of: sequence,
                &state.counts[
                    Sequence(endpoint: endpoint, parameters: best.name.parameters, status: status), default: 0])
            return reply(file, state)
        }
    }

    /// The next file of a sequence, which starts again after its last one. A failure responds only where there is no success.
    private static func next(of files: [SampleFile], _ count: inout Int) -> SampleFile {
        let order = { (file: SampleFile) in
            (file.name.number ?? 1, file.name.status.map { $0 >= 300 } ?? false ? 1 : 0, file.name.text)
        }
        var turns: [SampleFile] = []
        for file in files.sorted(by: { order($0) < order($1) })
        where turns.last.map({ $0.name.number ?? 1 }) != file.name.number ?? 1 {
            turns.append(file)
        }
        defer { count += 1 }
        return turns[count % turns.count]
    }

    private func reply(_ file: SampleFile, _ state: State) -> MockReply {
        let endpoint = routes[file.name.endpoint]?.endpoint
        var reply = MockReply(file.name.status ?? 200)
        if case .body(let bytes) = file.content { reply.body = bytes }
        if file.name.status == nil, reply.body.isEmpty, endpoint?.isBodiless == true { reply.status = 204 }
        if case .headers(let headers)? = state.files[file.name.headers.text]?.file?.content { reply.fields = headers }
        if !reply.body.isEmpty, !reply.fields.contains(where: { $0.name.isSameName(as: "Content-Type") }) {
            // The sample's own type is more exact than that of an extension.
            let own = endpoint?.sample?.contentType ?? ""
            let type = SampleType.contentType(file.name.fileExtension)
            let isSame = SampleType.fileExtension(Self.mediaType(own), isJSON: false) == file.name.fileExtension
            reply.fields.insert(("Content-Type", isSame ? own : type), at: 0)
        }
        return reply
    }

    private static func mediaType(_ contentType: String) -> String { contentType.prefix { $0 != ";" }.lowercased() }

    // MARK: Reading

    private func refresh(_ state: inout State) {
        do {
            let entries = try files.list(path)
            state.isGone = false
            update(&state, entries)
        } catch {
            guard !state.isGone else { return }
            state.isGone = true
            state.files = [:]
            report("\(path) can't be read: \((error as? FileError)?.reason ?? "\(error)"); the samples respond")
        }
    }

    /// Reads files that are new or have changed, and forgets those that are gone.
    private func update(_ state: inout State, _ entries: [FileEntry]) {
        var files: [String: (entry: FileEntry, file: SampleFile?)] = [:]
        // Hidden files are not meant, such as one that is still being written.
        for entry in entries where !entry.name.hasPrefix(".") {
            if let known = state.files[entry.name], known.entry == entry {
                files[entry.name] = known
            } else {
                files[entry.name] = (entry, read(entry.name))
            }
        }
        state.files = files
    }

    private func read(_ name: String) -> SampleFile? {
        let path = self.path + "/" + name
        guard var parsed = SampleName(name) else {
            report("\(path): expected a name such as movies.video@id=550.json")
            return nil
        }
        guard let route = routes[parsed.endpoint] ?? routes[KebabCase.text(parsed.endpoint)] else {
            if apis.contains(where: { parsed.endpoint.hasPrefix($0 + ".") }) {
                let nearest = Nearest.match(parsed.endpoint, in: routes.keys)
                report("\(path): no endpoint '\(parsed.endpoint)'" + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
            }
            return nil
        }
        parsed.endpoint = route.declaration.name
        let signature = route.declaration.signature
        let known = signature.parameters.map(signature.shownName)
        if let parameter = parsed.parameters.first(where: { !known.contains($0.name) }) {
            let nearest = Nearest.match(parameter.name, in: known)
            report("\(path): no parameter '\(parameter.name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
            return nil
        }
        do throws(SampleFile.Problem) {
            return try SampleFile(parsed, at: path, in: files, of: route.endpoint)
        } catch {
            report(error.text)
            return nil
        }
    }
}
