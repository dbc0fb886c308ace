import EndpointKit
import JSONText

/// A case of an API's enum with its examples, whose parameters have not been examined yet.
///
/// Listings need no more than that, and it is found fast. To know the parameters, the enum's decoder must be run, which
/// ``declaration()`` does.
package struct EndpointCase {
    let api: any API.Type
    let caseName: String
    private(set) var examples: [any API]
    /// A call of the case from the API's ``API/signatures``, for a case without an example. It is never sent.
    private(set) var signature: (any API)?

    /// The first example, or else ``signature``.
    var firstCall: (any API)? { examples.first ?? signature }

    /// The endpoint's own name on the command line: `new-movies`.
    package var endpointName: String { KebabCase.text(caseName) }

    /// The full name on the command line: `movies.new-movies`.
    package var name: String { api.name + "." + endpointName }

    /// Returns the cases of an API's enum, each with its examples.
    ///
    /// The cases with examples come first, in the order of their first examples. Cases that only have a call in the
    /// API's ``API/signatures`` follow. Cases without any call come last.
    ///
    /// The function is generic because casting `[A]` to `[any API]` costs a search through all conformances.
    ///
    /// - Throws: ``NotAnEnumCase`` if the API is no enum with the synthesised `Codable`.
    package static func all<A: API>(of api: A.Type) throws -> [EndpointCase] {
        var cases: [EndpointCase] = []
        var indices: [String: Int] = [:]

        /// Returns the index in `cases` of the case with that name, which is added if it is not there yet.
        func indexAddingCase(_ caseName: String) -> Int {
            if let index = indices[caseName] { return index }
            let newIndex = cases.count
            cases.append(EndpointCase(api: api, caseName: caseName, examples: []))
            indices[caseName] = newIndex
            return newIndex
        }

        for example in api.examples {
            let index = indexAddingCase(try example.caseName)
            cases[index].examples.append(example)
        }
        for signature in api.signatures {
            let index = indexAddingCase(try signature.caseName)
            if cases[index].firstCall == nil { cases[index].signature = signature }
        }
        for caseName in api.caseNames { _ = indexAddingCase(caseName) }
        return cases
    }

    /// Examines the parameters of the case.
    ///
    /// - Returns: The endpoint; nil if the case has no example and none can be made up, because a type refuses made-up
    ///   values.
    /// - Throws: ``NotAnEnumCase`` if the API is no enum with the synthesised `Codable`.
    package func declaration() throws -> EndpointDeclaration? { try EndpointDeclaration.all(of: [self]).first }
}

extension EndpointCase {
    /// The JSON of a call without parameters: `{"newMovies": {}}`.
    fileprivate var emptyCall: JSONValue { [caseName: [:]] }

    /// Returns the examples as JSON, or else the call from the API's ``API/signatures``.
    fileprivate func encodedCalls() throws -> [CallValue] {
        var calls = examples
        if let signature { calls.append(signature) }
        return try calls.map { try CallValue($0) }
    }
}

/// An endpoint as its API declares it: its parameters and its examples.
///
/// An API is an enum and each of its cases an endpoint, whose associated values are the parameters:
///
///     enum Movies: API {
///         case movie(id: Int, language: String?)
///
/// Swift offers no list of a case's values and their types. They are learned from the enum's decoder, by noting which
/// keys and types it asks for while it decodes `{"movie": {}}`.
package struct EndpointDeclaration: Sendable {
    package let api: any API.Type
    package let signature: Signature
    package let examples: [any API]
    /// The first example, or else a call with made-up values.
    package let firstCall: any API
    /// The values of the parameters in ``firstCall``.
    package let firstValue: CallValue
    /// The parameters with the values of the examples, or else with those of ``firstCall``.
    package let firstParameters: [Parameter]
    /// The endpoint of ``firstCall``: its method, model, summary, notes and sample.
    package let endpoint: Endpoint

    /// The endpoint's own name on the command line: `new-movies`.
    package var endpointName: String { KebabCase.text(signature.caseName) }

    /// The full name on the command line: `movies.new-movies`.
    package var name: String { api.name + "." + endpointName }

    /// Returns the endpoints of an API that can be called: first those with examples, in the order of their first
    /// examples, then the others.
    ///
    /// - Throws: ``NotAnEnumCase`` if the API is no enum with the synthesised `Codable`.
    package static func all(of api: any API.Type) throws -> [EndpointDeclaration] {
        try all(of: EndpointCase.all(of: api))
    }

    /// Returns the endpoints of cases of one API: first those with a call, then those whose calls must be made up.
    ///
    /// A case for which no call can be made up is left out.
    static func all(of cases: [EndpointCase]) throws -> [EndpointDeclaration] {
        let casesWithCalls = cases.filter { $0.firstCall != nil }
        let casesWithoutCalls = cases.filter { $0.firstCall == nil }
        // Together, because it is faster: a type that several cases have is learned once.
        var declarations = try learned(casesWithCalls)
        // One by one, because what is made up for a case must not depend on the examples of other cases.
        for endpointCase in casesWithoutCalls { declarations += try learned([endpointCase]) }
        return declarations
    }

    /// Learns the parameters of cases of one API together.
    ///
    /// The API's enum is decoded from calls as JSON, such as `{"movie": {}}` and `{"movie": {"id": 550}}`. Its decoder
    /// asks for the parameters by name and type, and missing values are made up for it. Calls with values are needed
    /// for types that refuse made-up ones.
    ///
    /// - Parameter cases: The cases. If they have no call, there must only be one, because the call that is made up is
    ///   that of the first case.
    private static func learned(_ cases: [EndpointCase]) throws -> [EndpointDeclaration] {
        guard let api = cases.first?.api else { return [] }
        let callsOfCases = try cases.map { try $0.encodedCalls() }
        // The first call is an empty one. If there is no other, it is decoded to the made-up call.
        var jsonCalls: [JSONValue] = []
        for (endpointCase, calls) in zip(cases, callsOfCases) {
            jsonCalls.append(endpointCase.emptyCall)
            jsonCalls += calls.map(\.plain)
        }
        // The calls have the models' own keys and dates, so the API's strategies for these must not apply.
        let coding = Coding(data: api.coding.data, userInfo: api.coding.userInfo)
        let (enumShape, madeUpCall) = ModelShape.learned(api, from: jsonCalls, coding: coding)
        let caseShapes = enumShape.cases(cases.map(\.caseName))

        var declarations: [EndpointDeclaration] = []
        for (index, endpointCase) in cases.enumerated() {
            guard let firstCall = endpointCase.firstCall ?? madeUpCall else { continue }
            let declaration = try EndpointDeclaration(
                endpointCase, caseShapes[index], firstCall: firstCall, encodedCalls: callsOfCases[index])
            declarations.append(declaration)
        }
        return declarations
    }

    /// Describes the endpoint of a case whose parameters are known.
    ///
    /// - Parameters:
    ///   - endpointCase: The case of the API's enum.
    ///   - shape: The names and types of the case's parameters.
    ///   - firstCall: The case's first call, or a made-up one.
    ///   - encodedCalls: The case's calls as JSON: `{"movie": {"id": 550}}`. There are none if `firstCall` is made up.
    /// - Throws: ``NotAnEnumCase`` if the API is no enum with the synthesised `Codable`.
    private init(
        _ endpointCase: EndpointCase, _ shape: ModelShape, firstCall: any API, encodedCalls: [CallValue]
    ) throws {
        let caseName = endpointCase.caseName
        let parametersOfCalls = encodedCalls.compactMap { $0[caseName] }
        api = endpointCase.api
        examples = endpointCase.examples
        self.firstCall = firstCall
        // The signature only has values of examples. A call from the API's signatures is no example.
        let parametersOfExamples = examples.isEmpty ? [] : parametersOfCalls
        signature = try Signature(shape, caseName: caseName, of: api, values: parametersOfExamples)
        firstValue = try parametersOfCalls.first ?? CallValue(firstCall, caseName)
        if examples.isEmpty {
            firstParameters = signature.filled(with: firstValue).parameters
        } else {
            firstParameters = signature.parameters
        }
        endpoint = firstCall.resolvedEndpoint
    }
}

/// An endpoint as a listing shows it.
package struct EndpointSummary: Sendable, Encodable {
    /// The full name on the command line: `movies.new-movies`.
    package let name: String
    /// The method, such as `GET`; empty if the endpoint can't be called.
    package let method: String
    /// The path with `{name}` in place of parameters; empty if the endpoint can't be called.
    package let path: String
    /// The summary of the first call. It says so if the case has no call of its own.
    package let summary: String

    /// Returns the endpoints of an API: first those with examples, in the order of their first examples, then the
    /// others.
    ///
    /// Parameters are only examined if a path needs their names, because that is most of the work.
    ///
    /// - Throws: ``NotAnEnumCase`` if the API is no enum with the synthesised `Codable`.
    package static func all(of api: any API.Type) throws -> [EndpointSummary] {
        try EndpointCase.all(of: api).map { try EndpointSummary($0) }
    }

    /// Describes a case by its first call, such as `movies.movie GET /movie/{id}`.
    ///
    /// A case without a call is described by a made-up one, and the summary says so. If no call can be made up either,
    /// the method and path are empty.
    ///
    /// - Throws: ``NotAnEnumCase`` if the API is no enum with the synthesised `Codable`.
    private init(_ endpointCase: EndpointCase) throws {
        name = endpointCase.name
        if let firstCall = endpointCase.firstCall {
            let endpoint = firstCall.placedEndpoint
            method = endpoint.method.rawValue
            path = try ParameterPlaces.template(
                of: firstCall, endpoint, endpointCase.caseName, declaration: endpointCase.declaration)
            summary = endpoint.summary
        } else if let declaration = try endpointCase.declaration() {
            method = declaration.endpoint.method.rawValue
            path = ParameterPlaces.template(of: declaration)
            summary = declaration.endpoint.summary + " (no example)"
        } else {
            method = ""
            path = ""
            summary = "(can't be called: no example)"
        }
    }
}
