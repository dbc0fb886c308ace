import EndpointKit
import JSONText

/// The response to one method on the paths of one template.
public struct Route: Sendable {
    /// The method, compared as written: `GET`.
    public var method: String
    /// The paths.
    public var template: PathTemplate
    /// Makes the response to a request; called concurrently.
    public var respond: @Sendable (ReceivedRequest) -> MockResponse

    /// A route; the template is a text such as `/movie/{id}/videos`.
    public init(_ method: String, _ template: String, respond: @escaping @Sendable (ReceivedRequest) -> MockResponse) {
        self.method = method
        self.template = PathTemplate(template)
        self.respond = respond
    }

    /// A route with a fixed response.
    public init(_ method: String, _ template: String, _ response: MockResponse) {
        self.init(method, template) { _ in response }
    }
}

/// Finds the route of a request by its method and path.
///
/// Literal segments win over values; of two equal templates the first declared wins. A GET route serves HEAD too.
public struct SampleRoutes: Sendable {
    /// The routes in order of declaration, their templates with the base path.
    public var routes: [Route] { table.entries.map(\.value) }
    private let table: RouteTable<Route>

    /// The routes, each under `basePath`, such as `/3`.
    public init(_ routes: [Route], basePath: String = "") {
        table = RouteTable(
            routes.map { Route($0.method, basePath + $0.template.text, respond: $0.respond) }
                .map { RouteTable<Route>.Entry($0.method, $0.template, $0) })
    }

    /// The response of the matching route; else 404, or 405 with `Allow` if only the method differs, with a `message` in JSON.
    public func response(to request: ReceivedRequest) -> MockResponse {
        let path = request.path
        switch table.match(request.method, PathSegments(path)) {
        case .found(let routes):
            return routes[0].value.respond(request)
        case .otherMethods(let methods):
            let allowed = methods.joined(separator: ", ")
            return .refusal(
                405, "no sample for \(request.method) \(path), only for \(allowed)", fields: [("Allow", allowed)])
        case .unknownPath:
            return .refusal(404, "no sample for \(request.method) \(path)")
        }
    }
}

extension MockResponse {
    /// A recorded sample.
    static func sample(_ sample: Response) -> MockResponse {
        .response(sample.head.status, fields: sample.head.fields.map { ($0.name, $0.value) }, body: sample.body)
    }

    /// A failure with a `message` in JSON.
    static func refusal(_ status: Int, _ message: String, fields: [(String, String)] = []) -> MockResponse {
        .json("{\"message\": \(JSONValue(message))}\n", status: status, fields: fields)
    }
}
