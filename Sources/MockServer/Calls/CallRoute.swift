import EndpointKit
import EndpointTools
import JSONText
import Synchronization

/// An endpoint and where it is; recovers the calls that requests to it make.
package final class CallRoute: Sendable {
    package let declaration: EndpointDeclaration
    /// The endpoint of the first example.
    package let endpoint: Endpoint
    /// The path template, as in `list`.
    package let template: String
    /// Found at the first request: a server with many endpoints starts at once.
    private let known = Mutex<CallBindings?>(nil)
    fileprivate var bindings: CallBindings {
        known.withLock { known in
            let bindings = known ?? CallBindings(of: ParameterProbe(declaration))
            known = bindings
            return bindings
        }
    }

    init(_ declaration: EndpointDeclaration) {
        self.declaration = declaration
        endpoint = declaration.endpoint
        template = ParameterPlaces.template(of: declaration)
    }

    /// Returns whether the API declares a credential of the endpoint in the query item with this name.
    fileprivate func isCredential(query name: String) -> Bool {
        declaration.api.allCredentials(of: endpoint).flatMap(\.alternatives).contains { $0.sets(query: name) }
    }

    /// What `request` says of the endpoint's parameters; `values` are those of the template under `prefix`.
    func read(
        _ request: ReceivedRequest, under prefix: String, _ template: PathTemplate, _ values: [String]
    ) -> CallReading {
        let bindings = bindings
        let parts = RequestParts(
            path: values, query: request.queryItems, headers: request.fields, body: request.body,
            expecting: bindings.form)
        let fixed = bindings.constants
        var reading = CallReading(request, self, prefix)
        reading.lacking = fixed.filter { !parts.items.contains($0) }.map { "\($0.place.phrase)=\($0.shownText)" }
        reading.otherItems = request.queryItems.map { ($0, RequestParts.Location.query($0.name)) }.filter { _, place in
            !fixed.contains { $0.place == place } && !bindings.bindings.contains { $0.covers(place) }
        }.map(\.0)
        do throws(CallProblem) {
            reading.call = try call(parts, bindings)
        } catch {
            reading.problem = error
        }
        let form = RequestParts.Form(request["Content-Type"], isEmpty: request.body.isEmpty)
        reading.fit =
            [template.fixedCount, fixed.count] + template.literalLengths
            + [form == bindings.form ? 1 : 0, reading.problem == nil ? 1 : 0, -reading.otherItems.count]
        return reading
    }

    /// The call that a request makes.
    private func call(_ parts: RequestParts, _ bindings: CallBindings) throws(CallProblem) -> any API {
        if let problem = parts.problem { throw CallProblem(status: 400, message: problem) }
        var (status, problems) = (422, [String]())
        // Several parameters may share a place.
        func add(_ problem: String) { if !problems.contains(problem) { problems.append(problem) } }
        var arguments: [Argument] = []
        for parameter in declaration.firstParameters {
            guard let binding = bindings.bindings.first(where: { $0.parameter.name == parameter.name }) else {
                // Nothing is known of it.
                if !parameter.isOptional { arguments += parameter.exampleArguments }
                continue
            }
            switch binding.value(in: parts) {
            case .texts([]):
                // In JSON a list can be there and empty.
                arguments.append(Argument([parameter.name], .json(Array("[]".utf8), source: binding.phrase)))
            case .texts(let texts): arguments += texts.map { Argument([parameter.name], $0) }
            case .json(let value):
                arguments.append(Argument([parameter.name], .json(Array(value.written), source: binding.phrase)))
            case .present: arguments += parameter.exampleArguments
            case .invalid(let problem): add(problem)
            case nil where parameter.isOptional: break
            case nil:
                status = 400
                add("\(binding.placePhrase) is missing")
            }
        }
        for header in bindings.headers {
            let texts = parts.texts(at: header.place)
            if !texts.isEmpty, !texts.contains(header.text) { add("\(header.place.phrase): expected \(header.text)") }
        }
        if bindings.isObject, let json = parts.json, json.members == nil { add("the body: expected a JSON object") }
        for (key, value) in bindings.members where parts.json?[key] != value {
            let expected = SecretName.isCredential(key) ? JSONValue(SecretRules.mark) : value
            add("\(RequestParts.Location.json([key]).phrase): expected \(expected)")
        }
        if !problems.isEmpty { throw CallProblem(status: status, message: problems.joined(separator: "; ")) }
        let call: any API
        do {
            call = try declaration.call(arguments)
            try call.checkRules(call.resolvedEndpoint)
        } catch {
            throw problem(error, bindings)
        }
        if !bindings.repeated.isEmpty { try check(parts, as: call, bindings.repeated) }
        return call
    }

    /// Throws unless these places have what the request of the call has there.
    private func check(
        _ parts: RequestParts, as call: any API, _ places: [RequestParts.Location]
    ) throws(CallProblem) {
        let (own, number) = (RequestParts(call.placedEndpoint, of: declaration.api), Shape.scalar(.number(nil)))
        for place in places {
            let (expected, found) = (own.texts(at: place), parts.texts(at: place))
            if expected.map(number.canonicalText) == found.map(number.canonicalText) || expected.isEmpty { continue }
            if found.isEmpty { throw CallProblem(status: 400, message: "\(place.phrase) is missing") }
            let texts = [expected, found].map { $0.joined(separator: ", ") }
            throw CallProblem(status: 422, message: "\(place.phrase): expected '\(texts[0])', got '\(texts[1])'")
        }
    }

    private func problem(_ error: any Error, _ bindings: CallBindings) -> CallProblem {
        func phrase(_ path: [String]) -> String {
            let binding = bindings.bindings.first { $0.parameter.name == path.first }
            return ([binding?.phrase ?? path.first ?? ""] + path.dropFirst()).joined(separator: ".")
        }
        func phrase(_ name: String) -> String {
            phrase([declaration.signature.parameter(named: name)?.name ?? name])
        }
        let message: String
        switch error {
        case ArgumentError.missing(let paths):
            return CallProblem(
                status: 400, message: paths.map { phrase($0) + " is missing" }.joined(separator: "; "))
        case ArgumentError.invalidJSON(let path, _, let problem, _):
            return CallProblem(
                status: problem.contains("missing key") ? 400 : 422, message: "\(phrase(path)): \(problem)")
        case ArgumentError.repeated(let path, _): message = "\(phrase(path)) is there more than once"
        case ArgumentError.invalid(let path, let text, let expected, _):
            message = "\(phrase(path)): expected \(expected), got '\(text)'"
        case let violation as RuleViolation: message = violation.text { phrase($0) }
        default: message = "\(error)"
        }
        return CallProblem(status: 422, message: message)
    }
}

extension RequestParts.Item {
    /// The text for messages, which show no secret that an API writes out.
    fileprivate var shownText: String { SecretName.isCredential(place.name ?? "") ? SecretRules.mark : text }
}

/// What a request says of an endpoint's parameters.
package struct CallReading: Sendable {
    package let request: ReceivedRequest
    package let route: CallRoute
    /// The path of the request as it was sent, without that of the mount and of the API's server.
    package let path: String
    /// The enum case; nil if there is a problem.
    package fileprivate(set) var call: (any API)?
    package fileprivate(set) var problem: CallProblem?
    /// The query items that are neither fixed nor a parameter's.
    fileprivate var otherItems: [ResponseHead.Field] = []
    /// The fixed items of the endpoint that the request does not have.
    fileprivate(set) var lacking: [String] = []
    /// How well the request fits; a later number counts only if the earlier ones are equal.
    fileprivate(set) var fit: [Int] = []

    fileprivate init(_ request: ReceivedRequest, _ route: CallRoute, _ prefix: String) {
        (self.request, self.route) = (request, route)
        let count = prefix.isEmpty ? 0 : PathTemplate.split(prefix).count
        path = PathTemplate.split(request.path).dropFirst(count).map { "/" + $0 }.joined()
    }

    package var declaration: EndpointDeclaration { route.declaration }

    /// Whether the request is that of `call` but for headers and credentials that any client may add; or whether it is read as that call, if
    /// nothing of a call is unknown.
    func isRequest(of call: any API) -> Bool {
        let endpoint = call.resolvedEndpoint
        guard endpoint.method == route.endpoint.method else { return false }
        let bindings = route.bindings
        let own = RequestParts(endpoint, of: declaration.api)
        let sent = RequestParts(
            path: [], query: request.queryItems, headers: request.fields, body: request.body, expecting: own.form)
        let difference = own.difference(sent).filter { item in
            switch item.place {
            case .path, .file: false
            case .query(let name): !route.isCredential(query: name)
            case .header: !own.texts(at: item.place).isEmpty || bindings.bindings.contains { $0.place == item.place }
            case .field, .json, .body: true
            }
        }
        let encoded = try? endpoint.path.encoded(declaration.api.coding)
        if difference.isEmpty, encoded.map(PathTemplate.segments) == PathTemplate.segments(of: path) { return true }
        return bindings.bindings.count == declaration.firstParameters.count && self.call?.isSameCall(as: call) == true
    }

    /// The endpoint's sample. Without one, the response is 204 if the endpoint has no body, and else 501.
    package var sample: Response {
        if let sample = route.endpoint.sampleResponse { return sample }
        if route.endpoint.response.kind == .empty {
            return Response(head: ResponseHead(status: route.endpoint.isBodiless ? 204 : 200), body: [])
        }
        return Response(501, message: "\(declaration.name) has no sample")
    }

    /// The query items beyond the parameters that choose a page of the endpoint's list.
    package var pageItems: [ResponseHead.Field] {
        route.endpoint.pages == nil ? [] : otherItems.filter { !route.isCredential(query: $0.name) }
    }
}

/// Why a request is not a call of the endpoint.
package struct CallProblem: Error, Sendable {
    /// 400 if a required parameter is missing, or the body that has them can't be read; 422 if a value is of another type.
    package let status: Int
    package let message: String
}
