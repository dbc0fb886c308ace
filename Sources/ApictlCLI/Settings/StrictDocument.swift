import EndpointKit
import EndpointTools
import JSONText

/// A JSON document that has nothing but what `Content` reads: a file that a person writes, the arguments of an agent.
struct StrictDocument<Content: Decodable & Sendable>: Sendable {
    let content: Content
    /// The name of the document in messages.
    let path: String
    private let document: JSONDocument

    /// Decodes a document.
    ///
    /// - Throws: ``UsageError`` with the line and column of what `Content` does not read.
    init(_ type: Content.Type, _ bytes: [UInt8], path: String, coding: Coding = Coding()) throws {
        self.path = path
        func invalid(_ line: Int?, _ column: Int?, _ problem: String) -> UsageError {
            .invalidFile(path, line: line ?? 1, column: column ?? 1, problem: problem)
        }
        do {
            document = try JSONDocument(bytes)
            if let (name, slot) = Self.repeatedKey(in: JSONValue(document)) {
                let position = document.position(of: document.range(of: slot).lowerBound)
                throw invalid(position.line, position.column, "'\(name)' is given twice")
            }
            let survey = try ResponseComparison.of(document, as: type, coding: coding)
            if let outer = survey.problems.first {
                // A value that may have several forms does not fit either if one inside it does not.
                let place = (outer.first ?? "") + "."
                let problem = survey.problems.first { $0.first?.hasPrefix(place) == true } ?? outer
                throw invalid(problem.line, problem.column, problem.sentenceAboutFile)
            }
            content = try coding.decode(type, from: bytes)
        } catch let error as JSONSyntaxError {
            throw invalid(error.line, error.column, error.problem)
        } catch let error as ModelMismatch {
            let mismatch = error.mismatch
            throw invalid(mismatch.line, mismatch.column, "\(mismatch.path.pathText): \(mismatch.problem)")
        }
    }

    /// Returns the first key that an object has twice, and its slot. What is sent as it is may have such keys.
    private static func repeatedKey(in value: JSONValue) -> (name: String, slot: Int)? {
        var known: Set<String> = []
        for (key, value) in value.members ?? [] {
            if !known.insert(key).inserted { return (key, value.slot - 1) }
            if key != "body", let found = repeatedKey(in: value) { return found }
        }
        return value.elements?.lazy.compactMap(repeatedKey).first
    }

    /// Returns the value at `place`, or at the last step of it that exists.
    func value(at place: [JSONPathComponent]) -> JSONValue { JSONValue(document, slot: slot(at: place)) }

    /// Returns the place of the value at a path, or at the last step of it that exists.
    func place(at path: [JSONPathComponent]) -> JSONPlace { JSONPlace(file: self.path, json: value(at: path)) }

    private func slot(at place: [JSONPathComponent]) -> Int {
        place.reduce(JSONDocument.root) { document.child($1, of: $0) ?? $0 }
    }

    /// Returns the error that the value at `place` is wrong.
    func error(_ problem: String, at place: [JSONPathComponent]) -> UsageError {
        self.place(at: place).error(problem)
    }
}

extension CheckProblem {
    /// The problem in words about a file instead of a response.
    fileprivate var sentenceAboutFile: String {
        switch kind {
        case .unexpectedKey: "\(first ?? "$") is not known here"
        case .missingKey: "\(first ?? "$") is missing"
        default: CheckProblem(.wrongType, path: first, expected: expected, found: found).sentence
        }
    }
}

/// The version of a file that a person writes. There is only one.
enum SettingsVersion: Int, Codable, Sendable, CaseIterable { case first = 1 }
