import EndpointKit
import EndpointTools

extension CheckReport {
    /// The most annotations of a kind. GitHub shows ten of each kind for a step, and more only make the log long.
    private static let maxAnnotations = 50

    /// Writes for GitHub Actions: annotations on the lines of the endpoints, and the summary of the step.
    ///
    /// The summary is appended to the file that GitHub names. If that can't be written, a note says so: it must not
    /// fail checks that have passed.
    ///
    /// - Parameter output: The output for the annotations.
    /// - Throws: The error of the output.
    func writeGitHub(to output: any ByteOutput, _ environment: ProcessEnvironment) throws {
        for section in [Section.failed, .drifted, .flaky] {
            let annotated = results.lazy.filter { section.includes($0) && !$0.faults.isEmpty }
            for result in annotated.prefix(Self.maxAnnotations) {
                try output.write(result.annotation(directory: environment.value("PWD")) + "\n")
            }
        }
        guard let path = environment.value("GITHUB_STEP_SUMMARY") else { return }
        do {
            try appendMarkdown(to: path, environment.files)
        } catch {
            try? environment.stderr.write("note: no step summary: \(Failure(error).message.safeToShow)\n")
        }
    }

    /// Appends the report in Markdown to a file.
    ///
    /// - Throws: ``FileError``.
    private func appendMarkdown(to path: String, _ files: any FileSystem) throws {
        var earlierText: [UInt8] = []
        do {
            earlierText = try files.readAll(path)
        } catch let error as FileError where error.isMissing {
            // This is the first summary of the step.
        }
        let summary = BufferOutput()
        try ReportKind.md.write(self, to: summary)
        try files.replace(path, with: earlierText + summary.bytes)
    }
}

extension CheckResult {
    /// Returns the workflow command for an annotation on the line where the endpoint is declared.
    ///
    ///     ::error file=Endpoints/Movies/Movies.swift,line=27,title=movies.video::status: expected 2xx, found 404
    ///
    /// - Parameter directory: The directory that paths are relative to; nil leaves them as they are.
    fileprivate func annotation(directory: String?) -> String {
        // The requirement that is not met is in the file of cases. An example has only its declaration.
        let caseLine = outcome.problems.compactMap(\.caseLine).first ?? call.caseLine
        let place = caseLine.map { ($0.file, $0.line) } ?? (call.source.file, call.source.line)
        let file = Self.relativePath(place.0, in: directory)
        let command = outcome.verdict == .failed ? "error" : "warning"
        let properties = [
            "file=" + file.annotationProperty, "line=\(place.1)", "title=" + call.label.annotationProperty,
        ]
        let message = faults.joined(separator: "\n").annotationMessage
        return "::\(command) \(properties.joined(separator: ","))::\(message)"
    }

    /// Returns the path of a file from a directory, or the whole path if the file is not in the directory.
    private static func relativePath(_ file: String, in directory: String?) -> String {
        guard let directory, directory != "/", file.hasPrefix(directory + "/") else { return file }
        return String(file.dropFirst(directory.count + 1))
    }

    /// The texts of an annotation: the reason why nothing was sent, the problems, and the note that the check is flaky.
    fileprivate var faults: [String] {
        let problems =
            [skippedLine].compactMap(\.self) + outcome.problems.filter { $0.kind.verdict != .passed }.map(\.text)
        return outcome.isFlaky ? problems + notes : problems
    }
}

extension String {
    /// The text with escapes for the characters that end a message of a workflow command.
    fileprivate var annotationMessage: String {
        replacingBytes(of: "%", with: "%25").replacingBytes(of: "\r", with: "%0D").replacingBytes(of: "\n", with: "%0A")
    }

    /// The text with escapes for the characters that end a property of a workflow command.
    fileprivate var annotationProperty: String {
        annotationMessage.replacingBytes(of: ":", with: "%3A").replacingBytes(of: ",", with: "%2C")
    }
}

extension ProcessEnvironment {
    /// Returns a text without the commands that GitHub Actions and Azure Pipelines find anywhere in a line, such as
    /// `##[error]`. Elsewhere, the text stays as it is.
    ///
    /// A server could otherwise control the CI system by the texts that it sends. Commands that must start a line
    /// with `::` are left, because no line of a report starts with a text of a server.
    func withoutCommands(_ text: String) -> String {
        guard isSet("GITHUB_ACTIONS") || isSet("TF_BUILD") else { return text }
        return text.replacingBytes(of: "##[", with: "## [").replacingBytes(of: "##vso[", with: "##vso [")
    }
}
