import EndpointKit
import JSONText

/// A case of an API's enum with its examples, whose parameters have not been examined yet.
struct EnumCase<A: API>: Sendable {
    let caseName: String
    private(set) var examples: [A] = []
    /// A call of the case from the API's `API.placeholders`, for a case without an example. It is never sent.
    private(set) var placeholder: A?

    /// A call of the case that the API declares: the first example, or else ``placeholder``. Nil if it declares none.
    var declaredCall: A? { examples.first ?? placeholder }

    /// The endpoint's own name on the command line: `new-movies`.
    var endpointName: String { KebabCase.text(caseName) }

    /// Returns the cases of the enum, each with its examples.
    ///
    /// The cases with examples come first, in the order of their first examples. Cases that only have a call in the
    /// API's `API.placeholders` follow. Cases without any call come last.
    ///
    /// - Throws: `NotAnEnumCase` if the API is no enum with the synthesised `Codable`.
    static func allCases() throws -> [EnumCase] {
        var cases: [EnumCase] = []
        var indexesByName: [String: Int] = [:]

        /// Returns the index in `cases` of the case with that name, which is added if it is not there yet.
        func findOrAddCase(named caseName: String) -> Int {
            if let index = indexesByName[caseName] { return index }
            let newIndex = cases.count
            cases.append(EnumCase(caseName: caseName))
            indexesByName[caseName] = newIndex
            return newIndex
        }

        for example in A.examples {
            let index = findOrAddCase(named: try example.caseName)
            cases[index].examples.append(example)
        }
        for placeholder in A.placeholders {
            let index = findOrAddCase(named: try placeholder.caseName)
            // An example is preferred to a placeholder, and so is the first of several placeholders.
            if cases[index].declaredCall == nil { cases[index].placeholder = placeholder }
        }
        // The cases without any call have not been added yet.
        for caseName in A.caseNames { _ = findOrAddCase(named: caseName) }
        return cases
    }

    /// Examines the parameters of the case.
    ///
    /// - Returns: The endpoint; nil if the case has no example and none can be made up, because a type refuses made-up
    ///   values.
    /// - Throws: `NotAnEnumCase` if the API is no enum with the synthesised `Codable`.
    func declaration(in api: CatalogueAPI) throws -> EndpointDeclaration? {
        try Self.declarations(of: [self], in: api).first
    }

    /// Describes the case by the call that the API declares, such as `movies.movie GET /movie/{id}`.
    ///
    /// A case without a call is described by a made-up one, and the summary says so. If no call can be made up either,
    /// the method and path are empty. Parameters are only examined if the path needs their names, because that is most
    /// of the work.
    ///
    /// - Throws: `NotAnEnumCase` if the API is no enum with the synthesised `Codable`.
    func summary(in api: CatalogueAPI) throws -> EndpointSummary {
        let name = api.name + "." + endpointName
        if let declaredCall {
            let endpoint = declaredCall.placedEndpoint
            let path = try pathTemplate(of: declaredCall, at: endpoint.path, in: api)
            return EndpointSummary(
                name: name, method: endpoint.method.rawValue, path: path, summary: endpoint.summary)
        }
        guard let madeUpDeclaration = try declaration(in: api) else {
            return EndpointSummary(name: name, method: "", path: "", summary: "(can't be called: no example)")
        }
        let endpoint = madeUpDeclaration.endpoint
        return EndpointSummary(
            name: name, method: endpoint.method.rawValue, path: ParameterPlaces.template(of: madeUpDeclaration),
            summary: endpoint.summary + " (no example)")
    }

    /// Returns the template of a call's path, such as `/movie/{id}/videos`.
    ///
    /// Mostly the values of the call show which parameters are in the path. Otherwise the parameters are examined.
    ///
    /// - Parameters:
    ///   - call: A call of this case.
    ///   - path: The path of the call's endpoint.
    ///   - api: The API of the case.
    /// - Returns: The template; empty if the parameters must be examined and can't be.
    private func pathTemplate(of call: A, at path: Endpoint.Path, in api: CatalogueAPI) throws -> String {
        let owners = try ParameterPlaces.unambiguousOwners(
            ofValuesIn: path, coding: A.api.coding, among: try CallValue.texts(of: call, caseName))
        // The shown name of a parameter without a label (`_0`) depends on the types of all parameters.
        if let owners, owners.allSatisfy({ !$0.hasPrefix("_") }) {
            return ParameterPlaces.template(path, owners: owners.map(KebabCase.text))
        }
        guard let declaration = try declaration(in: api) else { return "" }
        return ParameterPlaces.template(of: declaration)
    }
}

// MARK: - Examining cases

extension EnumCase {
    /// Examines the parameters of cases, and returns a declaration for each case.
    ///
    /// The cases with a call that the API declares come first. The cases whose calls must be made up follow. A case for
    /// which no call can be made up is left out.
    ///
    /// - Throws: `NotAnEnumCase` if the API is no enum with the synthesised `Codable`.
    static func declarations(of cases: [EnumCase], in api: CatalogueAPI) throws -> [EndpointDeclaration] {
        let casesWithCalls = cases.filter { $0.declaredCall != nil }
        let casesWithoutCalls = cases.filter { $0.declaredCall == nil }
        // Together, because it is faster: a type that several cases have is learned once.
        var declarations = try learnDeclarations(of: casesWithCalls, in: api)
        // One by one, because what is made up for a case must not depend on the examples of other cases.
        for enumCase in casesWithoutCalls { declarations += try learnDeclarations(of: [enumCase], in: api) }
        return declarations
    }

    /// Examines the parameters of cases together, and returns their declarations.
    ///
    /// The enum is decoded from calls in JSON, such as `{"movie": {}}` and `{"movie": {"id": 550}}`. While it is
    /// decoded, it asks for each parameter by name and type, and gets made-up values for missing ones. Some types
    /// refuse made-up values. For these, the calls with values are needed.
    ///
    /// - Parameters:
    ///   - cases: Cases with a call that the API declares, or a single case without one, for which a call is made up.
    ///   - api: The API of the cases.
    /// - Throws: `NotAnEnumCase` if the API is no enum with the synthesised `Codable`.
    private static func learnDeclarations(of cases: [EnumCase], in api: CatalogueAPI) throws -> [EndpointDeclaration] {
        let callsOfCases = try cases.map { try $0.encodedCalls() }
        var jsonCalls: [JSONValue] = []
        for (enumCase, calls) in zip(cases, callsOfCases) {
            jsonCalls.append(enumCase.emptyCall)
            jsonCalls += calls.map(\.plain)
        }
        // The calls have the models' own keys and dates, so the API's strategies for these must not apply.
        let coding = Coding(data: A.api.coding.data, userInfo: A.api.coding.userInfo)
        let learnedEnum = LearnedEnum(A.self, from: jsonCalls, coding: coding)
        let caseShapes = learnedEnum.shape.cases(cases.map(\.caseName))
        var declarations: [EndpointDeclaration] = []
        for (index, enumCase) in cases.enumerated() {
            // The first call is the empty one of the first case, with made-up values. It is only used for a case
            // without a call, and such a case is examined alone.
            let declaration = try enumCase.makeDeclaration(
                caseShapes[index], calls: callsOfCases[index], madeUpCall: learnedEnum.firstCall, in: api)
            if let declaration { declarations.append(declaration) }
        }
        return declarations
    }

    /// Makes the declaration of the case, with its parameters, its examples and its first call.
    ///
    /// The first call is the first example, or else a placeholder, or else a call with made-up values.
    ///
    /// - Parameters:
    ///   - shape: The part of the enum's shape that describes the case.
    ///   - calls: The examples as JSON. Without examples, the call from the API's `API.placeholders`.
    ///   - madeUpCall: A call with made-up values, which is used only if the API declares no call of the case. Nil if
    ///     none can be made up.
    ///   - api: The API of the case.
    /// - Returns: The declaration; nil if the API declares no call of the case and none can be made up.
    /// - Throws: `NotAnEnumCase` if the API is no enum with the synthesised `Codable`. The error of encoding the values
    ///   of the first call.
    private func makeDeclaration(
        _ shape: ModelShape, calls: [CallValue], madeUpCall: (any API)?, in api: CatalogueAPI
    ) throws -> EndpointDeclaration? {
        let source = EnumEndpoint<A>(caseName: caseName)
        let firstCall: EndpointCall
        if let declaredCall {
            firstCall = EndpointCall(declaredCall)
        } else if let madeUpCall {
            // A made-up call is the last choice: the app's own code makes its endpoint, and may trap for made-up
            // values.
            firstCall = source.withUsablePath(EndpointCall(madeUpCall))
        } else {
            return nil
        }
        // The signature only has values of examples. A call from the API's placeholders is no example.
        let values = examples.isEmpty ? [] : calls.compactMap { $0[caseName] }
        let signature = try Signature(shape, caseName: caseName, of: A.self, values: values)
        return try EndpointDeclaration(
            api, endpointName: endpointName, signature: signature, examples: examples.map { EndpointCall($0) },
            firstCall: firstCall, source: source)
    }

    /// The JSON of a call without parameters: `{"newMovies": {}}`.
    private var emptyCall: JSONValue { [caseName: [:]] }

    /// Returns the examples as JSON, or else the call from the API's `API.placeholders`.
    ///
    /// - Throws: The error of encoding a value of a call.
    private func encodedCalls() throws -> [CallValue] {
        var examplesAndPlaceholder = examples
        if let placeholder { examplesAndPlaceholder.append(placeholder) }
        return try examplesAndPlaceholder.map { try CallValue($0) }
    }
}
