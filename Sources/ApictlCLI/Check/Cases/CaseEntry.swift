import EndpointKit
import EndpointTools
import JSONText

/// One case of a file, decoded and as JSON. The JSON knows its place in the file.
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

    /// The names that the case captures values for, in alphabetical order.
    var captures: [CaseCaptures.Name] {
        (content.capture ?? [:]).keys.sorted().map { CaseCaptures.Name(capturingCase: id, text: $0) }
    }

    // MARK: Places

    /// Returns the place of a value inside the case.
    ///
    /// - Parameter path: The path from the case to the value. If there is no such value, the place is that of the
    ///   innermost value on the path that exists.
    func place(at path: [JSONPathComponent]) -> JSONPlace { file.document.place(at: path, in: json) }

    /// Returns the place of a value inside the case, as the source of a value of a call.
    ///
    /// - Parameter path: The path from the case to the value.
    func source(_ path: JSONPathComponent...) -> ValueSource { .caseFile(place(at: path)) }

    /// The line where the case starts.
    var line: CaseLine { CaseLine(file: file.document.path, line: lineNumber) }

    /// Returns the line of a value inside the case. To find it, the file is read from its start.
    ///
    /// - Parameter path: The path from the case to the value.
    func line(of path: [JSONPathComponent]) -> CaseLine {
        let location = place(at: path).location
        return CaseLine(file: location.file, line: location.line)
    }

    /// Returns the error that a value inside the case is wrong.
    ///
    /// - Parameters:
    ///   - problem: What is wrong.
    ///   - path: The path from the case to the value; empty for the case as a whole.
    func error(_ problem: String, at path: [JSONPathComponent] = []) -> UsageError {
        place(at: path).error(problem)
    }

    // MARK: Checks of the file

    /// Checks that the members of the case make sense together.
    ///
    /// A case has one of `include`, `endpoint` and `url`. Each of them allows only some of the other members.
    ///
    /// - Throws: ``UsageError`` with the place of a member that the case can't have.
    func checkMembers() throws(UsageError) {
        if content.include != nil {
            let otherKey = json.pairs.map(\.0).first { $0 != "include" }
            if let otherKey { throw error("a case with include has no other members", at: [.key(otherKey)]) }
            return
        }
        if let skip = content.skip, skip.isEmpty { throw error("expected a reason", at: [.key("skip")]) }
        switch (content.endpoint, content.url) {
        case (nil, nil): throw error("expected endpoint, url or include")
        case (_?, _?): throw error("endpoint and url can't be used together", at: [.key("url")])
        case (_?, nil): try checkMembersOfEndpoint()
        case (nil, _?): try checkMembersOfURL()
        }
    }

    /// Checks that a case with `endpoint` has no members that are only for `url`.
    private func checkMembersOfEndpoint() throws(UsageError) {
        if content.method != nil { throw error("method is for url: an endpoint has its own", at: [.key("method")]) }
    }

    /// Checks that a case with `url` has no members that are only for `endpoint`.
    private func checkMembersOfURL() throws(UsageError) {
        if content.arguments != nil {
            throw error("arguments are for endpoint: a url has query and body", at: [.key("arguments")])
        }
        if content.auth != nil { throw error("auth is for endpoint: a url has headers", at: [.key("auth")]) }
    }

    /// Checks that the requirements of the case make sense.
    ///
    /// - Throws: ``UsageError`` with the place of a path or a requirement that can't be used.
    func checkExpectations() throws(UsageError) {
        let bodyExpectations = content.expect ?? [:]
        // A path with a placeholder is not known yet. It is parsed when the case runs.
        for path in bodyExpectations.keys.sorted() where path.placeholders.isEmpty {
            let isJSONPath = (try? JSONPath(path)) != nil
            if isJSONPath { continue }
            throw error("expected \(JSONPath.expectation), found '\(path)'", at: [.key("expect"), .key(path)])
        }
        try checkExpectations(bodyExpectations, ofMember: "expect")
        try checkExpectations(content.expectHeaders ?? [:], ofMember: "expectHeaders")
    }

    /// Checks that the requirements of a member of the case make sense.
    ///
    /// - Parameters:
    ///   - expectations: The requirements by paths, or by names of headers.
    ///   - member: The name of the member: `expect` or `expectHeaders`.
    /// - Throws: ``UsageError`` with the place of a requirement that can't be used.
    private func checkExpectations(
        _ expectations: [String: CaseExpectation], ofMember member: String
    ) throws(UsageError) {
        for (key, expectation) in expectations.sorted(by: { $0.key < $1.key }) {
            let path: [JSONPathComponent] = [.key(member), .key(key)]
            if let nullName = Self.nameOfNullRequirement(in: json[member]?[key]) {
                throw error("\(nullName) can't be null", at: path + [.key(nullName)])
            }
            if expectation.isEmpty { throw error("expected one of exists, type, equals, …", at: path) }
            if expectation.isImpossible { throw error("no value can meet this", at: path) }
        }
    }

    /// Returns the name of a requirement that is null, although null means nothing for it. Nil if there is none.
    ///
    /// Decoding can't find such a requirement, because it takes null for a missing member. Only `equals` and
    /// `contains` may be null: a response can have null, or a list with null.
    private static func nameOfNullRequirement(in requirements: JSONValue?) -> String? {
        let nullableNames: Set = ["equals", "contains"]
        return requirements?.members?.first { $0.value.isNull && !nullableNames.contains($0.key) }?.key
    }

    /// The paths in `expect` that must be paths of the response model.
    ///
    /// Paths with a placeholder are left out, because they are not known yet.
    var modelPaths: [String] {
        guard mayExpectSuccess else { return [] }
        return (content.expect ?? [:]).keys.filter(\.placeholders.isEmpty).sorted()
    }

    /// Whether the case expects a success (2xx), whose body the response model describes.
    ///
    /// False if the case expects another status, or one that is a placeholder: the model may not describe that body.
    private var mayExpectSuccess: Bool {
        guard let status = content.status else { return true }
        guard let statuses = try? status.knownValue() else { return false }
        return statuses.overlaps(200...299)
    }

    /// Checks that a response model has the names of ``modelPaths``, as those of `--select` are checked.
    ///
    /// - Throws: ``UsageError`` with the place of a path that no response can have.
    func checkModelPaths(in model: SelectableModel) throws(UsageError) {
        for path in modelPaths {
            // A path that can't be parsed is reported by `checkExpectations()`.
            guard let jsonPath = try? JSONPath(path) else { continue }
            try model.check(jsonPath, option: path, source(.key("expect"), .key(path)))
        }
    }
}
