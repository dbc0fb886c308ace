import EndpointKit
import JSONText
import Synchronization

extension CheckPreparation {
    /// The cases of the file at `path`, in its order. Throws ``FileError``, and ``UsageError`` with the place of what is wrong.
    func cases(_ path: String) throws -> [Check] {
        let file = try SettingsFile(CaseFile.self, path: path, context.environment.files)
        func error(_ problem: String, _ index: Int, _ keys: [String] = ["arguments"]) -> UsageError {
            file.error(problem, at: [.key("cases"), .index(index)] + keys.map { .key($0) })
        }
        let captures = Captures()
        let steps = try file.content.cases.enumerated().map { index, content in
            try CaseStep(content, number: index + 1, captures, self) { error($0, index, $1) }
        }
        // The last case so far that captures each name; and the last one that uses what a case captures.
        var owners: [String: Int] = [:]
        var lastUses = Array(steps.indices)
        for (index, step) in steps.enumerated() {
            for name in step.needed {
                guard let owner = owners[name] else { throw error("no earlier case captures '\(name)'", index) }
                lastUses[owner] = index
            }
            for name in step.content.captures.keys { owners[name] = index }
        }
        let secretCount = steps.flatMap(\.content.captures.keys).count(where: captures.isSecret) * options.repeats
        guard secretCount <= Captures.maxSecrets else {
            let problem = "\(secretCount) secrets would be captured, of which reports must show none"
            throw file.error("\(problem): expected at most \(Captures.maxSecrets)", at: [.key("cases")])
        }
        // All are resolved whatever the shard is: a wrong file is wrong on every machine.
        let checks = try steps.enumerated().map { index, step in
            do {
                return try step.needed.isEmpty ? step.check([:]) : step.unresolved
            } catch let usage as UsageError {
                throw error(usage.text, index)
            }
        }
        guard let shard = options.shard else { return checks }
        // The file is divided where nothing that was captured before is used after.
        var (part, end) = (-1, -1)
        return zip(checks, lastUses).enumerated()
            .filter { index, item in
                if index > end { part += 1 }
                end = max(end, item.1)
                return shard.includes(part)
            }
            .map(\.element.0)
    }
}

/// A case as a step of its file: it may use what earlier cases captured, and capture values for later ones.
struct CaseStep: Sendable {
    let content: CaseFile.Case
    /// The names in `{{NAME}}` in the arguments.
    let needed: [String]
    private let number: Int
    private let declaration: EndpointDeclaration
    /// The arguments in the way that a command line has them.
    private let words: [ParameterWord]
    private let captures: Captures
    private let preparation: CheckPreparation

    /// Throws what `error` makes of a problem and the keys that it stands under.
    init(
        _ content: CaseFile.Case, number: Int, _ captures: Captures, _ preparation: CheckPreparation,
        error: (_ problem: String, _ keys: [String]) -> UsageError
    ) throws {
        do {
            declaration = try preparation.context.registry.endpoint(Word(text: content.endpoint, position: 0))
        } catch let usage as UsageError {
            throw error(usage.text, ["endpoint"])
        }
        for path in (content.expect ?? [:]).keys where ValuePath(path) == nil {
            throw error("expected \(ValuePath.expectation), found '\(path)'", ["expect", path])
        }
        var words: [ParameterWord] = []
        var uses: [(name: String, parameter: String, key: String)] = []
        let parameters = declaration.signature.parameters
        for (name, value) in (content.arguments ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let parameter = parameters.first(where: { KebabCase.text($0.name) == KebabCase.text(name) }) else {
                let nearest = Nearest.match(name, in: parameters.map(\.name)).map { "; did you mean '\($0)'?" } ?? ""
                throw error("\(declaration.name) has no parameter '\(name)'\(nearest)", ["arguments", name])
            }
            let isJSON = parameter.type.isJSON || parameter.type.isDictionary
            // Null leaves out what may be left out.
            if value.isNull, !isJSON { continue }
            let values = parameter.type.isArray ? value.elements.map { Array($0) } ?? [value] : [value]
            words += values.map { value in
                let text = isJSON ? value.description : value.string ?? value.description
                return ParameterWord(
                    path: [parameter.name], word: Word(text: text, position: 0), mayBeJSON: isJSON)
            }
            uses += Self.uses(in: value, under: parameter.name).map { ($0.name, parameter.name, $0.key) }
        }
        needed = words.flatMap { Self.parts($0.word.text).filter(\.isName).map(\.text) }
        let credentials = uses.isEmpty ? [] : ParameterPlaces(of: declaration).credentials
        let secrets = uses.filter { credentials.contains($0.parameter) || SecretName.isCredential($0.key) }
        captures.addSecretNames(secrets.map(\.name))
        self.content = content
        self.number = number
        self.words = words
        self.captures = captures
        self.preparation = preparation
    }

    /// The names in `{{NAME}}` in the strings of `value`, each with the key that it stands under.
    private static func uses(in value: JSONValue, under key: String) -> [(name: String, key: String)] {
        switch value.content {
        case .string(let text): parts(text).filter(\.isName).map { ($0.text, key) }
        case .array(let elements): elements.flatMap { uses(in: $0, under: key) }
        case .object(let members): members.flatMap { uses(in: $0.value, under: $0.key) }
        case .null, .bool, .number: []
        }
    }

    private static func parts(_ text: String) -> [(text: String, isName: Bool)] {
        var parts: [(text: String, isName: Bool)] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            parts.append((String(rest[..<start.lowerBound]), false))
            parts.append((String(rest[start.upperBound..<end.lowerBound]), true))
            rest = rest[end.upperBound...]
        }
        return parts + [(String(rest), false)]
    }

    /// The check before the values that it needs are captured.
    var unresolved: Check {
        let call = CheckedCall(declaration, declaration.endpoint, example: number, isCase: true)
        return Check(call: call, action: .skip(nil), step: self)
    }

    /// The check with the values that were captured. Throws as ``CheckPreparation`` does.
    func check(_ captured: [String: String]) throws -> Check {
        let parameters = words.map { word in
            let text = Self.parts(word.word.text).map { part in
                guard part.isName, let value = captured[part.text] else { return part.text }
                // In JSON, the name stands in a string.
                return word.mayBeJSON ? String(JSONQuoting.quoted(value).dropFirst().dropLast()) : value
            }
            return ParameterWord(
                path: word.path, word: Word(text: text.joined(), position: 0), mayBeJSON: word.mayBeJSON)
        }
        return try preparation.check(
            declaration, declaration.endpoint, number, step: self, parameters: parameters, captured: captures.redactor)
    }

    /// Carries out `check` for the time `run`.
    func run(_ check: Check, _ run: Int) async throws(CancellationError) -> Check.Output {
        // Of several cases that capture the same name, the last one counts, even if it fails to.
        captures.remove(content.captures.keys)
        var output: Check.Output
        do {
            var check = check
            if !needed.isEmpty {
                guard let values = captures.values(needed) else {
                    let names = Set(needed).sorted().map { "{{\($0)}}" }.joined(separator: " or ")
                    return (CheckResult(check.call, run: run, notRun: names + " was not captured"), nil, nil)
                }
                check = try self.check(values)
            }
            output = try await check.send(run)
        } catch let error as CancellationError {
            throw error
        } catch {
            let problem = "a captured value does not fit: \((error as? UsageError)?.text ?? "\(error)")"
            let outcome = CheckOutcome(verdict: .failed, problems: [CheckProblem(.wrongValue, found: problem)])
            output = (CheckResult(check.call, run: run, outcome), nil, nil)
        }
        output.result.outcome = output.result.outcome.redacted(by: captures.redactor)
        return output
    }

    /// Adds what the case expects of the response and what it captures.
    func addExpectations(to check: inout EndpointCheck) {
        check.origin = "case"
        check.expectedStatus = content.status
        check.otherSecrets = { [captures] in captures.redactor }
        if let limit = content.maxLatency { check.maxLatency = limit.duration }
        let expectations = (content.expect ?? [:]).sorted { $0.key < $1.key }
            .compactMap { text, expectation in ValuePath(text).map { ($0, expectation) } }
        let paths = content.captures.sorted { $0.key < $1.key }
        guard !expectations.isEmpty || !paths.isEmpty else { return }
        check.expectations = { [captures, redactor = check.redactor, request = check.request] body in
            guard let document = try? JSONDocument(body) else {
                return [CheckProblem(.notJSON, expected: "JSON with the values of the case")]
            }
            var problems = expectations.flatMap { path, expectation in expectation.problems(path, in: document) }
            var values: [String: String] = [:]
            for (name, path) in paths {
                let value = try? path.values(in: document, max: 1).first
                values[name] = value.flatMap { $0.string ?? $0.number ?? $0.bool.map(String.init) }
                guard values[name] == nil else { continue }
                problems.append(
                    CheckProblem(
                        value == nil ? .missingKey : .wrongType, path: path.text, expected: "a value for {{\(name)}}",
                        found: value?.shown))
            }
            if !paths.isEmpty { captures.add(values, from: request) }
            return problems.map { $0.redacted(by: redactor) }
        }
    }
}

/// What the cases of a file have captured so far, for those after them.
final class Captures: Sendable {
    /// Captured secrets, at most: the search for them takes memory for each.
    static let maxSecrets = 10_000

    private struct Content {
        /// The names of values that are sent as credentials.
        var secretNames: Set<String> = []
        var values: [String: String] = [:]
        /// All secrets that were captured, and those of the requests whose responses gave values: a server may repeat them.
        var secrets: Set<String> = []
        var redactor = Redactor()
    }

    private let content = Mutex(Content())

    /// Knows all secrets so far.
    var redactor: Redactor { content.withLock(\.redactor) }

    func addSecretNames(_ names: [String]) { content.withLock { $0.secretNames.formUnion(names) } }

    func isSecret(_ name: String) -> Bool { content.withLock { $0.secretNames.contains(name) } }

    /// The values of those names; nil if one was not captured.
    func values(_ names: [String]) -> [String: String]? {
        let values = content.withLock(\.values)
        return names.allSatisfy { values[$0] != nil } ? values : nil
    }

    func remove(_ names: some Sequence<String>) {
        content.withLock { content in
            for name in names { content.values[name] = nil }
        }
    }

    /// Adds what the response to `request` gave.
    func add(_ values: [String: String], from request: Request) {
        content.withLock { content in
            content.values.merge(values) { $1 }
            let secrets = Redactor.secrets(of: [request])
                .union(values.filter { content.secretNames.contains($0.key) }.values)
                .subtracting(content.secrets)
            content.secrets.formUnion(secrets)
            content.redactor.add(secrets)
        }
    }
}
