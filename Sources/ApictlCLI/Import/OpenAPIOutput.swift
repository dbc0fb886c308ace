import APIImport
import EndpointKit
import JSONText

/// The OpenAPI document of an import.
struct ImportedDocument {
    let bytes: [UInt8]
    /// The path of the document's file, `-`, or its URL without secrets.
    let name: String
    /// The scheme, host and port of the document's URL; nil for a file and for stdin.
    let origin: String?
    /// The directory of the document's file, with a slash at its end; nil for a URL and for stdin, which have no files
    /// beside them.
    private let directory: String?
    private let files: any FileSystem

    /// Takes the document from the sources of an import.
    ///
    /// - Parameters:
    ///   - source: The file or URL of the document, or `-` for stdin.
    ///   - sources: The sources, which have read the document.
    ///   - files: The file system.
    /// - Throws: ``UsageError`` if there is no document, because its URL was not requested.
    init(_ source: SourcedText, in sources: ImportSources, files: any FileSystem) throws(UsageError) {
        guard let bytes = sources.samples.first?.body ?? sources.requests.first?.response?.body else {
            throw UsageError("there is no document at \(source.shown)")
        }
        self.bytes = bytes
        self.files = files
        name = sources.requests.first?.shownURL ?? source.text
        origin = sources.requests.first?.origin
        let isFile = sources.requests.isEmpty && source.text != "-"
        directory = isFile ? FilePlace.directory(of: source.text) : nil
    }

    /// Reads a file to which the document refers.
    ///
    /// - Parameter path: The path of the file, relative to the document.
    /// - Throws: ``UsageError`` if the document is not a file itself, and ``FileError`` if the file can't be read.
    @Sendable func readReferencedFile(_ path: String) throws -> [UInt8] {
        guard let directory else {
            throw UsageError("the document refers to the file '\(path)': save both in a directory first")
        }
        return try files.readAll(directory + path)
    }
}

// MARK: Files

extension ImportOutput {
    /// Adds the files that are made of an OpenAPI document, and registers its APIs in `Catalogue.swift`.
    ///
    /// The files hold a namespace, which is named after the document, an enum for each tag, and models.
    ///
    /// - Throws: ``UsageError`` if `--into` names a Swift file, if no operation is chosen, or if files in the directory
    ///   can't be replaced. `ImportError` for a document that can't be imported, and ``FileError``.
    mutating func addDocument(_ document: ImportedDocument) throws {
        if options.into?.hasSuffix(".swift") == true {
            throw UsageError("import openapi writes several files: --into needs a directory")
        }
        let target = findTarget()
        var choices = try options.makeChoices(context.environment)
        choices.origin = document.origin
        choices.taken = target?.takenTypeNames ?? []
        let imported = try OpenAPIImport(
            document.bytes, name: document.name, choices, read: document.readReferencedFile)
        if imported.endpoints.isEmpty { throw UsageError("no operation matches --only and --skip") }
        // Without `--into`, the directory is named after the document.
        let importDirectory = directory ?? imported.type
        directory = importDirectory
        try addFiles(of: imported, in: importDirectory, otherFileNames: target?.fileNames ?? [])
        summarize(imported)
        try register(.document(imported.type))
    }

    /// Adds the files of an imported document, after checks that they may replace what is in their directory.
    ///
    /// Files of an earlier import of the same document are replaced. A note names the other files in the directory.
    ///
    /// - Parameters:
    ///   - imported: The imported document.
    ///   - directory: The directory of the files.
    ///   - otherFileNames: The names of the Swift files that the target has in other directories.
    /// - Throws: ``UsageError`` if another API has the name of a new one, or if the directory has another document.
    private mutating func addFiles(
        of imported: OpenAPIImport, in directory: String, otherFileNames: Set<String>
    ) throws {
        let swiftFiles = files.swiftFiles(in: directory + "/") + files.swiftFiles(in: directory + "/Models/")
        let existingFiles = swiftFiles.filter { $0 != directory + "/Catalogue.swift" }
        // The name of an endpoint is that of its API, a dot, and a last word.
        let apiNames = imported.endpoints.map { $0.name.split(separator: ".").dropLast().joined(separator: ".") }
        try refuseExistingNames(apiNames, except: files.apiNames(in: existingFiles))

        let newPaths = imported.files.map { file in
            path(of: file.path, namespace: imported.type, in: directory, otherFileNames: otherFileNames)
        }
        let unrelatedFiles = existingFiles.filter { !newPaths.contains($0) }
        try refuseOtherDocument(among: unrelatedFiles, than: imported.type)
        for (path, file) in zip(newPaths, imported.files) { try addFile(at: path, content: file.text.exactBytes) }
        if !unrelatedFiles.isEmpty {
            let names = unrelatedFiles.map { $0.dropFirst(directory.count + 1) }.joined(separator: ", ")
            summary.notes.append("not of this document, or no longer: \(names)")
        }
    }

    /// Returns the path where a file of the document is written.
    ///
    /// A target can't have two files with the same name. If the target has a file of this name in another directory,
    /// the namespace comes before the name, as in `Shop+Pet.swift`. A file of an earlier import keeps its path.
    ///
    /// - Parameters:
    ///   - file: The path in the directory, such as `Models/Pet.swift`.
    ///   - namespace: The name of the document's namespace, such as `Shop`.
    ///   - directory: The directory of the import.
    ///   - otherFileNames: The names of the Swift files that the target has in other directories.
    private func path(
        of file: String, namespace: String, in directory: String, otherFileNames: Set<String>
    ) -> String {
        let plainPath = "\(directory)/\(file)"
        let parent = FilePlace.directory(of: plainPath)
        let name = String(file.split(separator: "/").last ?? "")
        let distinctPath = "\(parent)\(namespace)+\(name)"
        func exists(_ path: String) -> Bool { (try? content(of: path)) != nil }

        if exists(plainPath) { return plainPath }
        if exists(distinctPath) { return distinctPath }
        return otherFileNames.contains(name) ? distinctPath : plainPath
    }

    /// Refuses to write into a directory that has the import of another document.
    ///
    /// The file with that document's namespace lists its APIs. The list would not compile any more once the files of
    /// these APIs are overwritten.
    ///
    /// - Parameters:
    ///   - paths: The files in the directory that the import does not write.
    ///   - namespace: The name of the namespace of the imported document.
    /// - Throws: ``UsageError`` if there is another namespace, and ``FileError`` for a file that can't be read.
    private func refuseOtherDocument(among paths: [String], than namespace: String) throws {
        for path in paths {
            let source = try content(of: path).map { String(exactBytes: $0) } ?? ""
            let declaresNamespace = source.firstRange(of: OpenAPIImport.listDeclaration) != nil
            if declaresNamespace {
                throw UsageError("\(path) is another document than \(namespace): write into another directory")
            }
        }
    }

    // MARK: Summary

    /// Describes an imported document in the summary: for people how much there is, and for programs its endpoints and
    /// the parts that have no type of their own.
    private mutating func summarize(_ imported: OpenAPIImport) {
        summary.api = imported.name
        summary.contents = Self.countsText(of: imported)
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
        summary.details = Self.reportMembers(of: imported)
    }

    /// Returns a text for people that says how much was imported from a document:
    ///
    ///     12 endpoints in 3 APIs, 8 models, 40 properties; any JSON: 2
    ///
    /// Parts that became `JSONValue`, bytes or a comment are only counted if there are any.
    private static func countsText(of imported: OpenAPIImport) -> String {
        let properties = imported.properties
        let anyJSONCount = properties.loose + properties.undescribed
        let commentCount = imported.endpoints.count { !$0.comments.isEmpty }
        let endpoints = imported.endpoints.count.counted("endpoint")
        let apis = Set(imported.endpoints.map(\.type)).count.counted("API")
        let models = imported.modelNames.count.counted("model")
        let allProperties = properties.all.counted("property", plural: "properties")
        var text = "\(endpoints) in \(apis), \(models), \(allProperties)"
        if anyJSONCount > 0 { text += "; any JSON: \(anyJSONCount)" }
        if imported.bytesCount > 0 { text += "; bytes: \(imported.bytesCount)" }
        if commentCount > 0 { text += "; with a comment '// import:': \(commentCount)" }
        return text
    }

    /// Returns the members of the report that only a document has.
    ///
    ///     {"parameters": 5, "properties": {"all": 40, "typed": 38, "undescribed": 2}, "bytes": 0, "loose": […]}
    ///
    /// A property is typed unless it became `JSONValue`. It is undescribed if that is because the document says nothing
    /// about it. `loose` has the place and the reason of each part that became `JSONValue`.
    private static func reportMembers(of imported: OpenAPIImport) -> [(String, JSONValue)] {
        let properties = imported.properties
        let typedCount = properties.all - properties.loose - properties.undescribed
        let propertyCounts = JSONValue([
            ("all", JSONValue(properties.all)), ("typed", JSONValue(typedCount)),
            ("undescribed", JSONValue(properties.undescribed)),
        ])
        let looseParts = imported.loose.map { part in
            JSONValue([("place", JSONValue(part.pointer)), ("reason", JSONValue(part.reason))])
        }
        return [
            ("parameters", JSONValue(imported.parameterCount)), ("properties", propertyCounts),
            ("bytes", JSONValue(imported.bytesCount)), ("loose", JSONValue(looseParts)),
        ]
    }
}
