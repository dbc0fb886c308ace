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
        func fileError(_ problem: String, line: Int?, column: Int?) -> UsageError {
            .invalidFile(path, line: line ?? 1, column: column ?? 1, problem: problem)
        }
        do {
            document = try JSONDocument(bytes)
            if let repeatedKey = Self.repeatedKey(in: JSONValue(document)) {
                let position = document.position(of: document.range(of: repeatedKey.slot).lowerBound)
                throw fileError("'\(repeatedKey.name)' is given twice", line: position.line, column: position.column)
            }
            // The document is compared with the type as a response is with its model. This finds keys that decoding
            // ignores.
            let comparison = try ResponseComparison.compare(document, as: type, coding: coding)
            if let problem = Self.mostSpecificProblem(in: comparison) {
                let suggestion = Self.suggestion(for: problem, in: comparison)
                throw fileError(problem.sentenceAboutFile + suggestion, line: problem.line, column: problem.column)
            }
            content = try coding.decode(type, from: bytes)
        } catch let error as JSONSyntaxError {
            throw fileError(error.problem, line: error.line, column: error.column)
        } catch let error as ModelMismatch {
            let mismatch = error.mismatch
            throw fileError(
                "\(mismatch.path.pathText): \(mismatch.problem)", line: mismatch.line, column: mismatch.column)
        }
    }

    /// Returns the end of the message about an unknown key: `; did you mean 'arguments'?`
    ///
    /// The suggested key is the nearest one that the same object may have and that is not given. For all other
    /// problems, and if no key is near, the result is empty.
    private static func suggestion(for problem: CheckProblem, in comparison: ResponseComparison) -> String {
        guard problem.kind == .unexpectedKey, let path = problem.path, let lastDot = path.lastIndex(of: ".") else {
            return ""
        }
        // `$.cases[*].argument` has the parent `$.cases[*].` and the key `argument`.
        let parent = path[...lastDot]
        let key = path[path.index(after: lastDot)...]
        // Keys that may be missing are notes of the comparison, others are problems.
        let missingKeys = comparison.problems.filter { $0.kind == .missingKey } + comparison.places.notes
        let missingPaths = missingKeys.compactMap(\.path).filter { $0.hasPrefix(parent) }
        return NearestWord.question(String(key), in: missingPaths.map { String($0.dropFirst(parent.count)) })
    }

    /// Returns the problem that says most; nil if there is none.
    ///
    /// This is the first problem, or else one of a value inside it. A value that may have several forms fits none of
    /// them if a value inside it is wrong. Then the inner problem is the cause.
    private static func mostSpecificProblem(in comparison: ResponseComparison) -> CheckProblem? {
        guard let outer = comparison.problems.first else { return nil }
        // The property `first` of a problem is the path of the first value that has it. The path of an inner value
        // starts with that of the outer one and a dot.
        let innerPathStart = (outer.first ?? "") + "."
        let inner = comparison.problems.first { problem in problem.first?.hasPrefix(innerPathStart) == true }
        return inner ?? outer
    }

    /// A key that an object has twice.
    private struct RepeatedKey {
        let name: String
        /// The slot of the second key in the document.
        let slot: Int
    }

    /// Returns the first key that an object has twice, in a value or in the values inside it; nil if there is none.
    ///
    /// The member `body` of a case may have such keys, because it is sent as it is.
    private static func repeatedKey(in value: JSONValue) -> RepeatedKey? {
        var seenKeys: Set<String> = []
        for (key, member) in value.members ?? [] {
            // A document keeps a member's key in the slot before its value.
            if !seenKeys.insert(key).inserted { return RepeatedKey(name: key, slot: member.slot - 1) }
            if key != "body", let repeated = repeatedKey(in: member) { return repeated }
        }
        for element in value.elements ?? [] {
            if let repeated = repeatedKey(in: element) { return repeated }
        }
        return nil
    }

    // MARK: Places

    /// Returns the value that a path leads to, or the innermost value on the path that exists.
    ///
    /// - Parameters:
    ///   - path: The keys and positions that lead to the value.
    ///   - start: The value where the path starts; nil is the whole document.
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
    /// - Parameters:
    ///   - path: The keys and positions that lead to the value.
    ///   - start: The value where the path starts; nil is the whole document.
    func place(at path: [JSONPathComponent], in start: JSONValue? = nil) -> JSONPlace {
        JSONPlace(file: self.path, json: value(at: path, in: start))
    }

    /// Returns the error that the value at a path is wrong.
    func error(_ problem: String, at path: [JSONPathComponent]) -> UsageError {
        place(at: path).error(problem)
    }
}

extension CheckProblem {
    /// The problem in words about a file instead of a response, such as `$.cases[0].argument is not known here`.
    fileprivate var sentenceAboutFile: String {
        switch kind {
        case .unexpectedKey: "\(first ?? "$") is not known here"
        case .missingKey: "\(first ?? "$") is missing"
        default: CheckProblem(.wrongType, path: first, expected: expected, found: found).sentence
        }
    }
}
