import EndpointKit

/// A probable mistake in the declaration of an API.
public struct LintFinding: Sendable, Hashable, Encodable, CustomStringConvertible {
    /// The name of the endpoint, such as `movies.popular`, or of the API.
    package let name: String
    /// The mistake, as a sentence.
    package let problem: String

    public var description: String { "\(name): \(problem)" }
}

extension API {
    /// Returns the probable mistakes in this API's declaration; nothing is sent.
    ///
    ///     #expect(Movies.lint() == [])
    ///
    /// These mistakes are found:
    /// - cases without an example, and two endpoints with the same name
    /// - notes and rules for parameters that do not exist, and examples that break a rule
    /// - parameters that reach no part of the request, and two parameters with the same option
    /// - parameters in a path that may be left out although a segment would be empty
    /// - credentials in the endpoint itself
    /// - pages whose keys the model lacks
    /// - samples of no endpoint
    ///
    /// Whether samples fit their models, `check --sample` shows.
    public static func lint() -> [LintFinding] {
        let cases: [EndpointCase]
        let declarations: [EndpointDeclaration]
        do {
            cases = try EndpointCase.all(of: Self.self)
            declarations = try EndpointDeclaration.all(of: cases)
        } catch {
            return [LintFinding(name: name, problem: "its Codable conformance is not the one that the compiler makes")]
        }
        let unseen = cases.filter { $0.firstCall == nil }
        var findings = unseen.map { LintFinding(name: $0.name, problem: "no example shows it") }
        var names: Set<String> = []
        for declaration in declarations {
            var problems: [String] = []
            if !names.insert(declaration.name).inserted { problems.append("two endpoints have this name") }
            problems += EndpointLint(declaration).problems
            findings += problems.map { LintFinding(name: declaration.name, problem: $0) }
        }
        return findings + lintSamples(declarations).map { LintFinding(name: name, problem: $0) }
    }

    /// Returns the mistakes in the file of samples: it can't be read, or has samples of no endpoint.
    private static func lintSamples(_ declarations: [EndpointDeclaration]) -> [String] {
        guard let samples else { return [] }
        let endpoints = Set(declarations.flatMap { [$0.signature.caseName, $0.endpointName] })
        let strangers = samples.names.filter { !endpoints.contains($0) }
        return [samples.problem].compactMap(\.self)
            + strangers.map { "there is a sample for '\($0)', which is not an endpoint" }
    }
}

/// The search for mistakes in the declaration of one endpoint.
private struct EndpointLint {
    private let declaration: EndpointDeclaration
    private let endpoint: Endpoint
    private let signature: Signature
    private let places: ParameterPlaces

    init(_ declaration: EndpointDeclaration) {
        self.declaration = declaration
        endpoint = declaration.endpoint
        signature = declaration.signature
        places = ParameterPlaces(of: declaration)
    }

    /// The mistakes, as sentences.
    var problems: [String] { namesOfParameters + brokenRules + placesOfParameters + wrongServer + credentials + pages }

    /// Notes and rules for parameters that do not exist, and parameters with the same option.
    private var namesOfParameters: [String] {
        let unknownNotes = endpoint.notes.keys.sorted().filter { signature.parameter(named: $0) == nil }
        let options = signature.parameters.grouped { KebabCase.text($0.name) }
        let unknownRules = endpoint.rules.flatMap(\.parameters).filter { signature.parameter(named: $0) == nil }
        return unknownNotes.map { "there is a note for '\($0)', which is not a parameter" }
            + options.filter { $1.count > 1 }.map { "\($1.count) parameters are called --\($0)" }
            + unknownRules.map { "there is a rule for '\($0)', which is not a parameter" }
    }

    /// Examples that the endpoint's own rules refuse.
    private var brokenRules: [String] {
        var problems: [String] = []
        for (index, example) in declaration.examples.enumerated() {
            do {
                try example.checkRules(example.endpoint)
            } catch {
                problems.append("example \(index + 1) breaks a rule: \(error)")
            }
        }
        return problems
    }

    /// Parameters that do not change the request, or that can make a segment of the path empty.
    private var placesOfParameters: [String] {
        var problems: [String] = []
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
        return problems
    }

    /// A URL of a server that the API does not declare. Else the endpoint has a path, and no URL.
    private var wrongServer: [String] {
        guard let url = endpoint.url else { return [] }
        return ["its URL, \(url), is at none of the API's servers"]
    }

    /// Query items and headers that hold a credential although no parameter sets them.
    private var credentials: [String] {
        places.literalCredentials.map { item in
            // Places have the names of headers in lower case.
            let header = endpoint.headers.fields.first { item.place == .header($0.name.lowercased()) }
            let name = header?.name ?? item.place.name ?? ""
            let kind = header == nil ? "query item" : "header"
            let credential = declarationOfCredential(item, name: name)
            return "the \(kind) '\(name)' holds a credential: leave it out, and declare \(credential) in 'credentials'"
        }
    }

    /// Returns the Swift code that declares a credential, with variables named after the API: `.bearer(variable:
    /// "SHOP_TOKEN")`.
    private func declarationOfCredential(_ item: RequestParts.Item, name: String) -> String {
        func variable(_ suffix: String) -> String {
            let name = KebabCase.text("\(declaration.api.name)-\(suffix)").uppercased()
            return name.replacingBytes(of: "-", with: "_")
        }
        if item.text.hasPrefix("Basic ") {
            return ".basic(user: \"\(variable("user"))\", password: \"\(variable("password"))\")"
        }
        if item.place.part == .header, name.isSameName(as: "Authorization") {
            return ".bearer(variable: \"\(variable("token"))\")"
        }
        return ".\(item.place.part.rawValue)(\"\(name)\", variable: \"\(variable(name.lowercased()))\")"
    }

    /// Keys for paging that the response model does not have.
    private var pages: [String] {
        guard let paging = endpoint.pages, let shape = declaration.responseShape else { return [] }
        let model = endpoint.response.name
        let missing = paging.valuePaths.filter { shape.shapes(at: $0)?.isEmpty == true }
        var problems = missing.map { "\(model) has no key for '\($0)', which says where the next page is" }
        if let items = shape.shapes(at: paging.items), !items.contains(where: shape.isList) {
            problems.append("\(model) has no list at '\(paging.items)', where the items of a page are to be")
        }
        return problems
    }
}
