import APIImport
import EndpointKit
import JSONText

/// The summary of an import, which is written at its end for people, and with `--report` for programs.
struct ImportSummary {
    /// The name of the API; empty if there are only models.
    var api = ""
    /// The numbers of imported parts: `2 endpoints, 1 model`.
    var contents = ""
    /// The endpoints as the report shows them: `{"name": …, "method": …, "path": …}`.
    var endpoints: [JSONValue] = []
    /// The names of the models.
    var models: [String] = []
    /// Whether something became JSON of any kind, bytes or a comment.
    var isLoose = false
    /// Members of the report that only one kind of import has.
    var details: [(String, JSONValue)] = []
    /// Remarks, each of which becomes a line.
    var notes: [String]
    /// The changes that a person has to make before the project has the API, such as `still to add: Shop.self to the
    /// list of APIs`.
    var manualSteps: [String] = []
    /// Whether samples were written or printed.
    var hasSamples = false
    /// The variables of the credentials, which a person has to set before a call.
    var variables: [NeededVariable] = []
    /// The files that were written.
    var files: [String] = []
    /// The files that were left as they are, because they differ from what the import would write.
    var differing: [String] = []
    /// The command to try next, quoted for a shell.
    var next: String?

    /// Writes the summary for people to stderr, a line for each fact. With `--json-errors`, nothing is written.
    ///
    /// - Parameters:
    ///   - context: The context of the command.
    ///   - importDirectory: The directory of the import, in which files are only counted. Files outside of it are
    ///     listed. Nil if the import has no directory, so that all files are listed.
    func print(_ context: CommandContext, importDirectory: String?) throws {
        guard !context.reportsJSON else { return }
        var lines = [api.isEmpty ? contents : "\(api): \(contents)"]
        lines += notes.map { "note: \($0)" }
        lines += writtenLines(importDirectory: importDirectory)
        lines += manualSteps.map { "note: \($0)" }
        if !variables.isEmpty { lines.append("to set: \(variables.map(\.description).joined(separator: ", "))") }
        // Secrets in samples are recognized by their names and forms, so that some may be left.
        if hasSamples { lines.append("note: check the samples before you commit them") }
        var text = lines.map { $0.safeToShow + "\n" }.joined()
        // The command to try is quoted for a shell, which makes it safe to show. Escaping its line breaks would change
        // it.
        if let next { text += "next: \(next)\n" }
        try context.environment.stderr.write(text)
    }

    /// Returns the lines about files that were written: `wrote Endpoints/Shop: 3 files` for those in a directory, and
    /// `wrote PATH` for each other file.
    private func writtenLines(importDirectory: String?) -> [String] {
        guard let importDirectory else { return files.map { "wrote \($0)" } }
        let filesInDirectory = files.filter { $0.hasPrefix(importDirectory + "/") }
        let otherFiles = files.filter { !$0.hasPrefix(importDirectory + "/") }
        var lines: [String] = []
        if !filesInDirectory.isEmpty {
            lines.append("wrote \(importDirectory): \(filesInDirectory.count.counted("file"))")
        }
        lines += otherFiles.map { "wrote \($0)" }
        return lines
    }

    /// The summary for programs, as `--report` writes it: one JSON object with a line break at its end.
    var json: [UInt8] {
        var members: [(String, JSONValue)] = [
            ("version", 1), ("api", JSONValue(api)), ("endpoints", JSONValue(endpoints)), ("models", models.json),
        ]
        members += details
        members += [
            ("notes", (notes + manualSteps).json), ("variables", variables.map(\.name).json),
            ("files", files.json), ("differing", differing.json),
        ]
        return Array(JSONValue(members).written) + [UInt8(ascii: "\n")]
    }
}
