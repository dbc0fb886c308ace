import EndpointKit
import JSONText

/// A call of an endpoint: values for the endpoint's parameters, and the endpoint with these values in its request.
///
/// A call is a case of an API's enum, such as `Movies.popular(page: 2)`, or consists of the values alone.
package final class EndpointCall: Sendable {
    private enum Origin: Sendable {
        /// A case of an API's enum.
        case apiCase(any API)
        /// The values of the parameters, by the names of these.
        case values(CallValue)
    }

    private let origin: Origin
    /// The path, query, headers and body of the call's request, its response, and its sample.
    package let endpoint: Endpoint

    /// Makes the call that a case of an API's enum is.
    package init(_ apiCase: some API) {
        origin = .apiCase(apiCase)
        endpoint = apiCase.resolvedEndpoint
    }

    /// Makes a call out of the values of its parameters.
    ///
    /// - Parameters:
    ///   - values: An object with the values by the names of the parameters.
    ///   - endpoint: The endpoint that has these values in its request.
    package init(values: CallValue, endpoint: Endpoint) {
        origin = .values(values)
        self.endpoint = endpoint
    }

    /// The case of an API's enum; nil if the call was made of values.
    package var apiCase: (any API)? { if case .apiCase(let apiCase) = origin { apiCase } else { nil } }

    /// Returns an object with the values of the parameters that the call gives.
    ///
    /// - Throws: `NotAnEnumCase` for an enum with a `Codable` of its own. `EncodingError` for a value without a JSON
    ///   form.
    package func values() throws -> CallValue {
        switch origin {
        case .apiCase(let apiCase): try CallValue(apiCase, apiCase.caseName)
        case .values(let values): values
        }
    }

    /// Checks that the call breaks no rule of its endpoint.
    ///
    /// - Throws: `RuleViolation` for the first rule that is broken. `NotAnEnumCase` for an enum with a `Codable` of
    ///   its own.
    package func checkRules() throws {
        switch origin {
        case .apiCase(let apiCase): try apiCase.checkRules(endpoint)
        case .values(let values): for rule in endpoint.rules { try rule.check(values) }
        }
    }

    /// Whether `other` is a call of the same endpoint with the same values.
    ///
    /// Precondition: calls that are made of values are calls of the same endpoint.
    package func isSame(as other: EndpointCall) -> Bool {
        switch (origin, other.origin) {
        case (.apiCase(let apiCase), .apiCase(let otherCase)): apiCase.isSameCall(as: otherCase)
        case (.values(let values), .values(let otherValues)): values.plain == otherValues.plain
        default: false
        }
    }
}
