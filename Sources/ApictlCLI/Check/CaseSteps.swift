import EndpointKit
import JSONText
import Synchronization

/// Reads the file of `--cases` and resolves its calls, which run one after the other.
struct CaseSteps {
    let path: String
    let preparation: CheckPreparation

    /// The checks in the order of the file. Throws ``FileError``, and ``UsageError`` with the place of what is wrong.
    func checks() throws -> [Check] {
        let file = try SettingsFile(CaseFile.self, path: path, preparation.context.environment.files)
        let cases = try file.content.cases.enumerated().map { try entry($1, $0, file) }
        // The last case so far that captures each name; and the last one that uses what a case captures.
        var owners: [String: Int] = [:]
        var lastUses = Array(cases.indices)
        for (index, (content, _, arguments)) in cases.enumerated() {
            for name in arguments.captures {
                guard let owner = owners[name] else {
                    throw file.error("no earlier case captures '\(name)'", at: Self.place(index, "arguments"))
                }
                lastUses[owner] = index
            }
            for name in (content.capture ?? [:]).keys { owners[name] = index }
        }
        let captures = Captures(secretNames: Set(cases.flatMap(\.arguments.secretCaptures)))
        let secretCount = cases.flatMap { $0.content.capture.map { Array($0.keys) } ?? [] }
            .count(where: captures.secretNames.contains)
        guard secretCount * preparation.options.repeats <= Captures.maxSecrets else {
            let times = preparation.options.repeats > 1 ? ", \(preparation.options.repeats) times" : ""
            throw file.error(
                "\(secretCount) captured values are sent as credentials\(times): expected at most "
                    + "\(Captures.maxSecrets) in all, as each is kept out of every report",
                at: [.key("cases")])
        }
        // All are resolved whatever the shard is: a wrong file is wrong on every machine.
        let checks = try cases.enumerated().map { index, item in
            let step = CaseStep(
                declaration: item.declaration, number: index + 1, content: item.content, arguments: item.arguments,
                captures: captures, preparation: preparation)
            guard item.arguments.captures.isEmpty else { return step.waiting }
            do {
                return try step.check([:])
            } catch let error as UsageError {
                throw file.error(error.text, at: Self.place(index, "arguments"))
            }
        }
        guard let shard = preparation.options.shard else { return checks }
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

    private static func place(_ index: Int, _ keys: String...) -> [JSONPathComponent] {
        [.key("cases"), .index(index)] + keys.map { .key($0) }
    }

    private func entry(
        _ content: CaseFile.Case, _ index: Int, _ file: SettingsFile<CaseFile>
    ) throws -> (content: CaseFile.Case, declaration: EndpointDeclaration, arguments: CaseArguments) {
        let declaration: EndpointDeclaration
        do {
            declaration = try preparation.context.registry.endpoint(Word(text: content.endpoint, position: 0))
        } catch let error as UsageError {
            throw file.error(error.text, at: Self.place(index, "endpoint"))
        }
        for path in (content.expect ?? [:]).keys where ValuePath(path) == nil {
            throw file.error(
                "expected \(ValuePath.expectation), found '\(path)'", at: Self.place(index, "expect", path))
        }
        do throws(CaseArguments.UnknownParameter) {
            return (content, declaration, try CaseArguments(content.arguments ?? [:], of: declaration))
        } catch {
            let nearest = error.nearest.map { "; did you mean '\($0)'?" } ?? ""
            throw file.error(
                "\(declaration.name) has no parameter '\(error.name)'\(nearest)",
                at: Self.place(index, "arguments", error.name))
        }
    }
}

/// A case as a step of its file: it may use what earlier cases captured, and capture values for later ones.
struct CaseStep: Sendable {
    let declaration: EndpointDeclaration
    /// From 1.
    let number: Int
    let content: CaseFile.Case
    let arguments: CaseArguments
    let captures: Captures
    let preparation: CheckPreparation

    /// The check before the values that it needs are captured.
    var waiting: Check {
        let call = CheckedCall(declaration, declaration.endpoint, example: number, isCase: true)
        return Check(call: call, action: .wait, step: self)
    }

    /// The check with the values that were captured. Throws as ``CheckPreparation`` does.
    func check(_ captured: [String: String]) throws -> Check {
        try preparation.check(
            declaration, declaration.endpoint, number, step: self, parameters: arguments.parameters(captured)
        ) { try $0.plan() }
    }

    /// Carries out `check` for the time `run`.
    func run(_ check: Check, _ run: Int) async throws(CancellationError) -> Check.Output {
        // Of several cases that capture the same name, the last one counts, even if it fails to.
        captures.remove((content.capture ?? [:]).keys)
        guard case .wait = check.action else { return redacted(try await check.send(run)) }
        guard let values = captures.values(arguments.captures) else {
            let names = Set(arguments.captures).sorted().map { "{{\($0)}}" }.joined(separator: " or ")
            return (CheckResult(check.call, run: run, notRun: names + " was not captured"), nil, nil)
        }
        do {
            return redacted(try await self.check(values).send(run))
        } catch let error as CancellationError {
            throw error
        } catch {
            let problem = "a captured value does not fit: \((error as? UsageError)?.text ?? "\(error)")"
            let outcome = CheckOutcome(verdict: .failed, problems: [CheckProblem(.wrongValue, found: problem)])
            return redacted((CheckResult(check.call, run: run, outcome), nil, nil))
        }
    }

    private func redacted(_ output: Check.Output) -> Check.Output {
        var output = output
        if let redactor = captures.redactor { output.result.outcome = output.result.outcome.redacted(by: redactor) }
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
        let paths = (content.capture ?? [:]).sorted { $0.key < $1.key }
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

/// What cases have captured so far, for those after them.
final class Captures: Sendable {
    /// Captured secrets, at most: the search for them takes memory for each.
    static let maxSecrets = 1000

    private struct Content {
        var values: [String: String] = [:]
        var secrets: Set<String> = []
        var redactor: Redactor?
    }

    /// The names of values that are sent as credentials.
    let secretNames: Set<String>
    private let content = Mutex(Content())

    init(secretNames: Set<String>) { self.secretNames = secretNames }

    /// Knows all secrets that were captured, and those of the requests whose responses gave values; nil if there are none.
    var redactor: Redactor? { content.withLock(\.redactor) }

    /// The values of those names; nil if one was not captured.
    func values(_ names: [String]) -> [String: String]? {
        content.withLock { content in
            let values = content.values.filter { names.contains($0.key) }
            return values.count == Set(names).count ? values : nil
        }
    }

    func remove(_ names: some Sequence<String>) {
        content.withLock { content in
            for name in names { content.values[name] = nil }
        }
    }

    /// Adds what the response to `request` gave. The server may have repeated the secrets of the request.
    func add(_ values: [String: String], from request: Request) {
        let secrets = Redactor.secrets(of: [request])
            .union(values.filter { secretNames.contains($0.key) }.values)
        content.withLock { content in
            content.values.merge(values) { $1 }
            guard !secrets.isSubset(of: content.secrets) else { return }
            content.secrets.formUnion(secrets)
            content.redactor = Redactor(secrets: content.secrets)
        }
    }
}
