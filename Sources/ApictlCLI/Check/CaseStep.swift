import EndpointKit
import EndpointTools
import JSONText
import Synchronization

extension CheckPreparation {
    /// The cases of the files that are chosen, each file a chain; `-` is stdin. Throws ``FileError``, and ``UsageError`` with the place of what
    /// is wrong.
    func cases(_ paths: [SourcedText]) async throws -> CheckSelection {
        var selection = CheckSelection()
        let captures = CaseCaptures()
        var declarations: [String: EndpointDeclaration] = [:]
        var part = -1
        var matched: Set<String> = []
        for (number, path) in paths.enumerated() {
            let (bytes, name) = try context.environment.file(path.text)
            let file = try StrictDocument(CaseFile.self, bytes, path: name)
            if file.content.cases.isEmpty { throw file.error("the file has no cases", at: [.key("cases")]) }
            var steps: [CaseStep] = []
            // The last case so far that captures each name.
            var owners: [String: CaseCaptures.Name] = [:]
            for (index, json) in file.value(at: [.key("cases")]).list.enumerated() {
                let step = try CaseStep(
                    file, number, index, json, owners, captures, self, &declarations, isOneOf: paths.count)
                for name in step.captured { owners[name.text] = name }
                steps.append(step)
            }
            matched.formUnion(options.running.caseNames.filter { name in steps.contains { $0.isNamed([name]) } })
            // All are resolved whatever is chosen: a wrong file is wrong on every machine.
            var checks: [PlannedCheck] = []
            for step in steps { checks.append(try await step.unfilled()) }
            var chosen = Set(
                steps.indices.filter {
                    options.running.caseNames.isEmpty || steps[$0].isNamed(options.running.caseNames)
                })
            // With the cases whose captures they use.
            for index in steps.indices.reversed() where chosen.contains(index) {
                chosen.formUnion(steps[index].needed.values.map(\.index))
            }
            selection.count += chosen.count
            // A file in which cases use what others capture is one part.
            let isWhole = steps.contains { !$0.needed.isEmpty }
            selection.append(
                chosen.sorted().enumerated().filter { place, _ in
                    if place == 0 || !isWhole { part += 1 }
                    return options.running.shard?.includes(part) ?? true
                }.map { checks[$1] })
        }
        if let pattern = options.running.caseNames.first(where: { !matched.contains($0) }) {
            throw UsageError("no case matches '\(pattern)'")
        }
        return selection
    }
}

/// A case in its place among the others of its file: it may use what earlier cases captured, and capture values for later ones.
struct CaseStep: Sendable {
    /// The names of `{{NAME}}` in it, and those that earlier cases capture for them.
    let needed: [String: CaseCaptures.Name]
    /// What it captures.
    let captured: [CaseCaptures.Name]
    private let number: Int
    private let content: CaseFile.Case
    private let json: JSONValue
    private let call: CheckedCall
    /// What is before its name if there are several files.
    private let prefix: String
    private let captures: CaseCaptures
    private let preparation: CheckPreparation
    private let file: StrictDocument<CaseFile>

    /// The case of that index in a file of that number. Throws ``UsageError`` with the place of what is wrong.
    init(
        _ file: StrictDocument<CaseFile>, _ fileNumber: Int, _ index: Int, _ json: JSONValue,
        _ owners: [String: CaseCaptures.Name], _ captures: CaseCaptures, _ preparation: CheckPreparation,
        _ declarations: inout [String: EndpointDeclaration], isOneOf files: Int
    ) throws {
        self.file = file
        self.json = json
        self.captures = captures
        self.preparation = preparation
        number = index + 1
        let content = file.content.cases[index]
        self.content = content
        captured = (content.capture ?? [:]).keys.map { CaseCaptures.Name(file: fileNumber, index: index, text: $0) }
        let place: [JSONPathComponent] = [.key("cases"), .index(index)]
        func error(_ problem: String, _ rest: JSONPathComponent...) -> UsageError {
            file.error(problem, at: place + rest)
        }
        let declaration: EndpointDeclaration
        do {
            let word = SourcedText(content.endpoint, .caseFile(file.place(at: place + [.key("endpoint")])))
            declaration = try declarations[word.text] ?? preparation.context.registry.endpoint(word)
            declarations[word.text] = declaration
        } catch let usage as UsageError {
            throw error(usage.problem, .key("endpoint"))
        }
        prefix = files > 1 ? file.path + " " : ""
        call = CheckedCall(
            declaration, declaration.endpoint, example: number,
            caseName: (prefix + (content.name ?? "case \(number)")).safeToShow)
        for path in (content.expect ?? [:]).keys.sorted()
        where path.placeholders.isEmpty && (try? JSONPath(path)) == nil {
            throw error("expected \(JSONPath.expectation), found '\(path)'", .key("expect"), .key(path))
        }
        for (path, expectation) in content.expect ?? [:] {
            let members = json["expect"]?[path]?.members ?? []
            if let name = members.first(where: { $0.value.isNull && !["equals", "contains"].contains($0.key) })?.key {
                throw error("\(name) can't be null", .key("expect"), .key(path), .key(name))
            }
            if expectation.isEmpty {
                throw error("expected one of exists, type, equals, …", .key("expect"), .key(path))
            }
            if expectation.isImpossible { throw error("no value can meet this", .key("expect"), .key(path)) }
        }
        var needed: [String: CaseCaptures.Name] = [:]
        lazy var places = ParameterPlaces(of: declaration)
        _ = try json.filled { name, keys in
            guard let owner = owners[name] else {
                throw file.error("no earlier case captures '\(name)'", at: place + keys)
            }
            needed[name] = owner
            if declaration.isCredential(keys, places) { captures.setSecret(owner) }
            return nil
        }
        self.needed = needed
    }

    /// Whether its name, or its endpoint's if it has none, matches one of the patterns.
    func isNamed(_ patterns: [String]) -> Bool {
        patterns.contains { NamePattern($0).matches(content.name ?? call.declaration.name) }
    }

    /// The check, as far as it is known before anything is captured. Throws ``UsageError`` with the place of what is wrong.
    fileprivate func unfilled() async throws -> PlannedCheck {
        do {
            if needed.isEmpty { return try await check(content) }
            _ = try await check(content, standIns: call.declaration.firstCall.values().parameters)
            return PlannedCheck(call: call, step: self)
        } catch let usage as UsageError where usage.see == nil && usage.location == nil {
            throw file.error(usage.problem, at: [.key("cases"), .index(number - 1)])
        }
    }

    /// Carries out `check` with the values that earlier cases captured.
    ///
    /// - Parameter archive: Where its exchange is recorded.
    /// - Throws: `CancellationError`.
    func run(_ check: PlannedCheck, _ archive: HARLog?) async throws -> CheckResult {
        let values = needed.compactMapValues(captures.value)
        guard values.count == needed.count else {
            let names = needed.keys.filter { values[$0] == nil }.sorted().map { "{{\($0)}}" }
            let verb = names.count == 1 ? "was" : "were"
            return CheckResult(check.call, .skipped("\(names.joined(separator: " and ")) \(verb) not captured"))
        }
        var check = check
        if !needed.isEmpty {
            do {
                let json = json.filled { name, _ in values[name] ?? nil }
                check = try await self.check(Coding().decode(CaseFile.Case.self, from: Array(json.written)))
            } catch let error where !(error is CancellationError) {
                let problem = Self.misfit(error).redacted(by: captures.redactor)
                return CheckResult(check.call, CheckOutcome(verdict: .failed, problems: [problem]))
            }
        }
        var result = try await check.send(archive)
        result.outcome = result.outcome.redacted(by: captures.redactor)
        return result
    }

    /// Returns the place of a value of the case, to which these keys lead.
    private func source(_ keys: String...) -> ValueSource {
        let path = [.key("cases"), .index(number - 1)] + keys.map { JSONPathComponent.key($0) }
        return .caseFile(file.place(at: path))
    }

    private static func misfit(_ error: any Error) -> CheckProblem {
        let problem = (error as? UsageError)?.problem ?? "\(error)"
        return CheckProblem(.wrongValue, found: "a captured value does not fit: \(problem)")
    }

    /// The check of the case with all values known; or, with values to stand in for arguments that are not, as far as it is known. Throws as
    /// ``CheckPreparation/check(_:_:_:)`` does.
    private func check(
        _ content: CaseFile.Case, standIns: [(name: String, value: JSONValue)]? = nil
    ) async throws -> PlannedCheck {
        func isKnown(_ value: JSONValue) -> Bool { standIns == nil || value.description.placeholders.isEmpty }
        let name = captures.redactor.redact(content.name ?? "case \(number)")
        let call = CheckedCall(
            call.declaration, call.declaration.endpoint, example: number, caseName: (prefix + name).safeToShow)
        var request = CallRequest(call.declaration)
        for (name, value) in (content.arguments ?? [:]).sorted(by: { $0.key < $1.key }) {
            let source = source("arguments", name)
            let parameter = try request.declaration.parameter(named: name, from: source)
            let standIn = standIns?.first { $0.name == parameter.name }?.value
            try request.take(isKnown(value) ? value : standIn ?? value, for: name, from: source)
        }
        request.options = preparation.options.call
        var choices = request.options.request
        for (name, value) in (content.query ?? [:]).sorted(by: { $0.key < $1.key }) where !value.isNull {
            choices.query += value.list.map { QueryItem(name, $0.text) }
        }
        for (name, value) in (content.headers ?? [:]).sorted(by: { $0.key < $1.key })
        where isKnown(JSONValue(name)) && isKnown(value) {
            choices.headers.append(try header(name, value))
        }
        if let body = content.body { choices.body = SourcedText(body.json.description, source("body")) }
        if let auth = content.auth, isKnown(JSONValue(auth)) { choices.auth = SourcedText(auth, source("auth")) }
        request.options.request = choices
        if standIns == nil, let retry = try content.retry?.known() {
            request.options.transfer.retry = Sourced(retry, source("retry"))
        }
        var check = try await preparation.check(request, call, captures.redactor)
        check.step = self
        guard standIns == nil, var sent = check.sent?.check else { return check }
        sent.origin = "case"
        sent.expected.status = try content.status?.known() ?? sent.expected.status
        sent.expected.maxLatency = try content.maxLatency?.known() ?? sent.expected.maxLatency
        sent.otherSecrets = { [captures] in captures.redactor }
        if content.expect != nil || content.capture != nil {
            sent.expected.body = { [redactor = sent.redactor, request = sent.request] body in
                do {
                    return try judge(body, content, request).map { $0.redacted(by: redactor) }
                } catch {
                    return [Self.misfit(error).redacted(by: redactor)]
                }
            }
        }
        check.sent?.check = sent
        return check
    }

    /// Returns what a member of `headers` means: null removes the header.
    ///
    /// - Throws: ``UsageError`` for a header that can't be sent.
    private func header(_ name: String, _ value: JSONValue) throws(UsageError) -> HeaderChange {
        do {
            let header = try Header(name, value.isNull ? "" : value.text).checked()
            return value.isNull ? .remove(name) : .add(header)
        } catch {
            throw .invalidHeader(name: name, problem: error.headerFault, source: source("headers", name))
        }
    }

    /// What the body of a response is not that was expected. Captures values of it.
    private func judge(_ body: [UInt8], _ content: CaseFile.Case, _ request: Request) throws -> [CheckProblem] {
        guard let document = try? JSONDocument(body) else {
            return [CheckProblem(.notJSON, expected: "JSON with the values of the case")]
        }
        var problems = try (content.expect ?? [:]).sorted { $0.key < $1.key }.flatMap { path, expectation in
            try expectation.problems(path, JSONPath(path), in: document)
        }
        var values: [CaseCaptures.Name: JSONValue] = [:]
        for name in captured.sorted(by: { $0.text < $1.text }) {
            guard let path = content.capture?[name.text] else { continue }
            // By itself, so that it does not keep the whole body.
            if let value = try? path.known().values(in: document, max: 1).first {
                values[name] = try JSONValue(text: value.compact.exactBytes)
            } else {
                problems.append(CheckProblem(.missingKey, path: path.text, expected: "a value for {{\(name.text)}}"))
            }
        }
        captures.add(values, from: request)
        return problems
    }
}

extension EndpointDeclaration {
    /// Whether what stands there in a case is sent as a credential.
    fileprivate func isCredential(_ place: [JSONPathComponent], _ places: @autoclosure () -> ParameterPlaces) -> Bool {
        let keys = place.compactMap { if case .key(let key) = $0 { key } else { nil } }
        guard keys.count > 1, let name = keys.last else { return false }
        if SecretName.isCredential(name) { return true }
        let schemes = api.requestBuilder.allCredentials(of: endpoint).flatMap(\.alternatives)
        return switch keys[0] {
        case "arguments": (try? parameter(named: keys[1])).map { places().credentials.contains($0.name) } ?? false
        case "headers": schemes.contains { $0.sets(header: name) }
        case "query": schemes.contains { $0.sets(query: name) }
        default: false
        }
    }
}

extension JSONValue {
    /// The texts of all that is in it and neither a list nor an object.
    fileprivate var leaves: [String] {
        elements.map { $0.flatMap(\.leaves) } ?? members.map { $0.flatMap(\.value.leaves) } ?? [text]
    }

    /// This value with what `fill` gives for each `{{NAME}}` in a text or key, and the place of that text.
    fileprivate func filled(
        at place: [JSONPathComponent] = [], _ fill: (String, [JSONPathComponent]) throws -> JSONValue
    ) rethrows -> JSONValue {
        switch content {
        case .string(let text): return try text.filled { try fill($0, place) }
        case .array(let elements):
            return JSONValue(try elements.enumerated().map { try $1.filled(at: place + [.index($0)], fill) })
        case .object(let members):
            return JSONValue(
                try members.map { key, value in
                    let place = place + [.key(key)]
                    return (try key.filled { try fill($0, place) }.text, try value.filled(at: place, fill))
                })
        case .null, .bool, .number: return self
        }
    }
}

extension String {
    /// The names of `{{NAME}}` in it.
    var placeholders: [String] {
        var names: [String] = []
        _ = filled { name in
            names.append(name)
            return ""
        }
        return names
    }

    /// This text with what `fill` gives for each `{{NAME}}`; if it is nothing else, that value itself.
    fileprivate func filled(_ fill: (_ name: String) throws -> JSONValue) rethrows -> JSONValue {
        var text = ""
        var rest = self[...]
        while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
            let value = try fill(String(rest[start.upperBound..<end.lowerBound]))
            if start.lowerBound == startIndex, end.upperBound == endIndex { return value }
            text += rest[..<start.lowerBound] + value.text
            rest = rest[end.upperBound...]
        }
        return JSONValue(text + rest)
    }
}

/// What cases have captured so far for those after them, and all secrets of it: a server may repeat them.
final class CaseCaptures: Sendable {
    /// The name of a value that a case of a file captures.
    struct Name: Sendable, Hashable {
        let file: Int
        let index: Int
        let text: String
    }

    private struct Content {
        var values: [Name: JSONValue] = [:]
        /// Those that are sent as credentials.
        var secretNames: Set<Name> = []
        /// Their values, and the secrets of the requests whose responses gave values.
        var known: Set<String> = []
        var redactor = Redactor()
    }

    private let content = Mutex(Content())

    var redactor: Redactor { content.withLock(\.redactor) }

    fileprivate func setSecret(_ name: Name) { content.withLock { _ = $0.secretNames.insert(name) } }

    fileprivate func value(_ name: Name) -> JSONValue? { content.withLock { $0.values[name] } }

    fileprivate func add(_ values: [Name: JSONValue], from request: Request) {
        if values.isEmpty { return }
        content.withLock { content in
            content.values.merge(values) { $1 }
            let texts = values.filter { content.secretNames.contains($0.key) }.values.flatMap(\.leaves)
            let secrets = Redactor.secrets(of: [request]).union(texts).subtracting(content.known)
            content.known.formUnion(secrets)
            content.redactor.add(secrets)
        }
    }
}
