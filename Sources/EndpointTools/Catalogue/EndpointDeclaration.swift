import EndpointKit
import JSONText

/// An endpoint with everything that tools show of it and need to call it: parameters, examples, and response.
package final class EndpointDeclaration: Sendable {
    package let api: CatalogueAPI
    /// The endpoint's own name on the command line: `new-movies`.
    package let endpointName: String
    package let signature: Signature
    package let examples: [EndpointCall]
    /// The first example, or else a call with made-up values.
    package let firstCall: EndpointCall
    /// The values of the parameters in ``firstCall``.
    package let firstValues: CallValue
    /// The parameters with the values of the examples, or else with those of ``firstCall``.
    package let parametersWithValues: [Parameter]
    /// An object with the values that the declaration itself has for parameters, by the names of the parameters. It may
    /// have some although ``examples`` is empty, because others are missing.
    package let knownValues: JSONValue
    let source: any EndpointSource

    /// The full name on the command line: `movies.new-movies`.
    package var name: String { api.name + "." + endpointName }

    /// The endpoint of ``firstCall``: its method, model, summary, notes and sample.
    package var endpoint: Endpoint { firstCall.endpoint }

    /// Describes an endpoint.
    ///
    /// - Parameters:
    ///   - api: The API that has the endpoint.
    ///   - endpointName: The endpoint's own name: `new-movies`.
    ///   - signature: The parameters, with the values of the examples.
    ///   - examples: Calls that may be sent.
    ///   - firstCall: The first example, or else a call with made-up values.
    ///   - knownValues: The values that the declaration has for some or all parameters.
    ///   - source: The declaration of the endpoint in Swift or in a document.
    /// - Throws: The error of encoding the values of `firstCall`.
    package init(
        _ api: CatalogueAPI, endpointName: String, signature: Signature, examples: [EndpointCall],
        firstCall: EndpointCall, knownValues: JSONValue = [:], source: some EndpointSource
    ) throws {
        self.api = api
        self.endpointName = endpointName
        self.signature = signature
        self.examples = examples
        self.firstCall = firstCall
        self.knownValues = knownValues
        self.source = source
        firstValues = try firstCall.values()
        // The signature has the values of the examples only. Without examples, the values of the first call show what
        // a call looks like, although it is not to be sent.
        let signatureWithValues = examples.isEmpty ? signature.filled(with: firstValues) : signature
        parametersWithValues = signatureWithValues.parameters
    }

    /// Sentences about parts of the declaration that are left out.
    package var omissions: [String] { source.omissions }

    /// The media types that the body can have, if the caller of the endpoint chooses one of them; else empty.
    package var bodyTypes: [String] { source.bodyTypes }

    /// Whether each request needs a body that no parameter gives, so that it is given as bytes.
    package var needsBytes: Bool { source.needsBytes }

    /// The part of the request that each parameter is in, by the parameter's name, as far as the declaration itself
    /// says so; empty for an enum, whose requests a ``ParameterProbe`` shows.
    package var declaredPlaces: [String: ParameterLocation] { source.declaredPlaces }

    /// The requests as the declaration itself describes them; nil for an enum, whose requests a ``ParameterProbe``
    /// shows.
    package var declaredRequest: DeclaredRequest? { source.declaredRequest }

    /// The shape of a successful response in JSON, if there is a ``declaredRequest`` too; nil if the response is not
    /// JSON.
    package var declaredResponse: ModelShape? { source.declaredResponse }

    /// Returns where parts of the declaration are in the text of a document.
    ///
    /// - Parameter paths: The paths to the parts.
    /// - Returns: An offset for each path, for `CatalogueAPI.lines(of:)`. It is nil for a part in another file, and for
    ///   all parts of an enum.
    package func offsets(of paths: [DeclarationPath]) -> [Int?] { source.offsets(of: paths) }

    /// Makes the call of this endpoint that arguments describe.
    ///
    /// - Throws: An ``ArgumentError`` with all missing parameters, or else with the first value that does not fit.
    package func call(_ arguments: [Argument]) throws -> EndpointCall {
        try source.makeCall(arguments, signature: signature)
    }

    /// Returns the endpoint with the values of arguments in its request.
    ///
    /// - Throws: An ``ArgumentError``, as ``call(_:)`` does.
    package func endpoint(for arguments: [Argument]) throws -> Endpoint { try call(arguments).endpoint }

    /// The shape of the JSON of a successful response; nil if the response is not JSON.
    package var responseShape: ModelShape? { responseShape(of: endpoint) }

    /// Returns the shape of the JSON of a successful response; nil if the response is not JSON.
    ///
    /// - Parameter endpoint: The endpoint of a call, whose response may differ from that of ``firstCall``.
    package func responseShape(of endpoint: Endpoint) -> ModelShape? { source.responseShape(of: endpoint) }

    /// Returns whether a successful response without a body fits, although JSON is declared.
    package func acceptsNoBody(of response: ResponseHead, from endpoint: Endpoint) -> Bool {
        source.acceptsNoBody(of: response, from: endpoint)
    }

    /// Returns the name of the JSON of a successful response, such as `MoviePage`, or `JSONValue` for any JSON.
    package func responseName(of endpoint: Endpoint) -> String { source.responseName(of: endpoint) }

    /// Returns the shape of an object with the endpoint's parameters as its fields, such as `{"id": integer}`.
    ///
    /// The fields have the parameters' Swift names. Their values are as the API writes them, and within the bounds of
    /// the endpoint's rules.
    package func parameterShape() throws -> ModelShape { try api.parameterShapes(of: [self])[0] }
}
