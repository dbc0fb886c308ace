import EndpointKit

/// A probable mistake in the declaration of an API.
public struct LintFinding: Sendable, Hashable, Encodable, CustomStringConvertible {
    /// The name of the endpoint, such as `movies.popular`, or of the API.
    package let name: String
    /// The mistake, as a sentence.
    package let problem: String

    package init(name: String, problem: String) {
        self.name = name
        self.problem = problem
    }

    public var description: String { "\(name): \(problem)" }
}

extension API {
    /// Returns the probable mistakes in this API's declaration; nothing is sent.
    ///
    ///     #expect(Movies.lint() == [])
    ///
    /// These mistakes are found:
    /// - a handwritten `Codable` conformance, with which no other mistake can be found
    /// - cases with neither an example nor a placeholder, and two endpoints with the same name
    /// - notes and rules for parameters that do not exist, and examples that break a rule
    /// - parameters that reach no part of the request, and several parameters with the same option
    /// - parameters in a path that may be left out although a segment would be empty
    /// - URLs at none of the API's servers, and credentials in the endpoint itself
    /// - keys of paging that the response model lacks
    /// - a file of samples that can't be read, and samples that belong to no endpoint
    /// - examples that write, in an API that keeps calls in `placeholders` so that no check sends them
    ///
    /// The command `check --sample` finds samples that do not fit their models.
    public static func lint() -> [LintFinding] {
        let cases: [EnumCase<Self>]
        let declarations: [EndpointDeclaration]
        do {
            cases = try EnumCase<Self>.allCases()
            declarations = try EnumCase.declarations(of: cases, in: CatalogueAPI(Self.self))
        } catch {
            return [
                LintFinding(name: api.name, problem: "its Codable conformance is not the one that the compiler makes")
            ]
        }
        var findings: [LintFinding] = []
        for enumCase in cases where enumCase.declaredCall == nil {
            let endpointName = api.name + "." + enumCase.endpointName
            findings.append(LintFinding(name: endpointName, problem: "no example shows it"))
        }
        findings += findingsAboutEndpoints(declarations)
        findings += problemsWithSamples(of: declarations).map { LintFinding(name: api.name, problem: $0) }
        return findings
    }

    /// Returns the probable mistakes in the declarations of endpoints, in the order of the endpoints.
    private static func findingsAboutEndpoints(_ declarations: [EndpointDeclaration]) -> [LintFinding] {
        var findings: [LintFinding] = []
        var earlierNames: Set<String> = []
        for declaration in declarations {
            let isNewName = earlierNames.insert(declaration.name).inserted
            var problems = isNewName ? [] : ["two endpoints have this name"]
            problems += EndpointLint(declaration).problems
            // If an API has placeholders, calls that change data belong there, because no check sends a placeholder.
            if !placeholders.isEmpty { problems += problemsWithUnsafeExamples(of: declaration) }
            findings += problems.map { LintFinding(name: declaration.name, problem: $0) }
        }
        return findings
    }

    /// Returns a sentence for each example whose method is not safe (RFC 9110, section 9.2.1), such as a POST.
    ///
    /// An import writes such calls into `placeholders`. Among the examples, `check --unsafe` would send them.
    private static func problemsWithUnsafeExamples(of declaration: EndpointDeclaration) -> [String] {
        var problems: [String] = []
        for (index, example) in declaration.examples.enumerated() {
            let method = example.endpoint.method
            if method.isSafe { continue }
            problems.append(
                "example \(index + 1) is a \(method.rawValue), which check --unsafe sends: move it to 'placeholders'")
        }
        return problems
    }

    /// Returns the mistakes in the file of samples, as sentences: the file can't be read, or it has a sample that
    /// belongs to no endpoint.
    ///
    /// A sample is named after the case of the enum or after the endpoint: `newMovies` or `new-movies`.
    private static func problemsWithSamples(of declarations: [EndpointDeclaration]) -> [String] {
        guard let samples = api.samples else { return [] }
        var problems: [String] = []
        if let problem = samples.problem { problems.append(problem) }
        let endpointNames = Set(declarations.flatMap { [$0.signature.caseName, $0.endpointName] })
        for name in samples.names where !endpointNames.contains(name) {
            problems.append("there is a sample for '\(name)', which is not an endpoint")
        }
        return problems
    }
}

/// The search for mistakes in the declaration of one endpoint.
private struct EndpointLint {
    private let declaration: EndpointDeclaration
    private let endpoint: Endpoint
    private let signature: Signature
    private let places: ParameterPlaces

    /// Prepares the search. Requests are built, but not sent, to see where each parameter goes.
    init(_ declaration: EndpointDeclaration) {
        self.declaration = declaration
        endpoint = declaration.endpoint
        signature = declaration.signature
        places = ParameterPlaces(of: declaration)
    }

    /// All mistakes in the declaration, as sentences.
    var problems: [String] {
        var problems = problemsWithParameterNames
        problems += brokenRules
        problems += problemsWithParameterPlaces
        problems += problemsWithServer
        problems += literalCredentials
        problems += problemsWithPaging
        return problems
    }

    /// Notes and rules for parameters that do not exist, and parameters with the same option, such as `userID` and
    /// `userId`, which are both `--user-id`.
    private var problemsWithParameterNames: [String] {
        var problems: [String] = []
        for name in endpoint.notes.keys.sorted() where signature.parameter(named: name) == nil {
            problems.append("there is a note for '\(name)', which is not a parameter")
        }
        let parametersByOption = signature.parameters.grouped { KebabCase.text($0.name) }
        for (option, parameters) in parametersByOption where parameters.count > 1 {
            problems.append("\(parameters.count) parameters are called --\(option)")
        }
        for name in endpoint.rules.flatMap(\.parameters) where signature.parameter(named: name) == nil {
            problems.append("there is a rule for '\(name)', which is not a parameter")
        }
        return problems
    }

    /// Examples that the endpoint's own rules refuse.
    private var brokenRules: [String] {
        var problems: [String] = []
        for (index, example) in declaration.examples.enumerated() {
            do {
                try example.checkRules()
            } catch {
                problems.append("example \(index + 1) breaks a rule: \(error)")
            }
        }
        return problems
    }

    /// Parameters that do not change the request, and parameters that leave a segment of the path empty when they are
    /// left out.
    ///
    /// With the path `/movie/\(id ?? "")/videos`, the request without `id` would have the path `/movie//videos`.
    private var problemsWithParameterPlaces: [String] {
        var problems: [String] = []
        for parameter in signature.parameters {
            let name = signature.shownName(of: parameter.name)
            // A parameter that could not be changed has no entry, and nothing is known about it.
            if let changedParts = places.places[parameter.name], changedParts.isEmpty {
                problems.append("the parameter '\(name)' changes nothing in the request")
            }
            if places.optionalsNeededByPath.contains(parameter.name) {
                problems.append(
                    "the parameter '\(name)' may be left out, but a segment of the path would then be empty")
            }
        }
        return problems
    }

    /// The URL of an endpoint that is at none of the servers that the API declares.
    ///
    /// The URL of an endpoint at one of these servers is read as a path, so that the endpoint has no URL then.
    private var problemsWithServer: [String] {
        guard let url = endpoint.url else { return [] }
        return ["its URL, \(url), is at none of the API's servers"]
    }

    /// Query items and headers that hold a credential although no parameter sets them.
    ///
    /// A credential of this kind is written out in the source code. The sentence shows the declaration that reads it
    /// from an environment variable instead.
    private var literalCredentials: [String] {
        var problems: [String] = []
        for item in places.literalCredentials {
            let kind: String
            let name: String
            // The item has the name of a header in lower case. The endpoint has it as it was written.
            let header = endpoint.headers.fields.first { item.place == .header($0.name.lowercased()) }
            if let header {
                kind = "header"
                name = header.name
            } else {
                kind = "query item"
                name = item.place.name ?? ""
            }
            let swiftCode = credentialDeclaration(for: item, name: name)
            problems.append(
                "the \(kind) '\(name)' holds a credential: leave it out, and declare \(swiftCode) in 'credentials'")
        }
        return problems
    }

    /// Returns the Swift code that declares a credential and reads it from environment variables.
    ///
    /// The variables are named after the API: the header `Authorization: Bearer …` of the API `shop` becomes
    /// `.bearer(variable: "SHOP_TOKEN")`.
    ///
    /// - Parameters:
    ///   - item: The query item or header with the credential.
    ///   - name: The name of the item or header, as the endpoint spells it.
    private func credentialDeclaration(for item: ParameterTexts.Item, name: String) -> String {
        if item.text.hasPrefix("Basic ") {
            let userVariable = variableName(suffix: "user")
            let passwordVariable = variableName(suffix: "password")
            return #".basic(userVariable: "\#(userVariable)", passwordVariable: "\#(passwordVariable)")"#
        }
        if item.place.part == .header, name.isSameName(as: "Authorization") {
            return #".bearer(variable: "\#(variableName(suffix: "token"))")"#
        }
        // The function is named after the part of the request: `.query` or `.header`.
        let factory = item.place.part.rawValue
        return #".\#(factory)("\#(name)", variable: "\#(variableName(suffix: name.lowercased()))")"#
    }

    /// Returns the name of an environment variable of this API: `SHOP_API_KEY` for the suffix `api-key` and the API
    /// `shop`.
    private func variableName(suffix: String) -> String {
        let name = KebabCase.text("\(declaration.api.name)-\(suffix)").uppercased()
        return name.replacingBytes(of: "-", with: "_")
    }

    /// Keys that are declared for paging, and that the response model does not have.
    ///
    /// They say where a response has the items of its page, and where it has the number or the URL of the next page.
    private var problemsWithPaging: [String] {
        guard let paging = endpoint.pages, let responseShape = declaration.responseShape else { return [] }
        let model = endpoint.response.name
        var problems: [String] = []
        for path in paging.valuePaths {
            // Nil means that the model may have any key there.
            guard let valueShapes = responseShape.shapes(at: path) else { continue }
            if valueShapes.isEmpty {
                problems.append("\(model) has no key for '\(path)', which says where the next page is")
            }
        }
        if let itemShapes = responseShape.shapes(at: paging.items) {
            let mayBeList = itemShapes.contains(where: responseShape.mayBeList)
            if !mayBeList {
                problems.append("\(model) has no list at '\(paging.items)', where the items of a page are to be")
            }
        }
        return problems
    }
}
