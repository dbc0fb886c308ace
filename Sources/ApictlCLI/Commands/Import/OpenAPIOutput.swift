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
        /// What somebody has edited since the last time, by its path in the directory.
        var edited: [String: String] = [:]
        func imported(_ earlier: JSONValue?) throws -> OpenAPIImport {
            func names(_ key: String, _ isName: (String) -> Bool) -> [String: String] {
                let texts = (earlier?[key]?.members ?? []).compactMap { key, value in value.string.map { (key, $0) } }
                return Dictionary(texts.filter { isName($1) }) { $1 }
            }
            var choices = try options.choices(context.environment)
            choices.origin = sources.requests.first?.origin
            choices.taken = project?.names ?? []
            let isType = { SwiftNames.isIdentifier($0) && $0.first?.isUppercase == true }
            let isEndpoint = { (name: String) in name.allSatisfy { $0.isLetter || $0.isNumber || ".-".contains($0) } }
            choices.earlierNames = (names("names", isEndpoint), names("types", isType))
            let types = edited.mapValues { SwiftFile($0).typeNames() }
            choices.isElsewhere = { name, path in
                let last = "+" + (path.split(separator: "/").last ?? "")
                return types.contains { $1.contains(name) && $0 != path && !$0.hasSuffix(last) }
            }
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
        let earlier = try content(record).map { text in
            do {
                return try JSONValue(text: text)
            } catch {
                throw UsageError.notJSON(error, in: record)
            }
        }
        let isNamed = options.names != nil
        let words = options.complete(from: earlier?["options"])
        if !isNamed, let names = options.names, try content(names) == nil {
            throw UsageError("\(record) refers to a file of --names that is not there: \(names)")
        }
        var remarks = words.isEmpty ? [] : ["as the last time: " + words.map(ShellText.quoted).joined(separator: " ")]
        // The hashes of what was written the last time.
        let known = (earlier?["files"]?.members ?? []).filter { name, hash in
            hash.string != nil && !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
        }
        for (name, hash) in known where !options.force {
            guard let text = try content("\(directory)/\(name)"), Self.hash(text) != hash.string else { continue }
            edited[name] = String(exactBytes: text)
        }
        let imported = try earlier == nil ? first ?? imported(nil) : imported(earlier)
        if imported.endpoints.isEmpty { throw UsageError("no operation matches --only and --skip") }
        let apis = imported.endpoints.map { $0.name.split(separator: ".").dropLast().joined(separator: ".") }
        try check(names: apis, besides: files.apiNames(in: files.swiftFiles(in: directory)))
        var hashes: [(String, JSONValue)] = []
        // A target can't have two files of one name. A file keeps the one that it got.
        func fileName(_ path: String) -> String {
            let parts = path.split(separator: "/").map(String.init)
            guard let last = parts.last else { return path }
            let other = (parts.dropLast() + ["\(imported.type)+\(last)"]).joined(separator: "/")
            return project?.fileNames.contains(last) == true || known.contains { $0.key == other } ? other : path
        }
        var names: Set<String> = []
        for (file, text) in imported.files {
            let name = fileName(file)
            let path = "\(directory)/\(name)"
            names.insert(name)
            let (old, new, hash) = (try content(path), text.exactBytes, known.first { $0.key == name }?.value.string)
            hashes.append((name, JSONValue(Self.hash(new))))
            if old == new { continue }
            if let old = edited[name] {
                let text = Self.missing(imported, in: old, of: file)
                // Of what is no API, all of it, once.
                let added = text ?? (hash == Self.hash(new) ? "" : String(exactBytes: new))
                print(added)
                remarks.append(
                    "not changed, because it was edited: \(path); --force overwrites it"
                        + (added.isEmpty ? "" : "; what it lacks is on stdout"))
            } else {
                try write(path, new, mayExist: hash != nil)
            }
        }
        let current = Set(imported.modelNames + imported.endpoints.map(\.type))
        var used = Set(edited.values.flatMap(SwiftFile.words))
        var stale: [(name: String, hash: JSONValue, text: String)] = []
        for (name, hash) in known where !names.contains(name) {
            guard let old = try content("\(directory)/\(name)") else { continue }
            if Self.hash(old) == hash.string {
                stale.append((name, hash, String(exactBytes: old)))
            } else {
                hashes.append((name, hash))
                remarks.append("not removed, because it was edited: \(directory)/\(name)")
            }
        }
        // What an edited file may use stays, and what that uses; but not types that are in another file now.
        func isUsed(_ text: String) -> Bool {
            let types = SwiftFile(text).typeNames().subtracting(["CodingKeys"])
            return types.isDisjoint(with: current) && !types.isDisjoint(with: used)
        }
        while let index = stale.firstIndex(where: { isUsed($0.text) }) {
            let (name, hash, text) = stale.remove(at: index)
            used.formUnion(SwiftFile.words(text))
            hashes.append((name, hash))
            remarks.append("not removed, because a file that was edited may use it: \(directory)/\(name)")
        }
        for (name, _, _) in stale {
            let what = options.dryRun ? "would remove" : "removed"
            remarks.append("\(what), because nothing in the document is in it any more: \(directory)/\(name)")
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

    /// The endpoints of a file that somebody has edited which are not in it; nil if it is no API's.
    private static func missing(_ imported: OpenAPIImport, in text: String, of name: String) -> String? {
        let all = imported.endpoints.filter { "\($0.type).swift" == name }
        if all.isEmpty { return nil }
        let lines = text.split(separator: "\n").map { $0.drop { " \t".contains($0) } }
        return all.filter { endpoint in
            let start = "case \(endpoint.caseName)"
            return !lines.contains { line in
                line.hasPrefix(start)
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
