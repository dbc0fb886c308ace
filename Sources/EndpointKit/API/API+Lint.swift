import JSONText

/// Something about the declaration of an API that was probably not meant.
public struct LintFinding: Sendable, Hashable, Encodable, CustomStringConvertible {
    /// The endpoint's name, `movies.popular`, or the API's.
    package let name: String
    /// What is wrong with it.
    package let problem: String

    public var description: String { "\(name): \(problem)" }
}

extension API {
    /// What was probably not meant in the declaration of this API; nothing is sent.
    ///
    ///     #expect(Movies.lint() == [])
    ///
    /// Found are cases without an example, two endpoints with the same name, notes and rules for parameters that do not exist, parameters that
    /// reach no part of the request, pages whose keys the model lacks, samples of no endpoint, and samples with keys that the model lacks, or that do not fit it.
    public static func lint() -> [LintFinding] {
        let cases: [EndpointCase]
        let all: [EndpointDeclaration]
        do {
            cases = try EndpointCase.all(of: Self.self)
            all = try cases.compactMap { try $0.declaration() }
        } catch {
            return [LintFinding(name: name, problem: "its Codable conformance is not the one that the compiler makes")]
        }
        var findings = cases.filter(\.examples.isEmpty).map {
            LintFinding(name: $0.name, problem: "no example shows it")
        }
        var names: Set<String> = []
        for declaration in all {
            if !names.insert(declaration.name).inserted {
                findings.append(LintFinding(name: declaration.name, problem: "two endpoints have this name"))
            }
            findings += declaration.lint().map { LintFinding(name: declaration.name, problem: $0) }
        }
        if let samples {
            if let problem = samples.problem { findings.append(LintFinding(name: name, problem: problem)) }
            let known = Set(all.flatMap { [$0.signature.caseName, $0.endpointName] })
            findings += samples.names.filter { !known.contains($0) }
                .map { LintFinding(name: name, problem: "there is a sample for '\($0)', which is not an endpoint") }
        }
        return findings
    }
}

extension EndpointDeclaration {
    fileprivate func lint() -> [String] {
        let endpoint = endpoint
        var problems: [String] = []
        for key in endpoint.notes.keys.sorted() where signature.parameter(named: key) == nil {
            problems.append("there is a note for '\(key)', which is not a parameter")
        }
        for key in endpoint.rules.flatMap(\.parameters) where signature.parameter(named: key) == nil {
            problems.append("there is a rule for '\(key)', which is not a parameter")
        }
        for (index, example) in examples.enumerated() {
            do {
                try example.checkRules(example.endpoint)
            } catch {
                problems.append("example \(index + 1) breaks a rule: \(error)")
            }
        }
        let places = ParameterPlaces(of: self).places
        for parameter in signature.parameters where places[parameter.name] == [] {
            problems.append("the parameter '\(signature.shownName(of: parameter))' changes nothing in the request")
        }
        return problems + lintPages(endpoint) + lintSample(endpoint)
    }

    private func lintPages(_ endpoint: Endpoint) -> [String] {
        guard let paging = endpoint.pages,
            let shape = endpoint.response.shape(sample: endpoint.sample?.bytes, coding: api.coding)
        else { return [] }
        let model = endpoint.response.name
        var problems = paging.valuePaths.filter { shape.shapes(at: $0)?.isEmpty == true }
            .map { "\(model) has no key for '\($0)', which says where the next page is" }
        if let items = shape.shapes(at: paging.items), !items.contains(where: shape.isList) {
            problems.append("\(model) has no list at '\(paging.items)', where the items of a page are to be")
        }
        return problems
    }

    private func lintSample(_ endpoint: Endpoint) -> [String] {
        guard let sample = endpoint.sample, endpoint.response.kind == .json, !sample.bytes.isEmpty else { return [] }
        let head = ResponseHead(status: 200, fields: [.init("Content-Type", sample.contentType)])
        do {
            let document = try JSONDocument(endpoint.response.text(sample.bytes, head))
            return try endpoint.response.survey(document, coding: api.coding).findings.compactMap { finding in
                switch finding.kind {
                case .unexpectedKey: "\(endpoint.response.name) has no key for \(finding.path) of the sample"
                case .absentKey: nil
                case .missingKey: "the sample has no \(finding.path), which \(endpoint.response.name) requires"
                case .wrongType, .wrongValue:
                    "the sample does not fit \(endpoint.response.name): \(finding.path): expected \(finding.expected ?? "another value")"
                }
            }
        } catch {
            return ["the sample is not one JSON document: \(error)"]
        }
    }
}
