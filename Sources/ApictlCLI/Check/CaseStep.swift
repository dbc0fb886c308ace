import EndpointKit
import JSONText
import Synchronization

extension CheckPreparation {
    /// The cases of the file at `path`, in its order. Throws ``FileError``, and ``UsageError`` with the place of what is wrong.
    func cases(_ path: String) throws -> [Check] {
        let file = try SettingsFile(CaseFile.self, path: path, context.environment.files)
        let captures = Captures()
        var checks: [Check] = []
        // The last case so far that captures each name; and the last one that uses what a case captures.
        var owners: [String: Int] = [:]
        var lastUses = Array(file.content.cases.indices)
        for (index, content) in file.content.cases.enumerated() {
            func error(_ problem: String, _ keys: [String] = ["arguments"]) -> UsageError {
                file.error(problem, at: [.key("cases"), .index(index)] + keys.map { .key($0) })
            }
            let step = try CaseStep(content, number: index + 1, captures, self, error: error)
            for name in step.needed {
                guard let owner = owners[name] else { throw error("no earlier case captures '\(name)'") }
                lastUses[owner] = index
            }
            for captured in step.captured { owners[captured.name] = index }
            // All are resolved whatever the shard is: a wrong file is wrong on every machine.
            do {
                let unresolved = CheckedCall(
                    step.declaration, step.declaration.endpoint, example: index + 1, isCase: true)
                checks.append(step.needed.isEmpty ? try step.check([:]) : Check(call: unresolved, step: step))
            } catch let usage as UsageError {
                throw error(usage.text)
            }
        }
        guard let shard = options.shard else { return checks }
        // The file is divided where nothing that was captured before is used after.
        var (part, end) = (-1, -1)
        return checks.indices.filter { index in
            if index > end { part += 1 }
            end = max(end, lastUses[index])
            return shard.includes(part)
        }.map { checks[$0] }
    }
}

/// A case as a step of its file: it may use what earlier cases captured, and capture values for later ones.
struct CaseStep: Sendable {
    let needed: [String]
    let captured: [(name: String, path: String, query: JSONPath)]
    let captures: Captures
    let declaration: EndpointDeclaration
    private let expectedStatus: Int?
    private let maxLatency: Duration?
    private let number: Int
    private let arguments: [(parameter: Parameter, value: JSONValue)]
    private let expectations: [(path: String, query: JSONPath, expectation: Expectation)]
    private let preparation: CheckPreparation

    /// Throws what `error` makes of a problem and the keys that it stands under.
    init(
        _ content: CaseFile.Case, number: Int, _ captures: Captures, _ preparation: CheckPreparation,
        error: (_ problem: String, _ keys: [String]) -> UsageError
    ) throws {
        let declaration: EndpointDeclaration
        do {
            declaration = try preparation.context.registry.endpoint(Word(text: content.endpoint, position: 0))
        } catch let usage as UsageError {
            throw error(usage.text, ["endpoint"])
        }
        func query(_ path: String, _ keys: String...) throws -> JSONPath {
            if let query = try? JSONPath(path) { return query }
            throw error("expected a path such as results.0.id or $.results[0].id, found '\(path)'", keys)
        }
        expectations = try (content.expect ?? [:]).sorted { $0.key < $1.key }.map { path, expectation in
            (path, try query(path, "expect", path), expectation)
        }
        captured = try (content.capture ?? [:]).sorted { $0.key < $1.key }.map { name, path in
            (name, path, try query(path, "capture", name))
        }
        maxLatency = try content.maxLatency.map { text in
            if let limit = DurationText.parse(text) { return limit }
            throw error("expected \(DurationText.expectation), found '\(text)'", ["maxLatency"])
        }
        let parameters = declaration.signature.parameters
        arguments = try (content.arguments ?? [:]).sorted { $0.key < $1.key }.compactMap { name, value in
            guard let parameter = parameters.first(where: { KebabCase.text($0.name) == KebabCase.text(name) }) else {
                let question = Nearest.question(name, in: parameters.map(\.name))
                throw error("\(declaration.name) has no parameter '\(name)'\(question)", ["arguments", name])
            }
            // Null leaves out what may be left out.
            return value.isNull && !parameter.isJSON ? nil : (parameter, value)
        }
        var needed: [String] = []
        lazy var credentials = ParameterPlaces(of: declaration).credentials
        for (parameter, value) in arguments {
            _ = value.filled(under: parameter.name) { name, key in
                needed.append(name)
                if SecretName.isCredential(key) || credentials.contains(parameter.name) {
                    captures.content.withLock { _ = $0.secretNames.insert(name) }
                }
                return name
            }
        }
        self.needed = needed
        self.captures = captures
        expectedStatus = content.status
        self.number = number
        self.declaration = declaration
        self.preparation = preparation
    }

    /// The check with the values that were captured. Throws as ``CheckPreparation`` does.
    func check(_ values: [String: String]) throws -> Check {
        var words = CallWords(declaration)
        // In the way that a command line has them.
        words.parameters = arguments.flatMap { parameter, value in
            let value = needed.isEmpty ? value : value.filled(under: "") { name, _ in values[name] ?? name }
            let elements = parameter.type.isArray ? value.elements.map { Array($0) } : nil
            return (elements ?? [value]).map { value in
                let text = parameter.isJSON ? value.description : value.string ?? value.description
                return ParameterWord(
                    path: [parameter.name], word: Word(text: text, position: 0),
                    mayBeJSON: parameter.isJSON)
            }
        }
        return try preparation.check(words, number, self)
    }

    /// Carries out `check` for the time `run`. Throws `CancellationError`.
    func run(_ check: Check, _ run: Int) async throws -> Check.Output {
        // Of several cases that capture the same name, the last one counts, even if it fails to.
        let values = captures.content.withLock { content in
            for captured in captured { content.values[captured.name] = nil }
            return content.values
        }
        guard needed.allSatisfy({ values[$0] != nil }) else {
            let names = Set(needed).sorted().map { "{{\($0)}}" }.joined(separator: " or ")
            return (CheckResult(check.call, run: run, notRun: names + " was not captured"), nil, nil)
        }
        var output: Check.Output
        do {
            output = try await (needed.isEmpty ? check : self.check(values)).send(run)
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
        check.expectedStatus = expectedStatus
        check.otherSecrets = { [captures] in captures.redactor }
        if let maxLatency { check.maxLatency = maxLatency }
        guard !expectations.isEmpty || !captured.isEmpty else { return }
        check.expectations = { [self, redactor = check.redactor, request = check.request] body in
            guard let document = try? JSONDocument(body) else {
                return [CheckProblem(.notJSON, expected: "JSON with the values of the case")]
            }
            var problems = expectations.flatMap { $2.problems($0, $1, in: document) }
            var values: [String: String] = [:]
            for (name, path, query) in captured {
                let value = try? query.values(in: document, max: 1).first
                values[name] = value.flatMap { $0.string ?? $0.number ?? $0.bool.map(String.init) }
                guard values[name] == nil else { continue }
                problems.append(
                    CheckProblem(
                        value == nil ? .missingKey : .wrongType, path: path, expected: "a value for {{\(name)}}",
                        found: value?.shown))
            }
            if !captured.isEmpty { captures.add(values, from: request) }
            return problems.map { $0.redacted(by: redactor) }
        }
    }
}

extension Parameter {
    fileprivate var isJSON: Bool { type.isJSON || type.isDictionary }
}

extension JSONValue {
    /// This value with what `fill` returns in place of each `{{NAME}}`, given the name and the key that it stands under.
    fileprivate func filled(under key: String, _ fill: (_ name: String, _ key: String) -> String) -> JSONValue {
        switch content {
        case .string(let text): JSONValue(text.filled { fill($0, key) })
        case .array(let elements): JSONValue(elements.map { $0.filled(under: key, fill) })
        case .object(let members):
            JSONValue(members.map { key, value in (key.filled { fill($0, key) }, value.filled(under: key, fill)) })
        case .null, .bool, .number: self
        }
    }
}

extension String {
    fileprivate func filled(_ fill: (_ name: String) -> String) -> String {
        var text = ""
        var rest = self[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            text += rest[..<start.lowerBound] + fill(String(rest[start.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return text + rest
    }
}

/// What the cases of a file have captured so far, for those after them.
final class Captures: Sendable {
    struct Content {
        /// The names of values that are sent as credentials.
        var secretNames: Set<String> = []
        var values: [String: String] = [:]
        /// All secrets that were captured, and those of the requests whose responses gave values: a server may repeat them.
        var secrets: Set<String> = []
        var redactor = Redactor()
    }

    let content = Mutex(Content())

    var redactor: Redactor { content.withLock(\.redactor) }

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
