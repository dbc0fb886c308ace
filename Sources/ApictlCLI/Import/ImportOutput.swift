import APIImport
import EndpointKit

/// The output of an import: text for stdout, files, and a summary.
///
/// Functions `add…` collect the output. Nothing is written before ``finish()``, so that sources with an error leave no
/// files.
struct ImportOutput {
    let options: ImportOptions
    let context: CommandContext
    /// The directory of the import's files, without a slash at its end; nil if there are none.
    var directory: String?
    var summary: ImportSummary
    /// The text for stdout.
    var text = ""
    /// The files to write.
    private var changes: [FileChange] = []
    /// Existing files of the project that get further lines, such as `Catalogue.swift`.
    ///
    /// They are written last, and only if no file differs, because the new lines refer to the other files and must
    /// compile.
    var edits: [FileChange] = []

    /// A file with its new content.
    struct FileChange {
        let path: String
        let bytes: [UInt8]
    }

    /// Prepares the output.
    ///
    /// - Parameters:
    ///   - options: The options. If `--into` names a directory, it is ``directory``.
    ///   - context: The context of the command.
    ///   - notes: Remarks about the sources, for the summary.
    init(options: ImportOptions, context: CommandContext, notes: [String]) {
        self.options = options
        self.context = context
        summary = ImportSummary(notes: notes)
        guard let into = options.into, !into.hasSuffix(".swift") else { return }
        // The root directory `/` keeps its slash.
        let hasExtraSlash = into.hasSuffix("/") && into != "/"
        directory = hasExtraSlash ? String(into.dropLast()) : into
    }

    // MARK: Files

    /// The file system.
    var files: any FileSystem { context.environment.files }

    /// Searches the file system for the target that the files become a part of; nil if there is no `Catalogue.swift`.
    func findTarget() -> ImportTarget? {
        guard let path = directory ?? options.into else { return nil }
        return ImportTarget(of: path, files)
    }

    /// Returns the content of a file; nil if the file does not exist.
    ///
    /// - Throws: ``FileError`` if the file can't be read.
    func content(of path: String) throws -> [UInt8]? {
        do {
            return try files.readAll(path)
        } catch let error as FileError where error.isMissing {
            return nil
        }
    }

    /// Adds a file to the output.
    ///
    /// A file that exists with another content is overwritten only with `--force`. Without it, the summary lists the
    /// file as differing, and the import fails at its end.
    ///
    /// - Throws: ``FileError`` if the existing file can't be read.
    mutating func addFile(at path: String, content newContent: [UInt8]) throws {
        let existingContent = try content(of: path)
        if existingContent == newContent { return }
        if existingContent == nil || options.force {
            changes.append(FileChange(path: path, bytes: newContent))
        } else {
            summary.differing.append(path)
        }
    }

    /// Adds the files of a directory to the output.
    ///
    /// - Parameters:
    ///   - files: The files with their paths in the directory.
    ///   - directory: The path of the directory, with a slash at its end; empty for the current one.
    mutating func addFiles(_ files: [(path: String, text: [UInt8])], in directory: String) throws {
        for file in files { try addFile(at: directory + file.path, content: file.text) }
    }

    /// Adds an API or a document to the list of APIs in the target's `Catalogue.swift`. The file is written in
    /// ``finish()``.
    ///
    /// Without this file, or if its list has an unknown layout, the summary says what a person still has to add.
    ///
    /// - Parameter entry: The API or the document.
    /// - Throws: ``FileError`` if the file can't be read.
    mutating func register(_ entry: CatalogueList.Entry) throws {
        guard let edit = findTarget()?.adding(entry) else {
            summary.manualSteps.append("still to add: \(entry.text) to the list of APIs")
            return
        }
        // A list that has the entry already does not change.
        let changesFile = try content(of: edit.path) != edit.bytes
        if changesFile { edits.append(edit) }
    }

    /// Checks that no other API, compiled or in the target, has one of these names. With `--force`, nothing is checked.
    ///
    /// - Parameters:
    ///   - names: The names of the imported APIs.
    ///   - replaceable: The names of the APIs that the import may overwrite.
    ///   - hint: Another solution, for the message (see ``existingNameError(_:hint:)``).
    /// - Throws: ``UsageError`` if another API has the name.
    func refuseExistingNames(_ names: [String], except replaceable: Set<String>, hint: String = "") throws(UsageError) {
        guard !options.force else { return }
        let compiledNames = Set(context.registry.apis.map { $0.name })
        // Of the target, only files that the import does not write are searched, so none of these names is replaceable.
        let existingNames = compiledNames.subtracting(replaceable).union(findTarget()?.apiNames ?? [])
        guard let name = names.first(where: existingNames.contains) else { return }
        throw existingNameError(name, hint: hint)
    }

    /// Returns the error that there is an API with the name of a new one.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - hint: Another solution, which comes before the advice to choose another name; empty if there is none.
    func existingNameError(_ name: String, hint: String) -> UsageError {
        UsageError("there is an API \(name) already: \(hint)--name gives another name")
    }

    // MARK: The end

    /// Prints the text, writes the files and the report of `--report`, and tells a person what was done.
    ///
    /// - Returns: The exit code: a failure with `--strict` if something became `JSONValue` or bytes.
    /// - Throws: ``Failure`` with a list of the files that differ and were left as they are, and the errors of writing.
    mutating func finish() throws -> ExitCode {
        if !text.isEmpty { try context.environment.stdout.write(text) }
        try writeFiles()
        try summary.print(context, importDirectory: directory)
        try writeReport()
        if let differenceFailure { throw differenceFailure }
        return options.strict && summary.isLoose ? .failure : .success
    }

    /// Writes the files, and lists them in the summary. With `--dry-run`, notes only name them.
    private mutating func writeFiles() throws {
        // The new lines of edited files refer to the other files. If one of these stays as it is, they might not
        // compile.
        let writable = summary.differing.isEmpty ? changes + edits : changes
        if options.dryRun {
            summary.notes += writable.map { "would write \($0.path)" }
        } else {
            for change in writable { try files.writeCreatingDirectories(change.bytes, to: change.path) }
            summary.files = writable.map(\.path)
        }
    }

    /// Writes the summary as JSON to the file of `--report`, or to stdout for `-`.
    private func writeReport() throws {
        guard let report = options.report else { return }
        if report == "-" {
            try context.environment.stdout.write(summary.json)
        } else {
            try files.replace(report, with: summary.json)
        }
    }

    /// The failure that lists the files which exist with another content and were left as they are; nil if there are
    /// none.
    private var differenceFailure: Failure? {
        let count = summary.differing.count
        guard count > 0 else { return nil }
        let subject = count == 1 ? "1 file differs and was" : "\(count) files differ and were"
        let differingLines = summary.differing.map { "  " + $0 }
        let skippedLines = edits.map { "  not changed either: \($0.path)" }
        return Failure(
            "\(subject) not written; --force overwrites:", .failure,
            hints: (differingLines + skippedLines).map { .fact($0) })
    }
}

extension FileSystem {
    /// Writes a file, which may exist, and makes the directories around it that do not exist.
    ///
    /// - Throws: ``FileError`` for a file or directory that can't be written.
    func writeCreatingDirectories(_ bytes: [UInt8], to path: String) throws {
        var directory = ""
        for name in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
            directory += name
            // An empty name stands for the root, or for a second slash.
            if !["", ".", ".."].contains(name) { try makeDirectory(directory) }
            directory += "/"
        }
        try replace(path, with: bytes)
    }
}
