import EndpointKit
import JSONText

/// A case of an API's enum with its examples, whose parameters have not been examined yet.
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

    /// Returns the cases of an API: first those with examples, in the order of their first examples, then those with a
    /// signature, then the others.
    ///
    /// The function is generic because casting `[A]` to `[any API]` costs a search through all conformances.
    ///
    /// - Throws: ``NotAnEnumCase`` if the API is no enum with the synthesised `Codable`.
    package static func all<A: API>(of api: A.Type) throws -> [EndpointCase] {
        var cases: [EndpointCase] = []
        var indices: [String: Int] = [:]

        /// Returns the case's index in `cases`, to which it adds the case if it is new.
        func index(of caseName: String) -> Int {
            if let known = indices[caseName] { return known }
            cases.append(EndpointCase(api: api, caseName: caseName, examples: []))
            indices[caseName] = cases.count - 1
            return cases.count - 1
        }

        for example in api.examples {
            let caseIndex = index(of: try example.caseName)
            cases[caseIndex].examples.append(example)
        }
        for signature in api.signatures {
            let caseIndex = index(of: try signature.caseName)
            if cases[caseIndex].firstCall == nil { cases[caseIndex].signature = signature }
        }
        for caseName in api.caseNames { _ = index(of: caseName) }
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

    /// Returns the values of the examples, or else that of ``signature``.
    fileprivate func values() throws -> [CallValue] {
        var calls = examples
        if let signature { calls.append(signature) }
        return try calls.map { try CallValue($0) }
    }
}

/// An endpoint as its API declares it: its parameters and its examples.
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
    static func all(of cases: [EndpointCase]) throws -> [EndpointDeclaration] {
        let casesWithCalls = cases.filter { $0.firstCall != nil }
        let casesWithoutCalls = cases.filter { $0.firstCall == nil }
        var declarations = try learned(casesWithCalls)
        // One by one, because what is made up for a case must not depend on the examples of other cases.
        for endpointCase in casesWithoutCalls { declarations += try learned([endpointCase]) }
        return declarations
    }

    /// Learns the parameters of cases of one API together, by decoding their calls.
    private static func learned(_ cases: [EndpointCase]) throws -> [EndpointDeclaration] {
        guard let api = cases.first?.api else { return [] }
        let valuesOfCases = try cases.map { try $0.values() }
        var calls: [JSONValue] = []
        for (endpointCase, values) in zip(cases, valuesOfCases) {
            calls.append(endpointCase.emptyCall)
            calls += values.map(\.plain)
        }
        // The calls have the models' own keys and dates, so the API's strategies for these must not apply.
        let coding = Coding(data: api.coding.data, userInfo: api.coding.userInfo)
        let (enumShape, madeUpCall) = ModelShape.learned(api, from: calls, coding: coding)
        let caseShapes = enumShape.cases(cases.map(\.caseName))

        var declarations: [EndpointDeclaration] = []
        for (index, endpointCase) in cases.enumerated() {
            guard let firstCall = endpointCase.firstCall ?? madeUpCall else { continue }
            let declaration = try EndpointDeclaration(
                endpointCase, caseShapes[index], firstCall: firstCall, values: valuesOfCases[index])
            declarations.append(declaration)
        }
        return declarations
    }

    /// Declares the endpoint of a case whose shape is known.
    ///
    /// - Parameters:
    ///   - shape: The part of the enum's shape that describes the case.
    ///   - firstCall: The case's first call, or a made-up one.
    ///   - values: The values of the case's calls.
    /// - Throws: ``NotAnEnumCase`` if the API is no enum with the synthesised `Codable`.
    private init(
        _ endpointCase: EndpointCase, _ shape: ModelShape, firstCall: any API, values: [CallValue]
    ) throws {
        let caseName = endpointCase.caseName
        let parameterValues = values.compactMap { $0[caseName] }
        let hasExamples = !endpointCase.examples.isEmpty
        api = endpointCase.api
        examples = endpointCase.examples
        self.firstCall = firstCall
        signature = try Signature(
            shape, caseName: caseName, of: api, values: hasExamples ? parameterValues : [])
        firstValue = try parameterValues.first ?? CallValue(firstCall, caseName)
        firstParameters = (hasExamples ? signature : signature.filled(with: firstValue)).parameters
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

    /// Summarises a case by its first call, or else by a made-up one.
    private init(_ endpointCase: EndpointCase) throws {
        name = endpointCase.name
        if let example = endpointCase.firstCall {
            let endpoint = example.placedEndpoint
            method = endpoint.method.rawValue
            path = try ParameterPlaces.template(
                of: example, endpoint, endpointCase.caseName, declaration: endpointCase.declaration)
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
