import APIImport
import EndpointKit
import JSONText

extension ImportSources {
    /// The document at `source` with its name, without secrets, and what reads a file beside it. Throws ``UsageError``.
    func document(
        _ source: Word, _ context: RunContext
    ) throws(UsageError) -> (bytes: [UInt8], name: String, read: (String) throws -> [UInt8]) {
        guard let body = samples.first?.body ?? requests.first?.response?.body else {
            throw UsageError("there is no document at \(source.shown)")
        }
        let files = context.environment.files
        let beside = requests.isEmpty && source.text != "-" ? FilePlace.directory(of: source.text) : nil
        return (
            body, requests.first?.shownURL ?? source.text,
            { name in
                guard let beside else {
                    throw UsageError("the document refers to the file '\(name)': save both in a directory first")
                }
                return try files.readAll(beside + name)
            }
        )
    }
}

// MARK: Files

extension ImportOutput {
    /// Adds the files of the document at `source` that nobody has edited since the last time, with the names and options of that time; of one that was
    /// edited, prints the endpoints that it lacks. Throws ``UsageError`` and ``FileError``.
    mutating func add(_ sources: ImportSources, _ source: Word) throws {
        if options.into?.hasSuffix(".swift") == true {
            throw UsageError("import openapi writes several files: --into needs a directory")
        }
        let (document, source, read) = try sources.document(source, context)
        let project = project
        func imported(_ earlier: JSONValue?) throws -> OpenAPIImport {
            func names(_ key: String) -> [String: String] {
                let texts = (earlier?[key]?.members ?? []).compactMap { key, value in value.string.map { (key, $0) } }
                return Dictionary(texts) { $1 }
            }
            var choices = try options.choices(context.environment)
            choices.origin = sources.requests.first?.origin
            choices.taken = project?.names ?? []
            choices.earlierNames = (names("names"), names("types"))
            do {
                return try OpenAPIImport(document, name: source, choices, read: read)
            } catch let error as OpenAPIError {
                throw UsageError(error.description)
            }
        }
        let first = try directory == nil ? imported(nil) : nil
        let directory = directory ?? first?.type ?? ""
        self.directory = directory
        let record = "\(directory)/import.json"
        let earlier = try content(record).flatMap { try? JSONValue(text: $0) }
        let words = options.complete(from: earlier?["options"])
        var remarks = words.isEmpty ? [] : ["as the last time: " + words.map(ShellText.quoted).joined(separator: " ")]
        let imported = try earlier == nil ? first ?? imported(nil) : imported(earlier)
        if imported.endpoints.isEmpty { throw UsageError("no operation matches --only and --skip") }
        let apis = imported.endpoints.map { $0.name.split(separator: ".").dropLast().joined(separator: ".") }
        try check(names: apis, besides: files.apiNames(in: files.swiftFiles(in: directory)))
        let known = earlier?["files"]
        var hashes: [(String, JSONValue)] = []
        // A target can't have two files of one name. A file keeps the one that it got.
        func fileName(_ path: String) -> String {
            let parts = path.split(separator: "/").map(String.init)
            guard let last = parts.last else { return path }
            let other = (parts.dropLast() + ["\(imported.type)+\(last)"]).joined(separator: "/")
            return project?.fileNames.contains(last) == true || known?[other] != nil ? other : path
        }
        for (file, text) in imported.files {
            let name = fileName(file)
            let path = "\(directory)/\(name)"
            let (old, new, hash) = (try content(path), text.exactBytes, known?[name]?.string)
            hashes.append((name, JSONValue(Self.hash(new))))
            if old == new { continue }
            if let old, let hash, hash != Self.hash(old), !options.force {
                remarks.append("not changed, because it was edited: \(path); --force overwrites it")
                print(Self.missing(imported, in: String(exactBytes: old), of: file))
            } else {
                try write(path, new, mayExist: hash != nil)
            }
        }
        let names = Set(imported.files.map { fileName($0.path) })
        let current = Set(imported.modelNames + imported.endpoints.map(\.type))
        var edited: Set<String> = []
        var stale: [(name: String, hash: JSONValue, text: String)] = []
        for (name, hash) in known?.members ?? []
        where !name.split(separator: "/").contains("..") && !name.hasPrefix("/") {
            guard let old = try content("\(directory)/\(name)") else { continue }
            if Self.hash(old) == hash.string {
                if !names.contains(name) { stale.append((name, hash, String(exactBytes: old))) }
            } else if !options.force || !names.contains(name) {
                edited.formUnion(SwiftFile.words(String(exactBytes: old)))
                if !names.contains(name) { hashes.append((name, hash)) }
            }
        }
        // What an edited file may use stays, and what that uses; but not types that are in another file now.
        func isUsed(_ text: String) -> Bool {
            let types = SwiftFile(text).typeNames().subtracting(["CodingKeys"])
            return types.isDisjoint(with: current) && !types.isDisjoint(with: edited)
        }
        while let index = stale.firstIndex(where: { isUsed($0.text) }) {
            let (name, hash, text) = stale.remove(at: index)
            edited.formUnion(SwiftFile.words(text))
            hashes.append((name, hash))
            remarks.append("not removed, because a file that was edited may use it: \(directory)/\(name)")
        }
        for (name, _, _) in stale {
            remarks.append("removed, because nothing in the document is in it any more: \(directory)/\(name)")
            if !options.dryRun { try files.remove("\(directory)/\(name)") }
        }
        let text = self.record(imported, source, document, hashes)
        if try content(record) != text { try write(record, text, mayExist: true) }
        if let edits = project?.adding(imported.type, hasList: true) {
            for edit in edits { try write(edit.path, edit.text.exactBytes, mayExist: true) }
        } else {
            remarks.append(
                "still to add: \(imported.type).apis to the list of APIs; in Package.swift, to the target: exclude: [\"import.json\"]"
            )
        }
        summarize(imported, remarks)
    }

    private static func hash(_ bytes: [UInt8]) -> String { String(bytes.hash64, radix: 16) }

    /// The endpoints of a file that somebody has edited which are not in it.
    private static func missing(_ imported: OpenAPIImport, in text: String, of name: String) -> String {
        imported.endpoints.filter { endpoint in
            let start = "case \(endpoint.caseName)"
            return "\(endpoint.type).swift" == name
                && !text.split(separator: "\n").contains { line in
                    let line = line.drop { $0 == " " }
                    return line.hasPrefix(start)
                        && line.dropFirst(start.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
                }
        }.map { "\($0.declaration)\n\($0.arm)\n" }.joined()
    }

    private func record(
        _ imported: OpenAPIImport, _ source: String, _ document: [UInt8], _ hashes: [(String, JSONValue)]
    ) -> [UInt8] {
        let given: [(String, JSONValue)] = [
            ("name", JSONValue(imported.chosenName)), ("only", options.only.json),
            ("skip", options.skip.json),
            ("models", options.choices.areClasses.map { $0 ? "class" : "struct" } ?? .null),
            ("names", options.names.map { JSONValue($0) } ?? .null),
        ]
        let names = imported.endpoints.map { ("\($0.method) \($0.path)", JSONValue($0.name)) }
        let members: [(String, JSONValue)] = [
            ("version", 1), ("source", JSONValue(source)), ("hash", JSONValue(Self.hash(document))),
            ("options", JSONValue(given)), ("names", JSONValue(names)),
            ("types", JSONValue(imported.typeNames.map { ($0.place, JSONValue($0.name)) })),
            ("files", JSONValue(hashes)),
        ]
        let text = Array(JSONValue(members).written)
        return (JSONFormatter.indented(text) ?? text) + [UInt8(ascii: "\n")]
    }

    // MARK: Summary

    private mutating func summarize(_ imported: OpenAPIImport, _ remarks: [String]) {
        let properties = imported.properties
        let comments = imported.endpoints.count { !$0.comments.isEmpty }
        let enums = Set(imported.endpoints.map(\.type)).count
        summary.api = imported.name
        summary.contents =
            "\(imported.endpoints.count.counted("endpoint")) in \(enums.counted("API")), "
            + "\(imported.modelNames.count.counted("model")), \(properties.all.counted("property", plural: "properties"))"
        if properties.loose + properties.undescribed > 0 {
            summary.contents +=
                "; any JSON: \(properties.loose), and \(properties.undescribed) that the document doesn't describe"
        }
        if imported.bytesCount > 0 { summary.contents += "; bytes: \(imported.bytesCount)" }
        if comments > 0 { summary.contents += "; with a comment '// import:': \(comments)" }
        summary.isLoose = imported.isLoose
        summary.notes += imported.notes + remarks
        (summary.models, summary.variables) = (imported.modelNames, imported.variables)
        summary.next = imported.endpoints.first.map { "swift run \(context.tool) describe \($0.name)" }
        summary.endpoints = imported.endpoints.map { endpoint in
            JSONValue([
                ("name", JSONValue(endpoint.name)), ("method", JSONValue(endpoint.method)),
                ("path", JSONValue(endpoint.path)), ("comments", endpoint.comments.json),
            ])
        }
        let loose = imported.loose.map {
            JSONValue([("place", JSONValue($0.pointer)), ("reason", JSONValue($0.reason))])
        }
        let typed = properties.all - properties.loose - properties.undescribed
        let counted: [(String, JSONValue)] = [
            ("all", JSONValue(properties.all)), ("typed", JSONValue(typed)),
            ("undescribed", JSONValue(properties.undescribed)),
        ]
        summary.details = [
            ("parameters", JSONValue(imported.parameterCount)), ("properties", JSONValue(counted)),
            ("bytes", JSONValue(imported.bytesCount)), ("loose", JSONValue(loose)),
        ]
    }
}
