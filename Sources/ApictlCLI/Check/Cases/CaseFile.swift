import EndpointKit
import EndpointTools
import JSONText

/// The file of `check --cases`: calls, and requirements for their responses in addition to those of the models.
struct CaseFile: Decodable, Sendable {
    /// One call, and the requirements for its response; or a reference to another file whose cases are run.
    ///
    /// `{{NAME}}` in a text stands for a value that an earlier case has captured, or that is generated; see
    /// ``Placeholder``.
    struct Case: Decodable, Sendable {
        /// The path of another file, relative to this one, whose cases are run in this place.
        let include: String?
        let name: String?
        /// The reason why the case is not sent; nil if it is.
        let skip: String?
        let endpoint: String?
        /// The URL that is called in place of an endpoint.
        let url: String?
        /// The method for ``url``; nil is GET, or POST with a body.
        let method: CaseTemplate<HTTPMethod>?
        /// The values of parameters, by the names of the parameters.
        let arguments: [String: JSONValue]?
        /// The items to add to the query; a list is sent as several items.
        let query: [String: JSONValue]?
        /// The headers to add. Null removes a header.
        let headers: [String: JSONValue]?
        /// The body to send; an explicit null is sent as `null`.
        let body: Nullable<JSONValue>?
        /// The name of a credential, or `none`.
        let auth: String?
        /// The statuses to expect; by default those of a success.
        let status: CaseTemplate<ClosedRange<Int>>?
        /// The longest time that the response may take.
        let maxLatency: CaseTemplate<Duration>?
        /// How often the request is sent again after a failure.
        let retry: CaseTemplate<Int>?
        /// How long the case is repeated until its requirements are met; nil if it is carried out once.
        let until: CaseTemplate<Duration>?
        /// The requirements for the values of the response, by JSON paths.
        let expect: [String: CaseExpectation]?
        /// The requirements for the headers of the response, by their names.
        let expectHeaders: [String: CaseExpectation]?
        /// The paths of the values to capture for later cases, by the names of the captures.
        let capture: [String: CaseTemplate<JSONPath>]?
    }

    let version: SettingsVersion
    /// The path of another file, relative to this one, whose cases come before ``setup`` and are part of it.
    let include: String?
    /// The cases that come first. If one of them does not pass, ``cases`` are not run.
    let setup: [Case]?
    let cases: [Case]
    /// The cases that come last, whatever has failed.
    let cleanup: [Case]?
}

extension Nullable<JSONValue> {
    /// The value as JSON, which is `null` for an explicit null.
    var json: JSONValue { if case .value(let value) = self { value } else { .null } }
}
