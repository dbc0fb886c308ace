import EndpointKit
import EndpointTools
import JSONText

/// A JSON document in which every key must be known: `Content` reads all of them.
///
/// Files that a person writes and the arguments of an agent are read this way, so that a typing error is found.
struct StrictDocument<Content: Decodable & Sendable>: Sendable {
    let content: Content
    /// The name of the document in messages.
    let path: String
    private let document: JSONDocument

    /// Decodes a document.
    ///
    /// - Throws: ``UsageError`` with the place of a syntax error, a key that is given twice, or a value that `Content`
    ///   does not read.
    init(_ type: Content.Type, _ bytes: [UInt8], path: String, coding: Coding = Coding()) throws {
        self.path = path
        func invalid(_ problem: String, line: Int?, column: Int?) -> UsageError {
            .invalidFile(path, line: line ?? 1, column: column ?? 1, problem: problem)
        }
        do {
            document = try JSONDocument(bytes)
            if let key = Self.repeatedKey(in: JSONValue(document)) {
                let position = document.position(of: document.range(of: key.slot).lowerBound)
                throw invalid("'\(key.name)' is given twice", line: position.line, column: position.column)
            }
            // The document is compared with the type as a response is with its model. This finds keys that decoding
            // ignores.
            let comparison = try ResponseComparison.of(document, as: type, coding: coding)
            if let problem = Self.innermost(comparison.problems) {
                let question = Self.question(about: problem, comparison)
                throw invalid(problem.sentenceAboutFile + question, line: problem.line, column: problem.column)
            }
            content = try coding.decode(type, from: bytes)
        } catch let error as JSONSyntaxError {
            throw invalid(error.problem, line: error.line, column: error.column)
        } catch let error as ModelMismatch {
            let mismatch = error.mismatch
            throw invalid(
                "\(mismatch.path.pathText): \(mismatch.problem)", line: mismatch.line, column: mismatch.column)
        }
    }

    /// Returns the end of the message about an unknown key, which suggests the nearest key that is known there and not
    /// given: `; did you mean 'arguments'?`
    private static func question(about problem: CheckProblem, _ comparison: ResponseComparison) -> String {
        guard problem.kind == .unexpectedKey, let path = problem.path, let dot = path.lastIndex(of: ".") else {
            return ""
        }
        let parent = path[...dot]
        let missing = comparison.problems.filter { $0.kind == .missingKey } + comparison.places.notes
        let names = missing.compactMap(\.path).filter { $0.hasPrefix(parent) }.map {
            String($0.dropFirst(parent.count))
        }
        return NearestWord.question(String(path[dot...].dropFirst()), in: names)
    }

    /// Returns the problem that says most: the first one, or a problem of a value inside the one with the first
    /// problem.
    ///
    /// A value that may have several forms fits none of them if a value inside it is wrong. Then the inner problem is
    /// the cause.
    private static func innermost(_ problems: [CheckProblem]) -> CheckProblem? {
        guard let outer = problems.first else { return nil }
        // The path of an inner value starts with that of the outer one and a dot.
        let pathPrefix = (outer.first ?? "") + "."
        return problems.first { $0.first?.hasPrefix(pathPrefix) == true } ?? outer
    }

    /// A key that an object has twice.
    private struct RepeatedKey {
        let name: String
        /// The slot of the second key in the document.
        let slot: Int
    }

    /// Returns the first key that an object has twice; nil if there is none.
    ///
    /// The member `body` of a case may have such keys, because it is sent as it is.
    private static func repeatedKey(in value: JSONValue) -> RepeatedKey? {
        var known: Set<String> = []
        for (key, member) in value.members ?? [] {
            // A document keeps a member's key in the slot before its value.
            if !known.insert(key).inserted { return RepeatedKey(name: key, slot: member.slot - 1) }
            if key != "body", let repeated = repeatedKey(in: member) { return repeated }
        }
        return value.elements?.lazy.compactMap(repeatedKey).first
    }

    // MARK: Places

    /// Returns the value that a path leads to, or the innermost value on the path that exists.
    ///
    /// - Parameter start: The value where the path starts; nil is the whole document.
    func value(at path: [JSONPathComponent], in start: JSONValue? = nil) -> JSONValue {
        var slot = start?.slot ?? JSONDocument.root
        for component in path {
            guard let child = document.child(component, of: slot) else { break }
            slot = child
        }
        return JSONValue(document, slot: slot)
    }

    /// Returns the place of the value that a path leads to, or of the innermost value on the path that exists.
    ///
    /// - Parameter start: The value where the path starts; nil is the whole document.
    func place(at path: [JSONPathComponent], in start: JSONValue? = nil) -> JSONPlace {
        JSONPlace(file: self.path, json: value(at: path, in: start))
    }

    /// Returns the error that the value at a path is wrong.
    func error(_ problem: String, at path: [JSONPathComponent]) -> UsageError {
        place(at: path).error(problem)
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
