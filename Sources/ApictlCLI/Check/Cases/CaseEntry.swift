import EndpointKit
import EndpointTools
import JSONText

/// A file of `check --cases` that has been decoded.
struct DecodedCaseFile: Sendable {
    let document: StrictDocument<CaseFile>
    /// The number of the file among the files of the run, from 0. A file that is included twice has two numbers.
    let number: Int
    /// The text before the names of cases, which tells them from those of other files; empty for the only file.
    let namePrefix: String
    /// The paths of this file and of those that include it, without links, to find a file that includes itself.
    let openPaths: [String]

    /// A list of cases in a file.
    enum Section: String, Sendable, CaseIterable {
        case setup, cases, cleanup

        /// The word before the number of a case without a name: `case 3`.
        var word: String { self == .cases ? "case" : rawValue }
    }

    /// Returns the cases of a section in the order of the file.
    func entries(of section: Section) -> [CaseEntry] {
        let cases =
            switch section {
            case .setup: document.content.setup ?? []
            case .cases: document.content.cases
            case .cleanup: document.content.cleanup ?? []
            }
        if cases.isEmpty { return [] }
        let list = document.value(at: [.key(section.rawValue)])
        let jsonCases = list.list
        // All places are found together, in one pass over the text.
        let places = list.document.positions(of: jsonCases.map { list.document.range(of: $0.slot).lowerBound })
        return cases.indices.map { index in
            CaseEntry(
                file: self, section: section, index: index, lineNumber: places[index].line, content: cases[index],
                json: jsonCases[index])
        }
    }
}

/// One case of a file: decoded, and as JSON with its places in the file.
struct CaseEntry: Sendable {
    let file: DecodedCaseFile
    let section: DecodedCaseFile.Section
    /// The index of the case in its section, from 0.
    let index: Int
    /// The line where the case starts, from 1.
    let lineNumber: Int
    let content: CaseFile.Case
    /// The JSON of the case, from which errors get their places.
    let json: JSONValue

    /// Identifies a case among all cases of a run.
    struct ID: Sendable, Hashable {
        /// The number of the case's file among the files of the run.
        let file: Int
        let section: DecodedCaseFile.Section
        let index: Int
    }

    var id: ID { ID(file: file.number, section: section, index: index) }

    /// The number of the case in its section, from 1.
    var number: Int { index + 1 }

    /// The name in the file, or else `case 3`.
    var shownName: String { content.name ?? "\(section.word) \(number)" }

    /// The names that the case captures values for.
    var captures: [CaseCaptures.Name] {
        (content.capture ?? [:]).keys.map { CaseCaptures.Name(owner: id, text: $0) }
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

    /// The line where the case starts.
    var line: CaseLine { CaseLine(file: file.document.path, line: lineNumber) }

    /// Returns the line of the value that a path inside the case leads to. The file is read from its start to find it.
    func line(of path: [JSONPathComponent]) -> CaseLine {
        let location = file.document.place(at: path, in: json).location
        return CaseLine(file: location.file, line: location.line)
    }

    /// Returns the error that a value inside the case is wrong.
    func error(_ problem: String, at path: [JSONPathComponent] = []) -> UsageError {
        file.document.place(at: path, in: json).error(problem)
    }

    // MARK: Checks of the file

    /// Checks that the members of the case make sense together.
    ///
    /// - Throws: ``UsageError`` with the place of a member that the case can't have.
    func checkMembers() throws(UsageError) {
        if content.include != nil {
            if let key = json.pairs.first(where: { $0.0 != "include" })?.0 {
                throw error("a case with include has no other members", at: [.key(key)])
            }
            return
        }
        if let skip = content.skip, skip.isEmpty { throw error("expected a reason", at: [.key("skip")]) }
        switch (content.endpoint, content.url) {
        case (nil, nil): throw error("expected endpoint, url or include")
        case (_?, _?): throw error("endpoint and url can't be used together", at: [.key("url")])
        case (_?, nil):
            if content.method != nil { throw error("method is for url: an endpoint has its own", at: [.key("method")]) }
        case (nil, _?):
            if content.arguments != nil {
                throw error("arguments are for endpoint: a url has query and body", at: [.key("arguments")])
            }
            if content.auth != nil { throw error("auth is for endpoint: a url has headers", at: [.key("auth")]) }
        }
    }

    /// Checks that the requirements of the case make sense.
    ///
    /// - Throws: ``UsageError`` with the place of a path or a requirement that can't be used.
    func checkExpectations() throws(UsageError) {
        // A path with a placeholder is not known yet. It is parsed when the case runs.
        for path in (content.expect ?? [:]).keys.sorted() where path.placeholders.isEmpty {
            guard (try? JSONPath(path)) == nil else { continue }
            throw error("expected \(JSONPath.expectation), found '\(path)'", at: [.key("expect"), .key(path)])
        }
        try checkExpectations(content.expect ?? [:], of: "expect")
        try checkExpectations(content.expectHeaders ?? [:], of: "expectHeaders")
    }

    /// Checks that the requirements of a member of the case make sense.
    ///
    /// - Parameters:
    ///   - expectations: The requirements by paths, or by names of headers.
    ///   - member: The name of the member: `expect` or `expectHeaders`.
    /// - Throws: ``UsageError`` with the place of a requirement that can't be used.
    private func checkExpectations(
        _ expectations: [String: CaseExpectation], of member: String
    ) throws(UsageError) {
        for (key, expectation) in expectations.sorted(by: { $0.key < $1.key }) {
            let path: [JSONPathComponent] = [.key(member), .key(key)]
            if let name = nullRequirement(of: json[member]?[key]) {
                throw error("\(name) can't be null", at: path + [.key(name)])
            }
            if expectation.isEmpty { throw error("expected one of exists, type, equals, …", at: path) }
            if expectation.isImpossible { throw error("no value can meet this", at: path) }
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
    private func nullRequirement(of requirements: JSONValue?) -> String? {
        let nullable: Set = ["equals", "contains"]
        return requirements?.members?.first { $0.value.isNull && !nullable.contains($0.key) }?.key
    }
}
