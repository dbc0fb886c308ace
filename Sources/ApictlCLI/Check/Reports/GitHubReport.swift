import EndpointKit
import EndpointTools

extension CheckReport {
    /// The most annotations of a kind. GitHub shows ten of each kind for a step, and more only make the log long.
    private static let maxAnnotations = 50

    /// Writes for GitHub Actions: annotations on the lines of the endpoints, and the summary of the step.
    ///
    /// The summary is appended to the file that GitHub names in `GITHUB_STEP_SUMMARY`. If that can't be written, a note
    /// on stderr says so: it must not fail checks that have passed.
    ///
    /// - Parameters:
    ///   - output: The output for the annotations.
    ///   - environment: The variables that GitHub sets, the files and stderr.
    /// - Throws: The error of the output.
    func writeGitHub(to output: any ByteOutput, _ environment: ProcessEnvironment) throws {
        for section in [Section.failed, .drifted, .flaky] {
            let annotatedResults = results.filter { section.includes($0) && !$0.annotationLines.isEmpty }
            // GitHub shows fewer annotations anyway, and more would only make the log long.
            for result in annotatedResults.prefix(Self.maxAnnotations) {
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
    /// Returns the workflow command for an annotation. It is on the line of the requirement in a file of cases, or on
    /// the line where the endpoint is declared.
    ///
    ///     ::error file=Endpoints/Movies/Movies.swift,line=27,title=movies.video::status: expected 2xx, found 404
    ///
    /// - Parameter directory: The directory that paths are relative to; nil leaves them as they are.
    fileprivate func annotation(directory: String?) -> String {
        let caseLine = outcome.problems.compactMap(\.caseLine).first ?? call.caseLine
        let path = Self.relativePath(of: caseLine?.file ?? call.source.file, in: directory)
        let line = caseLine?.line ?? call.source.line
        let properties = "file=\(path.annotationProperty),line=\(line),title=\(call.label.annotationProperty)"
        let command = outcome.verdict == .failed ? "error" : "warning"
        let message = annotationLines.joined(separator: "\n").annotationMessage
        return "::\(command) \(properties)::\(message)"
    }

    /// Returns the path of a file from a directory, or the whole path if the file is not in the directory.
    private static func relativePath(of file: String, in directory: String?) -> String {
        guard let directory, directory != "/", file.hasPrefix(directory + "/") else { return file }
        return String(file.dropFirst(directory.count + 1))
    }

    /// The lines of an annotation: the reason why nothing was sent, the problems, and the note that the check is flaky.
    /// Notes about absent keys are left out, because they are no reason for an annotation.
    fileprivate var annotationLines: [String] {
        var lines: [String] = []
        if let failedSkipLine { lines.append(failedSkipLine) }
        lines += outcome.problems.filter { $0.kind.verdict != .passed }.map(\.text)
        if outcome.isFlaky { lines += notes }
        return lines
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
