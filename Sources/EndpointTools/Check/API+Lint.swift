import EndpointKit

/// A probable mistake in the declaration of an API.
public struct LintFinding: Sendable, Hashable, Encodable, CustomStringConvertible {
    /// The endpoint's name, `movies.popular`, or the API's.
    package let name: String
    /// What is wrong with it.
    package let problem: String

    public var description: String { "\(name): \(problem)" }
}

extension API {
    /// The probable mistakes in this API's declaration; nothing is sent.
    ///
    ///     #expect(Movies.lint() == [])
    ///
    /// Found are cases without an example, two endpoints with the same name, notes and rules for parameters that do not exist, parameters that
    /// reach no part of the request, parameters in a path that may be left out although a segment would be empty, pages whose keys the model
    /// lacks, and samples of no endpoint. Whether samples fit their models, `check --sample` shows.
    public static func lint() -> [LintFinding] {
        let cases: [EndpointCase]
        let all: [EndpointDeclaration]
        do {
            cases = try EndpointCase.all(of: Self.self)
            all = try EndpointDeclaration.all(of: cases)
        } catch {
            return [LintFinding(name: name, problem: "its Codable conformance is not the one that the compiler makes")]
        }
        var findings = cases.filter { $0.firstCall == nil }.map {
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
        for (flag, own) in signature.parameters.grouped(by: { KebabCase.text($0.name) }) where own.count > 1 {
            problems.append("\(own.count) parameters are called --\(flag)")
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
        let places = ParameterPlaces(of: self)
        for parameter in signature.parameters {
            let name = signature.shownName(of: parameter.name)
            if places.places[parameter.name] == [] {
                problems.append("the parameter '\(name)' changes nothing in the request")
            }
            if places.emptySegments.contains(parameter.name) {
                problems.append(
                    "the parameter '\(name)' may be left out, but a segment of the path would then be empty")
            }
        }
        if let url = endpoint.url { problems.append("its URL, \(url), is at none of the API's servers") }
        problems += places.literalCredentials.map { literal in
            let header = endpoint.headers.fields.first { literal.place == .header($0.name.lowercased()) }
            let name = header?.name ?? literal.place.name ?? ""
            return
                "the \(header == nil ? "query item" : "header") '\(name)' holds a credential: leave it out, and declare "
                + "\(literal.declaration(name, of: api.name)) in 'credentials'"
        }
        return problems + lintPages(endpoint)
    }

    private func lintPages(_ endpoint: Endpoint) -> [String] {
        guard let paging = endpoint.pages, let shape = responseShape else { return [] }
        let model = endpoint.response.name
        var problems = paging.valuePaths.filter { shape.shapes(at: $0)?.isEmpty == true }
            .map { "\(model) has no key for '\($0)', which says where the next page is" }
        if let items = shape.shapes(at: paging.items), !items.contains(where: shape.isList) {
            problems.append("\(model) has no list at '\(paging.items)', where the items of a page are to be")
        }
        return problems
    }
}

extension RequestParts.Item {
    /// The declaration of a credential in its place, with variables named after the API.
    fileprivate func declaration(_ name: String, of api: String) -> String {
        func variable(_ name: String) -> String {
            KebabCase.text("\(api)-\(name)").uppercased().replacingBytes(of: "-", with: "_")
        }
        if text.hasPrefix("Basic ") {
            return ".basic(user: \"\(variable("user"))\", password: \"\(variable("password"))\")"
        }
        if place.part == .header, name.isSameName(as: "Authorization") {
            return ".bearer(variable: \"\(variable("token"))\")"
        }
        return ".\(place.part.rawValue)(\"\(name)\", variable: \"\(variable(name.lowercased()))\")"
    }
}
