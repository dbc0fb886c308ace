import EndpointKit
import JSONText

/// Reads the file of `--cases` and resolves its calls.
struct CaseSelection {
    let path: String
    let preparation: CheckPreparation

    /// A case that is understood but not resolved.
    private struct Entry {
        let declaration: EndpointDeclaration
        let arguments: CaseArguments
        let content: CaseFile.Case
    }

    /// The checks in the order of the file. Throws ``FileError``, and ``UsageError`` with the place of what is wrong.
    func cases() throws -> [CheckCase] {
        let file = try SettingsFile(CaseFile.self, path: path, preparation.context.environment.files)
        var entries: [Entry] = []
        var captured: Set<String> = []
        for (index, content) in file.content.cases.enumerated() {
            let entry = try entry(content, index, file)
            if let name = entry.arguments.captures.first(where: { !captured.contains($0) }) {
                throw file.error(
                    "no earlier case captures '\(name)'", at: [.key("cases"), .index(index), .key("arguments")])
            }
            captured.formUnion((content.capture ?? [:]).keys)
            entries.append(entry)
        }
        let store = CaptureStore(captured, secret: Set(entries.flatMap(\.arguments.secretCaptures)))
        // All are resolved whatever the shard is: a wrong file is wrong on every machine.
        let cases = try entries.enumerated().map { try checkCase($1, $0, store, file) }
        guard let shard = preparation.options.shard else { return cases }
        let groups = CaseGroups(entries.map { $0.arguments.captures + ($0.content.capture ?? [:]).keys }).numbers
        return zip(cases, groups).filter { shard.includes($1) }.map(\.0)
    }

    private func entry(_ content: CaseFile.Case, _ index: Int, _ file: SettingsFile<CaseFile>) throws -> Entry {
        let place: [JSONPathComponent] = [.key("cases"), .index(index)]
        let declaration: EndpointDeclaration
        do {
            declaration = try preparation.context.registry.endpoint(Word(text: content.endpoint, position: 0))
        } catch let error as UsageError {
            throw file.error(error.text, at: place + [.key("endpoint")])
        }
        for path in (content.expect ?? [:]).keys where ValuePath(path) == nil {
            throw file.error(
                "expected \(ValuePath.expectation), found '\(path)'", at: place + [.key("expect"), .key(path)])
        }
        do throws(CaseArguments.UnknownParameter) {
            let arguments = try CaseArguments(content.arguments ?? [:], of: declaration)
            return Entry(declaration: declaration, arguments: arguments, content: content)
        } catch {
            let nearest = error.nearest.map { "; did you mean '\($0)'?" } ?? ""
            throw file.error(
                "\(declaration.name) has no parameter '\(error.name)'\(nearest)",
                at: place + [.key("arguments"), .key(error.name)])
        }
    }

    private func checkCase(
        _ entry: Entry, _ index: Int, _ store: CaptureStore, _ file: SettingsFile<CaseFile>
    ) throws -> CheckCase {
        let preparation = preparation
        let prepare: @Sendable ([String: String]) throws -> CheckPreparation.Prepared = { captured in
            var prepared = try preparation.prepare(
                entry.declaration, entry.arguments.parameters(captured), captured: store.redactor
            ) { try $0.plan() }
            prepared.expect(entry.content, store)
            return prepared
        }
        let needed = entry.arguments.captures
        let prepared: CheckPreparation.Prepared
        if needed.isEmpty {
            do {
                prepared = try prepare([:])
            } catch let error as UsageError {
                throw file.error(error.text, at: [.key("cases"), .index(index), .key("arguments")])
            }
        } else {
            prepared = CheckPreparation.Prepared(
                action: .wait { () async throws -> CheckPreparation.Prepared? in
                    var captured: [String: String] = [:]
                    for name in needed { captured[name] = await store.value(name) }
                    return captured.count == Set(needed).count ? try prepare(captured) : nil
                })
        }
        let endpoint = entry.declaration.endpoint
        return CheckCase(
            declaration: entry.declaration, example: index + 1, title: "case \(index + 1)",
            label: "\(entry.declaration.name) case \(index + 1)", method: endpoint.method, source: endpoint.source,
            request: prepared.request, action: prepared.action,
            captures: Captures(
                names: (entry.content.capture ?? [:]).keys.sorted(), needed: Set(needed).sorted(), store: store))
    }
}

extension CheckPreparation.Prepared {
    /// Adds what a case expects of the response and what it captures.
    fileprivate mutating func expect(_ content: CaseFile.Case, _ store: CaptureStore) {
        guard case .send(var check, let client) = action else { return }
        check.origin = "case"
        check.expectedStatus = content.status
        check.otherSecrets = { store.redactor }
        if let limit = content.maxLatency { check.maxLatency = limit.duration }
        let expectations = (content.expect ?? [:]).sorted { $0.key < $1.key }
            .compactMap { text, expectation in ValuePath(text).map { ($0, expectation) } }
        let captures = content.capture ?? [:]
        if !expectations.isEmpty || !captures.isEmpty {
            check.expectations = { [redactor = check.redactor, request = check.request] body in
                guard let document = try? JSONDocument(body) else {
                    return [CheckProblem(.notJSON, expected: "JSON with the values of the case")]
                }
                var problems = expectations.flatMap { path, expectation in expectation.problems(path, in: document) }
                if !captures.isEmpty { store.add(source: request) }
                for (name, path) in captures.sorted(by: { $0.key < $1.key }) {
                    let value = try? path.values(in: document, most: 1).first
                    let text = value.flatMap { $0.string ?? $0.number ?? $0.bool.map(String.init) }
                    store.set(name, text)
                    guard text == nil else { continue }
                    problems.append(
                        CheckProblem(
                            value == nil ? .missingKey : .wrongType, path: path.text,
                            expected: "a value for {{\(name)}}", found: value?.shown))
                }
                return problems.map { $0.redacted(by: redactor) }
            }
        }
        action = .send(check, client)
    }
}
