import EndpointKit
import EndpointTools
import JSONText

/// A file of `check --cases` that has been decoded.
struct DecodedCaseFile: Sendable {
    let document: StrictDocument<CaseFile>
    /// The number of the file among the files of the run, from 0.
    let number: Int
    /// The text before the names of cases, which tells them from those of other files; empty for the only file.
    let namePrefix: String

    /// The cases in the order of the file.
    var entries: [CaseEntry] {
        let jsonCases = document.value(at: [.key("cases")]).list
        return zip(document.content.cases, jsonCases).enumerated().map { index, both in
            CaseEntry(file: self, index: index, content: both.0, json: both.1)
        }
    }
}

/// One case of a file: decoded, and as JSON with its places in the file.
struct CaseEntry: Sendable {
    let file: DecodedCaseFile
    /// The index of the case in its file, from 0.
    let index: Int
    let content: CaseFile.Case
    /// The JSON of the case, from which errors get their places.
    let json: JSONValue

    /// The number of the case in its file, from 1.
    var number: Int { index + 1 }

    /// The name in the file, or else `case 3`.
    var shownName: String { content.name ?? "case \(number)" }

    /// The names that the case captures values for.
    var captures: [CaseCaptures.Name] {
        (content.capture ?? [:]).keys.map { CaseCaptures.Name(file: file.number, index: index, text: $0) }
    }

    /// Whether one of the patterns matches the name of the case.
    ///
    /// - Parameter endpointName: The name of a case to which the file gives none.
    func isNamed(_ patterns: [String], endpointName: String) -> Bool {
        let name = content.name ?? endpointName
        return patterns.contains { NamePattern($0).matches(name) }
    }

    // MARK: Places

    /// Returns the place of the value that a path inside the case leads to, as the source of a value of a call.
    func source(_ path: JSONPathComponent...) -> ValueSource {
        .caseFile(file.document.place(at: path, in: json))
    }

    /// Returns the error that a value inside the case is wrong.
    func error(_ problem: String, at path: [JSONPathComponent] = []) -> UsageError {
        file.document.place(at: path, in: json).error(problem)
    }

    // MARK: Checks of the file

    /// Checks that the requirements of the case make sense.
    ///
    /// - Throws: ``UsageError`` with the place of a path or a requirement that can't be used.
    func checkExpectations() throws(UsageError) {
        let expectations = (content.expect ?? [:]).sorted { $0.key < $1.key }
        // A path with a placeholder is not known yet. It is parsed when the case runs.
        for (path, _) in expectations where path.placeholders.isEmpty && (try? JSONPath(path)) == nil {
            throw error("expected \(JSONPath.expectation), found '\(path)'", at: [.key("expect"), .key(path)])
        }
        for (path, expectation) in expectations {
            if let name = nullRequirement(at: path) {
                throw error("\(name) can't be null", at: [.key("expect"), .key(path), .key(name)])
            }
            if expectation.isEmpty {
                throw error("expected one of exists, type, equals, …", at: [.key("expect"), .key(path)])
            }
            if expectation.isImpossible {
                throw error("no value can meet this", at: [.key("expect"), .key(path)])
            }
        }
    }

    /// The paths in `expect` that must be paths of the response model.
    ///
    /// A case that expects another status than a success is about a body that the model does not describe, and a path
    /// with a placeholder is not known yet.
    var modelPaths: [String] {
        if let status = content.status {
            guard let known = try? status.known(), known.overlaps(200...299) else { return [] }
        }
        return (content.expect ?? [:]).keys.filter(\.placeholders.isEmpty).sorted()
    }

    /// Checks that a response model has the names of ``modelPaths``, as those of `--select` are checked.
    ///
    /// - Throws: ``UsageError`` with the place of a path that no response can have.
    func checkPaths(in model: SelectableModel) throws(UsageError) {
        for path in modelPaths {
            guard let query = try? JSONPath(path) else { continue }
            try model.check(query, option: path, source(.key("expect"), .key(path)))
        }
    }

    /// Returns the name of a requirement that is null although null means nothing for it; nil if there is none.
    ///
    /// Decoding can't find this, because it takes null for a missing member. Only `equals` and `contains` may be
    /// null.
    private func nullRequirement(at path: String) -> String? {
        let requirements = json["expect"]?[path]?.members ?? []
        let nullable: Set = ["equals", "contains"]
        return requirements.first { $0.value.isNull && !nullable.contains($0.key) }?.key
    }
}
