import APIImport
import EndpointKit
import JSONText

extension ImportSources {
    /// The document at `source`, and what reads a file beside it. Throws ``UsageError``.
    func document(
        _ source: Word, _ context: RunContext
    ) throws(UsageError) -> (bytes: [UInt8], read: (String) throws -> [UInt8]) {
        guard let body = samples.first?.body ?? requests.first?.response?.body else {
            throw UsageError("there is no document at \(source.shown)")
        }
        let files = context.environment.files
        let beside = requests.isEmpty && source.text != "-" ? FilePlace.directory(of: source.text) : nil
        return (
            body,
            { name in
                guard let beside else {
                    throw UsageError("the document refers to the file '\(name)': save both in a directory first")
                }
                return try files.open(beside + name).readAll(name: beside + name)
            }
        )
    }
}

/// Imports a document, and writes the files that nobody has edited since the last time.
struct OpenAPIOutput {
    private let options: ImportOptions
    private let source: String
    private let bytes: [UInt8]
    private let imported: OpenAPIImport
    private let directory: String

    /// Reads the document. Throws ``UsageError`` and ``FileError``.
    init(_ sources: ImportSources, _ source: Word, _ options: ImportOptions, _ context: RunContext) throws {
        self.options = options
        self.source = source.text
        let (body, read) = try sources.document(source, context)
        bytes = body
        var choices = try options.choices(context.environment)
        choices.origin = sources.requests.first?.origin
        do {
            imported = try OpenAPIImport(body, name: source.text, choices, read: read)
        } catch let error as OpenAPIError {
            throw UsageError(error.description)
        }
        if imported.endpoints.isEmpty { throw UsageError("no operation matches --only and --skip") }
        if options.into?.hasSuffix(".swift") == true {
            throw UsageError("import openapi writes several files: --into needs a directory")
        }
        let into = options.into ?? imported.type
        directory = into.hasSuffix("/") && into.utf8.count > 1 ? String(into.dropLast()) : into
    }

    /// Writes the files; of one that was edited, prints the endpoints that it lacks. Returns whether anything became JSON, bytes or a comment.
    func finish(_ context: RunContext) throws -> Bool {
        let files = context.environment.files
        func content(_ path: String) -> [UInt8]? { try? files.open(path).readAll(name: path) }
        let record = "\(directory)/import.json"
        let known = content(record).flatMap { try? JSONValue(text: $0) }
        var written: [String] = []
        var edited: [String] = []
        var hashes: [(String, JSONValue)] = []
        var changes: [(path: String, bytes: [UInt8])] = []
        for (name, text) in imported.files {
            let path = "\(directory)/\(name)"
            let new = text.exactBytes
            hashes.append((name, JSONValue(Self.hash(new))))
            let old = content(path)
            if old == new { continue }
            guard let old else {
                changes.append((path, new))
                continue
            }
            if let hash = known?["files"]?[name]?.string, hash != Self.hash(old), !options.force {
                edited.append(path)
                try printMissing(in: String(exactBytes: old), of: name, context)
            } else if known?["files"]?[name] == nil, !options.force {
                throw FileError(.write, path, reason: "it exists; --force overwrites it")
            } else {
                changes.append((path, new))
            }
        }
        let names = Set(imported.files.map(\.path))
        let stale = (known?["files"]?.members ?? []).filter { name, hash in
            !names.contains(name) && !name.split(separator: "/").contains("..") && !name.hasPrefix("/")
                && content("\(directory)/\(name)").map(Self.hash) == hash.string
        }.map { "\(directory)/\($0.key)" }
        changes.append((record, self.record(hashes)))
        if !options.dryRun {
            for change in changes where change.path != record || content(record) != change.bytes {
                try files.write(change.bytes, to: change.path)
                written.append(change.path)
            }
            for path in stale { try files.remove(path) }
        }
        try printSummary(context, written: written, edited: edited, stale: stale, planned: changes.map(\.path))
        if let report = options.report { try files.replace(report, with: reportText(written)) }
        return imported.properties.loose > 0 || imported.bytesCount > 0
            || imported.endpoints.contains { !$0.comments.isEmpty }
    }

    private static func hash(_ bytes: [UInt8]) -> String { String(bytes.hash64, radix: 16) }

    /// The endpoints of a file that somebody has edited which are not in it.
    private func printMissing(in text: String, of name: String, _ context: RunContext) throws {
        for endpoint in imported.endpoints where "\(endpoint.type).swift" == name {
            let start = "case \(endpoint.caseName)"
            let isThere = text.split(separator: "\n").contains { line in
                let line = line.drop { $0 == " " }
                return line.hasPrefix(start)
                    && line.dropFirst(start.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
            }
            if !isThere { try context.environment.stdout.write("\(endpoint.declaration)\n\(endpoint.arm)\n") }
        }
    }

    private func record(_ hashes: [(String, JSONValue)]) -> [UInt8] {
        let members: [(String, JSONValue)] = [
            ("version", 1), ("source", JSONValue(source)), ("hash", JSONValue(Self.hash(bytes))),
            (
                "options",
                JSONValue([
                    ("name", options.name.map { JSONValue($0) } ?? .null), ("only", .list(options.only)),
                    ("skip", .list(options.skip)),
                    ("models", options.areClasses.map { $0 ? "class" : "struct" } ?? .null),
                    ("names", options.names.map { JSONValue($0) } ?? .null),
                ])
            ),
            ("names", JSONValue(imported.endpoints.map { ("\($0.method) \($0.path)", JSONValue($0.name)) })),
            ("files", JSONValue(hashes)),
        ]
        let text = Array(JSONValue(members).written)
        return (JSONFormatter.indented(text) ?? text) + [UInt8(ascii: "\n")]
    }

    /// How many there are of what people should look at.
    private var counts: (typed: Int, comments: Int) {
        let properties = imported.properties
        return (
            properties.all - properties.loose - properties.undescribed,
            imported.endpoints.count { !$0.comments.isEmpty }
        )
    }

    private func printSummary(
        _ context: RunContext, written: [String], edited: [String], stale: [String], planned: [String]
    ) throws {
        guard !context.reportsJSON else { return }
        let properties = imported.properties
        let enums = Set(imported.endpoints.map(\.type)).count
        var lines = [
            "\(imported.name): \(imported.endpoints.count.counted("endpoint")) in \(enums.counted("API")), "
                + "\(imported.modelNames.count.counted("model")), \(properties.all.counted("property", plural: "properties"))"
        ]
        if properties.loose + properties.undescribed > 0 {
            lines[0] +=
                "; any JSON: \(properties.loose), and \(properties.undescribed) that the document doesn't describe"
        }
        if imported.bytesCount > 0 { lines[0] += "; bytes: \(imported.bytesCount)" }
        if counts.comments > 0 { lines[0] += "; with a comment '// import:': \(counts.comments)" }
        lines += imported.notes.map { "note: \($0)" }
        if options.dryRun { lines += planned.map { "would write \($0)" } }
        if !written.isEmpty { lines.append("wrote \(written.count.counted("file")) in \(directory)") }
        lines += edited.map { "not changed, because it was edited: \($0); --force overwrites it" }
        lines += stale.map { "removed, because nothing in the document is in it any more: \($0)" }
        lines.append(
            "still to add: \(imported.type).apis to the list of APIs; in Package.swift, to the target: exclude: [\"import.json\"]"
        )
        if !imported.variables.isEmpty { lines.append("to set: \(imported.variables.joined(separator: ", "))") }
        if let first = imported.endpoints.first { lines.append("next: \(context.tool) describe \(first.name)") }
        try context.environment.stderr.write(lines.map { $0.safeToShow + "\n" }.joined())
    }

    /// The same for programs.
    private func reportText(_ written: [String]) -> [UInt8] {
        let properties = imported.properties
        let endpoints = imported.endpoints.map { endpoint in
            JSONValue([
                ("name", JSONValue(endpoint.name)), ("method", JSONValue(endpoint.method)),
                ("path", JSONValue(endpoint.path)),
                ("comments", .list(endpoint.comments)),
            ])
        }
        let loose = imported.loose.map {
            JSONValue([("place", JSONValue($0.pointer)), ("reason", JSONValue($0.reason))])
        }
        let counted: [(String, JSONValue)] = [
            ("all", JSONValue(properties.all)), ("typed", JSONValue(counts.typed)),
            ("undescribed", JSONValue(properties.undescribed)),
        ]
        let members: [(String, JSONValue)] = [
            ("version", 1), ("api", JSONValue(imported.name)), ("endpoints", JSONValue(endpoints)),
            ("models", .list(imported.modelNames)), ("parameters", JSONValue(imported.parameterCount)),
            ("properties", JSONValue(counted)), ("bytes", JSONValue(imported.bytesCount)), ("loose", JSONValue(loose)),
            ("notes", .list(imported.notes)), ("variables", .list(imported.variables)), ("files", .list(written)),
        ]
        return Array(JSONValue(members).written) + [UInt8(ascii: "\n")]
    }
}
