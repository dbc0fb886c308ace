import EndpointKit
import JSONText

/// A case of an API and its examples, whose parameters have not been examined yet.
package struct EndpointCase {
    let api: any API.Type
    let caseName: String
    private(set) var examples: [any API]
    /// A call that is not to be sent, for an endpoint without an example.
    private(set) var signature: (any API)?
    /// The first example, or what stands for it.
    var firstCall: (any API)? { examples.first ?? signature }

    /// The endpoint's own name on the command line: `new-movies`.
    package var endpointName: String { KebabCase.text(caseName) }
    /// The full name on the command line: `movies.new-movies`.
    package var name: String { api.name + "." + endpointName }

    /// The cases of `api` in the order of their first examples, then those with a signature, then the others. Throws ``Signature/NotACase``.
    // Generic, because casting an array costs a search through all conformances.
    package static func all<A: API>(of api: A.Type) throws -> [EndpointCase] {
        var cases: [EndpointCase] = []
        var places: [String: Int] = [:]
        func place(of name: String) -> Int {
            if let place = places[name] { return place }
            cases.append(EndpointCase(api: api, caseName: name, examples: []))
            places[name] = cases.count - 1
            return cases.count - 1
        }
        for example in api.examples {
            let place = place(of: try example.caseName)
            cases[place].examples.append(example)
        }
        for signature in api.signatures {
            let place = place(of: try signature.caseName)
            if cases[place].firstCall == nil { cases[place].signature = signature }
        }
        for name in api.caseNames { _ = place(of: name) }
        return cases
    }

    /// The endpoint with its parameters; nil if there is no example, and none can be made up, because a type refuses made-up values.
    ///
    /// Throws ``Signature/NotACase``.
    package func declaration() throws -> EndpointDeclaration? { try EndpointDeclaration.all(of: [self]).first }
}

extension EndpointCase {
    /// A call without parameters.
    fileprivate var empty: JSONValue { [caseName: [:]] }

    /// The values of the examples, or of what stands for them.
    fileprivate func calls() throws -> [CallValue] {
        try (examples + [signature].compactMap(\.self)).map { try CallValue($0) }
    }
}

/// An endpoint as declared: its API, its signature and its examples.
package struct EndpointDeclaration: Sendable {
    package let api: any API.Type
    package let signature: Signature
    package let examples: [any API]
    /// The first example; if there is none, a call with made-up values.
    package let firstCall: any API
    /// The parameters' values in it.
    package let firstValue: CallValue
    /// The parameters with the values of the examples; if there is none, with those made up.
    package let firstParameters: [Parameter]

    /// The endpoint's own name on the command line: `new-movies`.
    package var endpointName: String { KebabCase.text(signature.caseName) }
    /// The full name on the command line: `movies.new-movies`.
    package var name: String { api.name + "." + endpointName }
    /// The endpoint of ``firstCall``: method, model, summary, notes, sample.
    package let endpoint: Endpoint

    /// The endpoints of `api` that can be called, in the order of their first examples, then those without. Throws ``Signature/NotACase``.
    package static func all(of api: any API.Type) throws -> [EndpointDeclaration] {
        try all(of: EndpointCase.all(of: api))
    }

    /// Those of cases of one API.
    static func all(of cases: [EndpointCase]) throws -> [EndpointDeclaration] {
        // What is made up for a case must not depend on the examples of others.
        let others = cases.filter { $0.firstCall == nil }.map { [$0] }
        return try ([cases.filter { $0.firstCall != nil }] + others).flatMap(learned)
    }

    /// The endpoints of cases, whose shapes are learned together.
    private static func learned(_ cases: [EndpointCase]) throws -> [EndpointDeclaration] {
        guard let api = cases.first?.api else { return [] }
        let calls = try cases.map { try $0.calls() }
        let texts = zip(cases, calls).flatMap { [$0.empty] + $1.map(\.plain) }
        let plain = Coding(data: api.coding.data, userInfo: api.coding.userInfo)
        let (shape, placeholder) = ModelShape.learned(api, from: texts, coding: plain)
        return try zip(zip(cases, calls), shape.cases(cases.map(\.caseName))).compactMap { learned, own in
            let (one, calls) = learned
            guard let firstCall = one.firstCall ?? placeholder else { return nil }
            let values = calls.compactMap { $0[one.caseName] }
            let signature = try Signature(
                own, caseName: one.caseName, of: api, values: one.examples.isEmpty ? [] : values)
            let value = try values.first ?? CallValue(firstCall, one.caseName)
            let first = one.examples.isEmpty ? signature.filled(with: value) : signature
            return EndpointDeclaration(
                api: api, signature: signature, examples: one.examples, firstCall: firstCall, firstValue: value,
                firstParameters: first.parameters, endpoint: firstCall.resolvedEndpoint)
        }
    }
}

/// An endpoint as a listing shows it.
package struct EndpointSummary: Sendable, Encodable {
    /// The full name on the command line: `movies.new-movies`.
    package let name: String
    package let method: String
    /// The path with `{name}` in place of parameters.
    package let path: String
    /// What it does, in a few words, from the first example; says so if there is none.
    package let summary: String

    /// The endpoints of `api` in the order of their first examples, then those without an example. Throws ``Signature/NotACase``.
    ///
    /// Parameters are examined only if a path needs their names, because that is most of the work.
    package static func all(of api: any API.Type) throws -> [EndpointSummary] {
        try EndpointCase.all(of: api).map { try EndpointSummary($0) }
    }

    private init(_ endpointCase: EndpointCase) throws {
        name = endpointCase.name
        if let example = endpointCase.firstCall {
            let endpoint = example.placedEndpoint
            method = endpoint.method.rawValue
            path = try ParameterPlaces.template(
                of: example, endpoint, endpointCase.caseName, else: endpointCase.declaration)
            summary = endpoint.summary
        } else if let declaration = try endpointCase.declaration() {
            method = declaration.endpoint.method.rawValue
            path = ParameterPlaces.template(of: declaration)
            summary = declaration.endpoint.summary + " (no example)"
        } else {
            (method, path, summary) = ("", "", "(can't be called: no example)")
        }
    }
}
