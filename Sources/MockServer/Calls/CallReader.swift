import EndpointKit
import JSONText
import Synchronization

/// Recovers the call that a request to an endpoint makes.
package final class CallReader: Sendable {
    package let declaration: EndpointDeclaration
    /// Found at the first request: a server with many endpoints starts at once.
    private let known = Mutex<CallBindings?>(nil)

    package init(_ declaration: EndpointDeclaration) { self.declaration = declaration }

    private var bindings: CallBindings {
        known.withLock { known in
            let bindings = known ?? CallBindings(of: declaration)
            known = bindings
            return bindings
        }
    }

    /// What `request` says of the endpoint's parameters; `pathValues` are the values of the route's template.
    func read(
        _ request: ReceivedRequest, on route: CallRoutes.Route, under prefix: String, _ template: PathTemplate,
        _ pathValues: [String]
    ) -> CallReading {
        let bindings = bindings
        let parts = CallParts(request, pathValues: pathValues, expecting: bindings.form)
        let fixed = bindings.constants
        let known = fixed.map(\.place) + bindings.bindings.map(\.place)
        var reading = CallReading(request, route, prefix)
        reading.lacking = fixed.filter { !parts.items.contains($0) }.map(\.phrase)
        reading.otherItems = request.queryItems.filter { !known.contains(.query($0.name)) }
        (reading.call, reading.problems) = call(parts, bindings)
        let form = CallParts.Form(request["Content-Type"], isEmpty: request.body.isEmpty)
        reading.fit =
            [template.fixedCount, fixed.count] + template.literalLengths
            + [form == bindings.form ? 1 : 0, reading.problems.isEmpty ? 1 : 0, -reading.otherItems.count]
        return reading
    }

    /// The call that a request makes, or why it makes none.
    private func call(_ parts: CallParts, _ bindings: CallBindings) -> ((any API)?, [CallProblem]) {
        if let problem = parts.problem { return (nil, [CallProblem(kind: .missing, message: problem)]) }
        var problems: [CallProblem] = []
        func add(_ kind: CallProblem.Kind, _ message: String) {
            let problem = CallProblem(kind: kind, message: message)
            // Several parameters may share a place.
            if !problems.contains(problem) { problems.append(problem) }
        }
        var arguments: [Argument] = []
        for parameter in declaration.firstParameters {
            guard let binding = bindings.bindings.first(where: { $0.parameter.name == parameter.name }) else {
                // Nothing is known of it.
                if !parameter.isOptional { arguments += parameter.exampleArguments }
                continue
            }
            switch binding.value(in: parts) {
            case .texts(let texts) where texts.isEmpty:
                // In JSON a list can be there and empty.
                arguments.append(Argument([parameter.name], .json(Array("[]".utf8), source: binding.phrase)))
            case .texts(let texts): arguments += texts.map { Argument([parameter.name], $0) }
            case .json(let value):
                arguments.append(Argument([parameter.name], .json(Array(value.written), source: binding.phrase)))
            case .present: arguments += parameter.exampleArguments
            case .invalid(let problem): add(.invalid, problem)
            case nil: if !parameter.isOptional { add(.missing, "\(binding.placePhrase) is missing") }
            }
        }
        guard problems.isEmpty else { return (nil, problems) }
        do {
            let call = try declaration.call(arguments)
            try call.checkRules(call.resolvedEndpoint)
            return (call, [])
        } catch {
            return (nil, [problem(error, bindings)])
        }
    }

    private func problem(_ error: any Error, _ bindings: CallBindings) -> CallProblem {
        func phrase(_ path: [String]) -> String {
            let binding = bindings.bindings.first { $0.parameter.name == path.first }
            let fields = path.dropFirst().map { "." + $0 }.joined()
            return (binding?.phrase ?? path.first ?? "") + fields
        }
        func swiftName(_ name: String) -> String { declaration.signature.parameter(named: name)?.name ?? name }
        switch error {
        case ArgumentError.missing(let paths):
            return CallProblem(
                kind: .missing, message: paths.map { phrase($0) + " is missing" }.joined(separator: "; "))
        case ArgumentError.repeated(let path, _):
            return CallProblem(kind: .invalid, message: "\(phrase(path)) is there more than once")
        case ArgumentError.invalid(let path, let text, let expected, _):
            return CallProblem(kind: .invalid, message: "\(phrase(path)): expected \(expected), got '\(text)'")
        case RuleViolation.outOfBounds(let name, let value, let bounds):
            return CallProblem(
                kind: .invalid, message: "\(phrase([swiftName(name)])): expected \(bounds), got '\(value)'")
        case RuleViolation.exclusive(let one, let other):
            let phrases = [one, other].map { phrase([swiftName($0)]) }
            return CallProblem(kind: .invalid, message: phrases.joined(separator: " and ") + " can't be used together")
        case ArgumentError.invalidJSON(let path, _, let problem, _):
            let isMissing = problem.contains("missing key")
            return CallProblem(kind: isMissing ? .missing : .invalid, message: "\(phrase(path)): \(problem)")
        default:
            return CallProblem(kind: .invalid, message: "\(error)")
        }
    }
}

/// What a request says of an endpoint's parameters.
package struct CallReading: Sendable {
    package let request: ReceivedRequest
    package let route: CallRoutes.Route
    /// The path of the request as it was sent, without that of the mount and of the API's server.
    package let path: String
    /// The enum case; nil if there are problems.
    package fileprivate(set) var call: (any API)?
    package fileprivate(set) var problems: [CallProblem] = []
    /// The query items that are neither fixed nor a parameter's.
    fileprivate var otherItems: [ReceivedRequest.Field] = []
    /// The fixed items of the endpoint that the request does not have.
    fileprivate(set) var lacking: [String] = []
    /// How well the request fits; a later number counts only if the earlier ones are equal.
    fileprivate(set) var fit: [Int] = []

    fileprivate init(_ request: ReceivedRequest, _ route: CallRoutes.Route, _ prefix: String) {
        self.request = request
        self.route = route
        let segments = PathSegments.split(request.path)
        path = segments.dropFirst(prefix.isEmpty ? 0 : PathSegments.split(prefix).count).map { "/" + $0 }.joined()
    }

    package var declaration: EndpointDeclaration { route.declaration }

    /// The endpoint's sample, of a list the page that the request asks for; 204 if the endpoint has no body, 501 if it has no sample.
    package var sample: Response {
        let query = request.queryItems.filter { !SecretName.isCredential($0.name) }.map { QueryItem($0.name, $0.value) }
        if let page = route.endpoint.samplePage(query) { return page }
        if route.endpoint.response.kind == .empty {
            return Response(head: ResponseHead(status: route.endpoint.isBodiless ? 204 : 200), body: [])
        }
        return Response(501, message: "\(declaration.name) has no sample")
    }

    /// The query items beyond the parameters that choose a page of the endpoint's list.
    package var pageItems: [ReceivedRequest.Field] {
        route.endpoint.pages == nil ? [] : otherItems.filter { !SecretName.isCredential($0.name) }
    }

    /// The call's parameters with their texts; nil if there are problems.
    package var signature: Signature? { call.flatMap { try? declaration.signature.filled(from: $0) } }
}

/// Why a request is not a call of the endpoint.
package struct CallProblem: Sendable, Equatable {
    package enum Kind: Sendable {
        /// A required parameter is missing, or the body that has them can't be read.
        case missing
        /// A value is of another type.
        case invalid
    }

    package let kind: Kind
    package let message: String
}

extension CallParts.Item {
    /// A fixed item in the words of a message.
    fileprivate var phrase: String {
        switch place {
        case .query(let name): "query item \(name)=\(text)"
        case .header(let name): "header \(name): \(text)"
        case .path, .field, .file, .json, .body: text
        }
    }
}
