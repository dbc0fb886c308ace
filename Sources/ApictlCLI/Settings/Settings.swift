import EndpointKit
import EndpointTools
import JSONText

/// The configuration file and the variables, read once.
struct Settings: Sendable {
    let configuration: Configuration?
    /// The variables of calls of the APIs that the configuration has, and of all others.
    private let own: [String: Variables]
    fileprivate let shared: Variables

    /// `environmentFiles` are those of `--env-file`, of which the last has the last word. Throws ``UsageError`` and ``FileError``.
    init(_ context: RunContext, environmentFiles: [Word] = []) throws {
        configuration = try Configuration(context)
        var values: [String: String] = [:]
        for word in environmentFiles {
            let (bytes, name) = try context.environment.file(word.text, limit: 1_000_000)
            values.merge(try EnvironmentFile(bytes, path: name).variables) { $1 }
        }
        let directory = FilePlace.directory(of: configuration?.path ?? "")
        own = (configuration?.sources ?? [:]).mapValues { [values] sources in
            Variables(context.environment, files: values, sources: sources, in: directory)
        }
        shared = Variables(context.environment, files: values)
    }

    /// What gives a credential of one API is not asked for another one.
    func variables(of api: any API.Type) -> Variables { own[api.name] ?? shared }
}

extension RunContext {
    /// This context with the variables of `--env-file` too.
    func with(_ settings: Settings) -> RunContext {
        var copy = self
        copy.environment.variable = { settings.shared.value($0) }
        return copy
    }
}

/// A JSON file that a person writes for this tool: what does not belong there is refused, with its line and column.
struct SettingsFile<Content: Decodable & Sendable>: Sendable {
    let content: Content
    let path: String
    private let help: String?
    private let document: JSONDocument

    /// The file at `path` with these bytes, which `help` explains; nil is the help of the command.
    ///
    /// Throws ``UsageError`` for anything that `Content` does not read.
    init(_ type: Content.Type, _ bytes: [UInt8], path: String, help: String? = nil, coding: Coding = Coding()) throws {
        self.path = path
        self.help = help
        func invalid(_ line: Int?, _ column: Int?, _ problem: String) -> UsageError {
            .invalidFile(path, line: line ?? 1, column: column ?? 1, problem: problem, see: help)
        }
        do {
            document = try JSONDocument(bytes)
            if let (name, slot) = Self.repeatedKey(in: JSONValue(document)) {
                let position = document.position(of: document.range(of: slot).lowerBound)
                throw invalid(position.line, position.column, "'\(name)' is given twice")
            }
            let survey = try Survey.of(document, as: type, coding: coding)
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

    /// The first key that an object has twice, and where; what is sent as it is may have such keys.
    private static func repeatedKey(in value: JSONValue) -> (name: String, slot: Int)? {
        var known: Set<String> = []
        for (key, value) in value.members ?? [] {
            if !known.insert(key).inserted { return (key, value.slot - 1) }
            if key != "body", let found = repeatedKey(in: value) { return found }
        }
        return value.elements?.lazy.compactMap(repeatedKey).first
    }

    /// The value at that place, or what is nearest to it.
    func value(at place: [JSONPathComponent]) -> JSONValue { JSONValue(document, slot: slot(at: place)) }

    private func slot(at place: [JSONPathComponent]) -> Int {
        place.reduce(JSONDocument.root) { document.child($1, of: $0) ?? $0 }
    }

    /// The error that something is wrong with the value at that place.
    func error(_ problem: String, at place: [JSONPathComponent]) -> UsageError {
        let position = document.position(of: document.range(of: slot(at: place)).lowerBound)
        return .invalidFile(path, line: position.line, column: position.column, problem: problem, see: help)
    }
}

extension CheckProblem {
    fileprivate var sentenceAboutFile: String {
        switch kind {
        case .unexpectedKey: "\(first ?? "$") is not known here"
        case .missingKey: "\(first ?? "$") is missing"
        default: CheckProblem(.wrongType, path: first, expected: expected, found: found).sentence
        }
    }
}

/// The only version of a file of settings that there is.
enum SettingsVersion: Int, Codable, Sendable, CaseIterable { case first = 1 }
