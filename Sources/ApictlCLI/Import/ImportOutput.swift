import APIImport
import EndpointKit

/// The output of an import: text for stdout, files, and a summary.
///
/// Functions `add` collect the output. Nothing is written before ``finish()``, so that sources with an error leave no
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
    ///   - context: The context.
    ///   - notes: Remarks about the sources, for the summary.
    init(_ options: ImportOptions, _ context: CommandContext, notes: [String]) {
        self.options = options
        self.context = context
        summary = ImportSummary(notes: notes)
        guard let into = options.into, !into.hasSuffix(".swift") else { return }
        directory = String(into.utf8.count > 1 && into.hasSuffix("/") ? into.dropLast() : into[...])
    }

    // MARK: Files

    /// The file system.
    var files: any FileSystem { context.environment.files }

    /// The target that the files become a part of; nil if there is no `Catalogue.swift`.
    var target: ImportTarget? { (directory ?? options.into).flatMap { ImportTarget(of: $0, files) } }

    /// Returns the content of a file; nil if the file does not exist.
    ///
    /// - Throws: ``FileError`` if the file can't be read.
    func content(_ path: String) throws -> [UInt8]? {
        do {
            return try files.readAll(path)
        } catch let error as FileError where error.isMissing {
            return nil
        }
    }

    /// Adds a file to write.
    ///
    /// A file that exists with another content is only overwritten with `--force`. Otherwise the summary lists it as
    /// differing, and the import fails at its end.
    ///
    /// - Throws: ``FileError`` if the existing file can't be read.
    mutating func write(_ path: String, _ bytes: [UInt8]) throws {
        let existing = try content(path)
        if existing == bytes { return }
        if existing == nil || options.force {
            changes.append(FileChange(path: path, bytes: bytes))
        } else {
            summary.differing.append(path)
        }
    }

    /// Adds files to write to a directory.
    ///
    /// - Parameters:
    ///   - files: The files with their paths in the directory.
    ///   - directory: The path of the directory, with a slash at its end; empty for the current one.
    mutating func write(_ files: [(path: String, text: [UInt8])], in directory: String) throws {
        for (path, text) in files { try write(directory + path, text) }
    }

    /// Adds an API or a document to the list in `Catalogue.swift`.
    ///
    /// Without this file, or if its list has an unknown layout, the summary says what is still to add.
    mutating func register(_ entry: CatalogueList.Entry) throws {
        guard let edit = target?.adding(entry) else {
            return summary.unregistered.append(": \(entry.text) to the list of APIs")
        }
        let bytes = edit.text.exactBytes
        if try content(edit.path) != bytes { edits.append(FileChange(path: edit.path, bytes: bytes)) }
    }

    /// Checks that no other API, compiled or in the target, has one of these names. With `--force`, nothing is checked.
    ///
    /// - Parameters:
    ///   - names: The names of the imported APIs.
    ///   - replaced: The names of the APIs that the import may overwrite.
    ///   - hint: Another solution, for the message. It comes before the advice to choose another name.
    /// - Throws: ``UsageError`` if a name is taken.
    func check(names: [String], replaced: Set<String>, hint: String = "") throws {
        guard !options.force else { return }
        let others = Set(context.registry.apis.map { $0.name }).subtracting(replaced).union(target?.apiNames ?? [])
        guard let name = names.first(where: others.contains) else { return }
        throw UsageError("there is an API \(name) already: \(hint)--name gives another name")
    }

    // MARK: The end

    /// Prints the text, writes the files, and tells what was done.
    ///
    /// - Returns: The exit code: a failure with `--strict` if something became JSON of any kind or bytes.
    /// - Throws: ``Failure`` with a list of the files that differ and were left as they are, and the errors of writing.
    mutating func finish() throws -> ExitCode {
        if !text.isEmpty { try context.environment.stdout.write(text) }
        let all = changes + (summary.differing.isEmpty ? edits : [])
        if options.dryRun {
            summary.notes += all.map { "would write \($0.path)" }
        } else {
            for change in all { try files.write(change.bytes, to: change.path) }
            summary.files = all.map(\.path)
        }
        try summary.print(context, directory)
        if options.report == "-" {
            try context.environment.stdout.write(summary.json)
        } else if let report = options.report {
            try files.replace(report, with: summary.json)
        }
        if let failure { throw failure }
        return options.strict && summary.isLoose ? .failure : .success
    }

    /// The failure that lists the files which were left as they are; nil if there are none.
    private var failure: Failure? {
        let count = summary.differing.count
        guard count > 0 else { return nil }
        let start = count == 1 ? "1 file differs and was" : "\(count) files differ and were"
        let skipped = edits.map { "  not changed either: \($0.path)" }
        return Failure(
            "\(start) not written; --force overwrites:", .failure,
            hints: (summary.differing.map { "  " + $0 } + skipped).map { .fact($0) })
    }
}

extension FileSystem {
    /// Writes a file, which may exist, and makes the directories around it.
    ///
    /// - Throws: ``FileError``
    func write(_ bytes: [UInt8], to path: String) throws {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        for end in parts.indices where !["", ".", ".."].contains(parts[end]) {
            try makeDirectory(parts[...end].joined(separator: "/"))
        }
        try replace(path, with: bytes)
    }
}
