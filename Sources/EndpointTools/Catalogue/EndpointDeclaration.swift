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
    package let firstParameters: [Parameter]
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
    ///   - api: The API of the endpoint.
    ///   - endpointName: The endpoint's own name.
    ///   - signature: The parameters, with the values of the examples.
    ///   - examples: Calls that may be sent.
    ///   - firstCall: The first example, or else a call with made-up values.
    ///   - knownValues: The values that the declaration has for parameters, also if it lacks others.
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
        // The signature only has values of examples. A call that is not to be sent is no example.
        let signatureWithValues = examples.isEmpty ? signature.filled(with: firstValues) : signature
        firstParameters = signatureWithValues.parameters
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

/// The declaration of an endpoint that an ``EndpointDeclaration`` is made of: a case of an enum, or an operation of a
/// document.
package protocol EndpointSource: Sendable {
    /// Sentences about parts of the declaration that are left out, because they are not understood.
    var omissions: [String] { get }
    /// The media types that the body can have, if a caller chooses one of them; else empty.
    var bodyTypes: [String] { get }

    /// Whether each request needs a body that no parameter gives.
    var needsBytes: Bool { get }
    /// The part of the request that each parameter is in, by the parameter's name; empty if the declaration does not
    /// say so.
    var declaredPlaces: [String: ParameterLocation] { get }
    /// The requests as the declaration describes them; nil if it does not.
    var declaredRequest: DeclaredRequest? { get }
    /// The shape of a successful response in JSON, if requests are described too; nil if the response is not JSON.
    var declaredResponse: ModelShape? { get }

    /// Returns the offsets of parts of the declaration in the text of a document.
    ///
    /// - Parameter paths: The paths to the parts.
    /// - Returns: An offset for each path; nil for a part that is not in the text.
    func offsets(of paths: [DeclarationPath]) -> [Int?]

    /// Makes the call that arguments describe.
    ///
    /// - Throws: An ``ArgumentError``.
    func makeCall(_ arguments: [Argument], signature: Signature) throws -> EndpointCall

    /// Makes a call of values for the parameters.
    ///
    /// - Parameter values: An object with the values by the names of the parameters, as `CallValue.plain` has them.
    /// - Throws: An error if a value does not fit its parameter.
    func call(values: JSONValue) throws -> EndpointCall

    /// Returns the shape of the JSON of a successful response; nil if the response is not JSON.
    ///
    /// - Parameter endpoint: The endpoint of a call.
    func responseShape(of endpoint: Endpoint) -> ModelShape?

    /// Returns the name of the JSON of a successful response.
    ///
    /// - Parameter endpoint: The endpoint of a call.
    func responseName(of endpoint: Endpoint) -> String

    /// Whether the JSON body of a response is declared, so that it can be compared.
    ///
    /// - Parameters:
    ///   - response: The head of the response.
    ///   - endpoint: The endpoint of the call.
    func declaresJSON(of response: ResponseHead, from endpoint: Endpoint) -> Bool

    /// Whether a successful response without a body fits, although JSON is declared.
    ///
    /// - Parameters:
    ///   - response: The head of the response.
    ///   - endpoint: The endpoint of the call.
    func acceptsNoBody(of response: ResponseHead, from endpoint: Endpoint) -> Bool

    /// Compares the JSON body of a response with what the endpoint declares about it.
    ///
    /// - Parameters:
    ///   - document: The body.
    ///   - response: The response that has the body.
    ///   - endpoint: The endpoint of the call.
    ///   - redact: Removes secrets from the names of keys.
    ///   - check: Called at regular intervals. An error that it throws stops the comparison.
    func compare(
        _ document: JSONDocument, of response: ResponseHead, with endpoint: Endpoint,
        redact: @escaping (String) -> String, check: (() throws -> Void)?
    ) throws -> ResponseComparison
}

/// A declaration in Swift describes no requests, and has no text.
extension EndpointSource {
    package var needsBytes: Bool { false }
    package var declaredPlaces: [String: ParameterLocation] { [:] }
    package var declaredRequest: DeclaredRequest? { nil }
    package var declaredResponse: ModelShape? { nil }
    package func offsets(of paths: [DeclarationPath]) -> [Int?] { paths.map { _ in nil } }
}
