import EndpointKit
import JSONText

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
    ///   - document: The body, parsed as JSON.
    ///   - response: The response that has the body.
    ///   - endpoint: The endpoint of the call.
    ///   - redact: Removes secrets from the names of keys.
    ///   - check: Called at regular intervals, and throws an error to stop the comparison; nil if nothing stops it.
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
