import APIImport
import EndpointKit
import JSONText

/// The summary of an import, which is written at its end for people, and with `--report` for programs.
struct ImportSummary {
    /// The name of the API; empty if there are only models.
    var api = ""
    /// The numbers of imported parts: `2 endpoints, 1 model`.
    var contents = ""
    var endpoints: [JSONValue] = []
    var models: [String] = []
    /// Whether something became JSON of any kind, bytes or a comment.
    var isLoose = false
    /// Members of the report that only one kind of import has.
    var details: [(String, JSONValue)] = []
    var notes: [String]
    /// The parts that people have to add to the project before it has the API. Each is printed after "still to add".
    var unregistered: [String] = []
    /// Whether samples were written or printed.
    var hasSamples = false
    var variables: [NeededVariable] = []
    /// The files that were written.
    var files: [String] = []
    /// The files that were left as they are, because they differ from what the import would write.
    var differing: [String] = []
    /// The command to try next, quoted for a shell.
    var next: String?

    /// Writes the summary for people to stderr; nothing with `--json-errors`.
    ///
    /// - Parameter directory: The directory of most files. Its files are only counted, other files are listed.
    func print(_ context: CommandContext, _ directory: String?) throws {
        guard !context.reportsJSON else { return }
        var lines = [api.isEmpty ? contents : "\(api): \(contents)"] + notes.map { "note: \($0)" }
        let inDirectory = files.filter { path in directory.map { path.hasPrefix($0 + "/") } ?? false }
        if let directory, !inDirectory.isEmpty {
            lines.append("wrote \(directory): \(inDirectory.count.counted("file"))")
        }
        lines += files.filter { !inDirectory.contains($0) }.map { "wrote \($0)" }
        lines += unregistered.map { "note: " + Self.stillToAdd($0) }
        if !variables.isEmpty { lines.append("to set: \(variables.map(\.description).joined(separator: ", "))") }
        // Secrets in samples are recognized by their names and forms, so that some may be left.
        if hasSamples { lines.append("note: check the samples before you commit them") }
        // The command to try is quoted for a shell, which makes it safe to show. Escaping its line breaks would change
        // it.
        let text = lines.map { $0.safeToShow + "\n" }.joined() + (next.map { "next: \($0)\n" } ?? "")
        try context.environment.stderr.write(text)
    }

    private static func stillToAdd(_ text: String) -> String { "still to add" + text }

    /// The summary for programs, as `--report` writes it.
    var json: [UInt8] {
        let members: [(String, JSONValue)] =
            [("version", 1), ("api", JSONValue(api)), ("endpoints", JSONValue(endpoints)), ("models", models.json)]
            + details
            + [
                ("notes", (notes + unregistered.map(Self.stillToAdd)).json), ("variables", variables.map(\.name).json),
                ("files", files.json),
                ("differing", differing.json),
            ]
        return Array(JSONValue(members).written) + [UInt8(ascii: "\n")]
    }
}
