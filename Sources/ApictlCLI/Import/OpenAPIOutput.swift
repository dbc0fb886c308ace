import APIImport
import EndpointKit
import JSONText

extension ImportSources {
    /// Returns the OpenAPI document of the import.
    ///
    /// - Parameters:
    ///   - source: The file or URL, or `-` for stdin.
    ///   - context: The context.
    /// - Returns: The bytes of the document, its file or its URL without secrets, and a function that reads a file to
    ///   which the document refers, by a path relative to the document.
    /// - Throws: ``UsageError`` if there is no document.
    func document(
        _ source: SourcedText, _ context: CommandContext
    ) throws(UsageError) -> (bytes: [UInt8], name: String, read: @Sendable (String) throws -> [UInt8]) {
        guard let body = samples.first?.body ?? requests.first?.response?.body else {
            throw UsageError("there is no document at \(source.shown)")
        }
        let files = context.environment.files
        // The directory of the document; nil for a URL and for stdin, which have no files beside them.
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
    /// Adds the files that are made of an OpenAPI document: a namespace, an enum for each tag, and models.
    ///
    /// - Parameters:
    ///   - sources: The sources of the import, which have the document.
    ///   - source: The file or URL of the document.
    /// - Throws: ``UsageError`` and ``FileError``.
    mutating func add(_ sources: ImportSources, _ source: SourcedText) throws {
        if options.into?.hasSuffix(".swift") == true {
            throw UsageError("import openapi writes several files: --into needs a directory")
        }
        let target = target
        var choices = try options.choices(context.environment)
        choices.origin = sources.requests.first?.origin
        choices.taken = target?.names ?? []
        let (document, name, read) = try sources.document(source, context)
        let imported = try OpenAPIImport(document, name: name, choices, read: read)
        if imported.endpoints.isEmpty { throw UsageError("no operation matches --only and --skip") }
        let directory = directory ?? imported.type
        self.directory = directory
        // Files of an earlier import may be overwritten, so that their APIs may have the names of the new ones.
        let existing = (files.swiftFiles(in: directory + "/") + files.swiftFiles(in: directory + "/Models/"))
            .filter { $0 != directory + "/Catalogue.swift" }
        let apis = imported.endpoints.map { $0.name.split(separator: ".").dropLast().joined(separator: ".") }
        try check(names: apis, replaced: files.apiNames(in: existing))
        let paths = imported.files.map { file in
            path(of: file.path, imported.type, in: directory, otherNames: target?.fileNames ?? [])
        }
        let others = existing.filter { !paths.contains($0) }
        try refuseOtherDocument(among: others, imported.type)
        for (path, file) in zip(paths, imported.files) { try write(path, file.text.exactBytes) }
        if !others.isEmpty {
            let shown = others.map { $0.dropFirst(directory.count + 1) }.joined(separator: ", ")
            summary.notes.append("not of this document, or no longer: \(shown)")
        }
        summarize(imported)
        try register(.document(imported.type))
    }

    /// Returns the path of a file that is made of the document.
    ///
    /// A target can't have two files with the same name. If another directory of it has a file of this name, the
    /// namespace comes before the name, as in `Shop+Pet.swift`. A file of an earlier import keeps its path.
    ///
    /// - Parameters:
    ///   - file: The path in the directory, such as `Models/Pet.swift`.
    ///   - namespace: The name of the document's namespace, such as `Shop`.
    ///   - directory: The directory of the import.
    ///   - otherNames: The names of the target's other files.
    private func path(
        of file: String, _ namespace: String, in directory: String, otherNames: Set<String>
    ) -> String {
        let parts = file.split(separator: "/").map(String.init)
        let name = parts.last ?? file
        let parent = ([directory] + parts.dropLast()).joined(separator: "/")
        let plain = "\(parent)/\(name)"
        let distinct = "\(parent)/\(namespace)+\(name)"
        func exists(_ path: String) -> Bool { (try? content(path)) != nil }
        if exists(plain) { return plain }
        return exists(distinct) || otherNames.contains(name) ? distinct : plain
    }

    /// Checks that none of the other files in the directory is the namespace of another document.
    ///
    /// The list of APIs in that namespace would not compile any more once the files of its APIs are overwritten.
    ///
    /// - Throws: ``UsageError`` if there is another namespace, and ``FileError``.
    private func refuseOtherDocument(among files: [String], _ namespace: String) throws {
        for path in files {
            let text = try content(path).map { String(exactBytes: $0) } ?? ""
            if text.firstRange(of: OpenAPIImport.listDeclaration) != nil {
                throw UsageError("\(path) is another document than \(namespace): write into another directory")
            }
        }
    }

    // MARK: Summary

    /// Describes the import in the summary: how much there is, and how much of it became JSON of any kind, bytes or
    /// comments.
    private mutating func summarize(_ imported: OpenAPIImport) {
        let properties = imported.properties
        let comments = imported.endpoints.count { !$0.comments.isEmpty }
        let enums = Set(imported.endpoints.map(\.type)).count
        summary.api = imported.name
        summary.contents =
            "\(imported.endpoints.count.counted("endpoint")) in \(enums.counted("API")), "
            + "\(imported.modelNames.count.counted("model")), \(properties.all.counted("property", plural: "properties"))"
        let anyJSON = properties.loose + properties.undescribed
        if anyJSON > 0 { summary.contents += "; any JSON: \(anyJSON)" }
        if imported.bytesCount > 0 { summary.contents += "; bytes: \(imported.bytesCount)" }
        if comments > 0 { summary.contents += "; with a comment '// import:': \(comments)" }
        summary.isLoose = imported.isLoose
        summary.hasSamples = imported.hasSamples
        summary.notes += imported.notes
        summary.models = imported.modelNames
        summary.variables = imported.variables
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
