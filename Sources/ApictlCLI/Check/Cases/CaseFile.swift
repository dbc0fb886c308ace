import EndpointKit
import EndpointTools
import JSONText

/// The file of `check --cases`: calls, and requirements for their responses in addition to those of the models.
struct CaseFile: Decodable, Sendable {
    /// One call, and the requirements for its response.
    ///
    /// `{{NAME}}` in a text stands for a value that an earlier case has captured; see ``Placeholder``.
    struct Case: Decodable, Sendable {
        let name: String?
        let endpoint: String
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
        /// The requirements for the values of the response, by JSON paths.
        let expect: [String: CaseExpectation]?
        /// The paths of the values to capture for later cases, by the names of the captures.
        let capture: [String: CaseTemplate<JSONPath>]?
    }

    let version: SettingsVersion
    let cases: [Case]

    /// Returns the text of a file with a case for each example of endpoints, for `check --init`.
    ///
    /// - Throws: The error of encoding the values of an example.
    static func template(of declarations: [EndpointDeclaration]) throws -> [UInt8] {
        let cases = try declarations.flatMap { declaration in
            try declaration.examples.map { try caseObject(of: $0, declaration) }
        }
        let file: JSONValue = ["version": 1, "cases": JSONValue(cases)]
        return try JSONFormatter(style: .pretty(indent: .spaces(2))).formatted(JSONTextEncoder().encode(file))
    }

    /// Returns an example as a case of a file.
    ///
    ///     .video(id: 550)   →   {"endpoint": "movies.video", "arguments": {"id": 550}}
    private static func caseObject(of example: EndpointCall, _ declaration: EndpointDeclaration) throws -> JSONValue {
        let arguments = try example.values().parameters.sorted { $0.name < $1.name }
        var members = [("endpoint", JSONValue(declaration.name))]
        if !arguments.isEmpty { members.append(("arguments", JSONValue(arguments))) }
        return JSONValue(members)
    }
}

extension Nullable<JSONValue> {
    /// The value as JSON, which is `null` for an explicit null.
    var json: JSONValue { if case .value(let value) = self { value } else { .null } }
}
