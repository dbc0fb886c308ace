import EndpointKit
import JSONText

/// A case of an API's enum as the source of an endpoint: calls are values of the enum.
struct EnumEndpoint<A: API>: EndpointSource {
    let caseName: String
    var omissions: [String] { [] }
    var bodyTypes: [String] { [] }

    /// Writes arguments as the JSON of a call and decodes it.
    ///
    /// - Throws: An ``ArgumentError``, or an error of the call's own types that is not about decoding.
    func makeCall(_ arguments: [Argument], signature: Signature) throws -> EndpointCall {
        EndpointCall(try A.makeCall(signature, arguments: arguments))
    }

    /// Decodes a call from values that are written as the models write them: `{"id": 550}`.
    ///
    /// - Throws: The error of decoding the call, if a value does not fit its parameter.
    func call(values: JSONValue) throws -> EndpointCall {
        let json: JSONValue = [caseName: values]
        return EndpointCall(try A.plainCoding.decode(A.self, from: Array(json.written)))
    }

    /// Returns a call with made-up values whose path has no empty segment, so that it can be sent.
    ///
    /// Made-up texts are empty, but a value in a path must not be. So if the path has an empty value, each empty text
    /// is replaced by the name of its parameter: `/users//posts` becomes `/users/login/posts`. A call that can't be
    /// made with these texts stays as it is.
    func withUsablePath(_ madeUpCall: EndpointCall) -> EndpointCall {
        let hasEmptyValue = madeUpCall.endpoint.path.values(A.api.coding).contains("")
        guard hasEmptyValue, let values = try? madeUpCall.values() else { return madeUpCall }
        // The values are an object, so they have members.
        let members = (values.plain.members ?? []).map { name, value in
            let isEmptyText = value.string == ""
            return (name, isEmptyText ? JSONValue(name) : value)
        }
        return (try? call(values: JSONValue(members))) ?? madeUpCall
    }

    /// Returns the shape of what the response model reads. The endpoint's sample helps to learn it.
    func responseShape(of endpoint: Endpoint) -> ModelShape? {
        guard endpoint.response.kind == .json else { return nil }
        return .of(endpoint.response.model, sample: endpoint.sample?.bytes, coding: A.api.coding)
    }

    /// The Swift name of the response model.
    func responseName(of endpoint: Endpoint) -> String { endpoint.response.name }

    /// Whether the response is a success and the endpoint's model reads JSON. An enum declares no model of failures.
    func declaresJSON(of response: ResponseHead, from endpoint: Endpoint) -> Bool {
        endpoint.response.kind == .json && response.isSuccess
    }

    /// Whether the response model is optional, so that it is nil without a body.
    func acceptsNoBody(of response: ResponseHead, from endpoint: Endpoint) -> Bool { endpoint.response.acceptsNoBody }

    /// Compares a body with the response model, by decoding the model.
    func compare(
        _ document: JSONDocument, of response: ResponseHead, with endpoint: Endpoint,
        redact: @escaping (String) -> String, check: (() throws -> Void)?
    ) throws -> ResponseComparison {
        try ResponseComparison.compare(
            document, as: endpoint.response.model, coding: A.api.coding, redact: redact, check: check)
    }
}
