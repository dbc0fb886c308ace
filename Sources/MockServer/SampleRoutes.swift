import EndpointKit

/// What is answered to one method on the paths of one template.
public struct Route: Sendable {
    /// The method it answers, compared as written: `GET`.
    public var method: String
    /// The paths it answers.
    public var template: PathTemplate
    /// Makes the answer to a request; called from many threads at once.
    public var answer: @Sendable (ReceivedRequest) -> Answer

    /// A route; the template is a text such as `/movie/{id}/videos`.
    public init(_ method: String, _ template: String, answer: @escaping @Sendable (ReceivedRequest) -> Answer) {
        self.method = method
        self.template = PathTemplate(template)
        self.answer = answer
    }

    /// A route that always answers the same.
    public init(_ method: String, _ template: String, _ answer: Answer) {
        self.init(method, template) { _ in answer }
    }
}

/// Finds the route of a request by its method and path.
///
/// Literal segments win over values; of two that say the same, the first declared wins. A GET route answers HEAD too.
public struct SampleRoutes: Sendable {
    /// The routes in the order they were declared, their templates with the base path in front.
    public let routes: [Route]

    /// The routes, each behind `basePath`, such as `/3`.
    public init(_ routes: [Route], basePath: String = "") {
        self.routes = routes.map { Route($0.method, basePath + $0.template.text, answer: $0.answer) }
    }

    /// The route's answer. Where there is none: 404, or 405 with `Allow` where only the method differs; both with a
    /// `message` in JSON.
    public func answer(to request: ReceivedRequest) -> Answer {
        let path = request.path
        let matching = routes.filter { $0.template.matches(path) }
        for method in request.method == "HEAD" ? ["HEAD", "GET"] : [request.method] {
            if let route = Self.mostSpecific(matching.filter { $0.method == method }) { return route.answer(request) }
        }
        guard matching.isEmpty else {
            var allowed = Set(matching.map(\.method))
            if allowed.contains("GET") { allowed.insert("HEAD") }
            return Self.refusal(
                405, "no sample for \(request.method) \(path), only for \(allowed.sorted().joined(separator: ", "))",
                fields: [("Allow", allowed.sorted().joined(separator: ", "))])
        }
        return Self.refusal(404, "no sample for \(request.method) \(path)")
    }

    private static func mostSpecific(_ routes: [Route]) -> Route? {
        guard var best = routes.first else { return nil }
        for route in routes.dropFirst() where route.template.isMoreSpecific(than: best.template) { best = route }
        return best
    }

    private static func refusal(_ status: Int, _ message: String, fields: [(String, String)] = []) -> Answer {
        .json("{\"message\": \(quoted(message))}\n", status: status, fields: fields)
    }

    /// A JSON string (RFC 8259, section 7).
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\0"..<" ": result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
