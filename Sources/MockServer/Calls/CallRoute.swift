import EndpointKit
import EndpointTools
import JSONText
import Synchronization

/// An endpoint and its path; recovers the calls that requests to it make.
package final class CallRoute: Sendable {
    package let declaration: EndpointDeclaration
    /// The endpoint of the first example.
    package let endpoint: Endpoint
    /// The path template, as in `list`.
    package let template: String
    /// The bindings, once the first request has been read: a server with many endpoints starts at once.
    private let knownBindings = Mutex<CallBindings?>(nil)
    fileprivate var bindings: CallBindings {
        knownBindings.withLock { known in
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

    /// Reads a request that may be a call of this endpoint.
    ///
    /// The result also says how well the request fits, so that the best of several endpoints can be chosen. The numbers
    /// of ``CallReading/fit`` are compared one after the other, the most important first.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - prefix: The path that the route is under, such as `/movies`; may be empty.
    ///   - template: The template of the whole path, with the prefix.
    ///   - values: The values of the template in the request's path.
    /// - Returns: The call, or the problem why it is none.
    func read(
        _ request: ReceivedRequest, under prefix: String, _ template: PathTemplate, _ values: [String]
    ) -> CallReading {
        let bindings = bindings
        let parts = RequestParts(
            path: values, query: request.queryItems, headers: request.fields, body: request.body,
            expecting: bindings.form)
        let fixedItems = bindings.constants
        var reading = CallReading(request, self, prefix)
        reading.lacking = fixedItems.filter { !parts.items.contains($0) }
            .map { "\($0.place.phrase)=\($0.shownText)" }
        reading.otherItems = request.queryItems.filter { item in
            let place = RequestParts.Location.query(item.name)
            let isFixed = fixedItems.contains { $0.place == place }
            return !isFixed && !bindings.bindings.contains { $0.covers(place) }
        }
        do throws(CallProblem) {
            reading.call = try call(parts, bindings)
        } catch {
            reading.problem = error
        }
        let form = RequestParts.Form(request["Content-Type"], isEmpty: request.body.isEmpty)
        reading.fit = [template.fixedCount, fixedItems.count] + template.literalLengths
        reading.fit.append(form == bindings.form ? 1 : 0)
        reading.fit.append(reading.problem == nil ? 1 : 0)
        reading.fit.append(-reading.otherItems.count)
        return reading
    }

    /// Returns the call that a request makes: the enum case with the values that the request has.
    ///
    /// - Parameters:
    ///   - parts: The parts of the request.
    ///   - bindings: The places of the endpoint's parameters.
    /// - Throws: ``CallProblem`` with everything that is missing or does not fit, or that breaks a rule of the
    ///   endpoint.
    private func call(_ parts: RequestParts, _ bindings: CallBindings) throws(CallProblem) -> any API {
        if let problem = parts.problem { throw CallProblem(status: 400, message: problem) }
        var problems = CallProblems()
        let arguments = arguments(in: parts, bindings, &problems)
        checkConstants(in: parts, bindings, &problems)
        try problems.throwAny()
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

    /// Returns the values of the parameters in a request.
    ///
    /// A request may not show a value, such as the path of an uploaded file or a parameter without a binding. Then the
    /// first example's value stands in. An optional parameter without a binding is left out.
    ///
    /// - Parameters:
    ///   - parts: The parts of the request.
    ///   - bindings: The places of the parameters.
    ///   - problems: Gets the values that are missing or invalid, so that all of them are reported together.
    private func arguments(
        in parts: RequestParts, _ bindings: CallBindings, _ problems: inout CallProblems
    ) -> [Argument] {
        var arguments: [Argument] = []
        for parameter in declaration.firstParameters {
            guard let binding = bindings.bindings.first(where: { $0.parameter.name == parameter.name }) else {
                if !parameter.isOptional { arguments += parameter.exampleArguments }
                continue
            }
            let name = [parameter.name]
            switch binding.value(in: parts) {
            case .texts([]):
                // In JSON a list can be there and empty.
                arguments.append(Argument(name, .json(Array("[]".utf8), source: binding.phrase)))
            case .texts(let texts):
                arguments += texts.map { Argument(name, $0) }
            case .json(let value):
                arguments.append(Argument(name, .json(Array(value.written), source: binding.phrase)))
            case .present:
                arguments += parameter.exampleArguments
            case .invalid(let problem):
                problems.add(problem)
            case nil:
                if !parameter.isOptional { problems.addMissing("\(binding.placePhrase) is missing") }
            }
        }
        return arguments
    }

    /// Checks the parts of a request that are the same in every call of the endpoint.
    ///
    /// A header of the API may be missing, but not have another value. A constant member of a JSON body must be there.
    /// The value of a member with a credential's name is masked.
    ///
    /// - Parameters:
    ///   - parts: The parts of the request.
    ///   - bindings: The constant headers and members.
    ///   - problems: Gets a sentence for each part that differs.
    private func checkConstants(in parts: RequestParts, _ bindings: CallBindings, _ problems: inout CallProblems) {
        for header in bindings.headers {
            let texts = parts.texts(at: header.place)
            if !texts.isEmpty, !texts.contains(header.text) {
                problems.add("\(header.place.phrase): expected \(header.text)")
            }
        }
        if bindings.isObject, let json = parts.json, json.members == nil {
            problems.add("the body: expected a JSON object")
        }
        for (key, value) in bindings.members where parts.json?[key] != value {
            let expected = SecretName.isCredential(key) ? JSONValue(SecretRules.mark) : value
            problems.add("\(RequestParts.Location.json([key]).phrase): expected \(expected)")
        }
    }

    /// Checks the places of a request whose texts follow from values elsewhere in it, such as an `id` that is sent
    /// twice.
    ///
    /// The call, which was read from the other places, is written as a request again. At `places` both requests must
    /// have the same texts, or equal numbers such as `2` and `2.0`. A place that the written request lacks may hold
    /// anything.
    ///
    /// - Throws: ``CallProblem`` with status 400 if a text is missing, and 422 if it differs.
    private func check(
        _ parts: RequestParts, as call: any API, _ places: [RequestParts.Location]
    ) throws(CallProblem) {
        let ownParts = RequestParts(call.placedEndpoint, of: declaration.api)
        let number = Shape.scalar(.number(nil))
        for place in places {
            let expected = ownParts.texts(at: place)
            let found = parts.texts(at: place)
            if expected.isEmpty || expected.map(number.canonicalText) == found.map(number.canonicalText) { continue }
            if found.isEmpty { throw CallProblem(status: 400, message: "\(place.phrase) is missing") }
            let expectedText = expected.joined(separator: ", ")
            let foundText = found.joined(separator: ", ")
            throw CallProblem(
                status: 422, message: "\(place.phrase): expected '\(expectedText)', got '\(foundText)'")
        }
    }

    /// Returns an error about arguments as a problem that names the places in the request.
    ///
    /// The error itself speaks of parameters, which a client of the server may not know: `userName is missing` becomes
    /// a sentence about the header or query item that holds the value.
    ///
    /// - Returns: The problem, with status 400 if something is missing and 422 if a value does not fit.
    private func problem(_ error: any Error, _ bindings: CallBindings) -> CallProblem {
        switch error {
        case ArgumentError.missing(let paths):
            let sentences = paths.map { phrase(of: $0, bindings) + " is missing" }
            return CallProblem(status: 400, message: sentences.joined(separator: "; "))
        case ArgumentError.invalidJSON(let path, _, let problem, _):
            let status = problem.contains("missing key") ? 400 : 422
            return CallProblem(status: status, message: "\(phrase(of: path, bindings)): \(problem)")
        case ArgumentError.repeated(let path, _):
            return CallProblem(status: 422, message: "\(phrase(of: path, bindings)) is there more than once")
        case ArgumentError.invalid(let path, let text, let expected, _):
            let sentence = "\(phrase(of: path, bindings)): expected \(expected), got '\(text)'"
            return CallProblem(status: 422, message: sentence)
        case let violation as RuleViolation:
            let sentence = violation.text { name in
                phrase(of: [declaration.signature.parameter(named: name)?.name ?? name], bindings)
            }
            return CallProblem(status: 422, message: sentence)
        default:
            return CallProblem(status: 422, message: "\(error)")
        }
    }

    /// The name of a parameter's place in a sentence, with the keys of the field in it: `the body.owner.name`.
    private func phrase(of path: [String], _ bindings: CallBindings) -> String {
        let name = path.first ?? ""
        let binding = bindings.bindings.first { $0.parameter.name == name }
        return ([binding?.phrase ?? name] + path.dropFirst()).joined(separator: ".")
    }
}

/// The problems of one request, each only once although several parameters may share a place.
private struct CallProblems {
    private var sentences: [String] = []
    private var isSomethingMissing = false

    /// Adds a value that does not fit.
    mutating func add(_ sentence: String) {
        if !sentences.contains(sentence) { sentences.append(sentence) }
    }

    /// Adds a required value that is not there.
    mutating func addMissing(_ sentence: String) {
        isSomethingMissing = true
        add(sentence)
    }

    /// Reports all problems that were added as a single one, if there are any.
    ///
    /// - Throws: ``CallProblem`` with status 400 if something is missing, and otherwise 422.
    func throwAny() throws(CallProblem) {
        if sentences.isEmpty { return }
        throw CallProblem(status: isSomethingMissing ? 400 : 422, message: sentences.joined(separator: "; "))
    }
}

extension RequestParts.Item {
    /// The text for messages, which show no secret that an API writes out.
    fileprivate var shownText: String { SecretName.isCredential(place.name ?? "") ? SecretRules.mark : text }
}

/// A request as one endpoint understands it: the call that it makes, or the problems.
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
        self.request = request
        self.route = route
        let prefixCount = prefix.isEmpty ? 0 : PathTemplate.split(prefix).count
        path = PathTemplate.split(request.path).dropFirst(prefixCount).map { "/" + $0 }.joined()
    }

    package var declaration: EndpointDeclaration { route.declaration }

    /// Returns whether the request is that of `call`.
    ///
    /// The request may differ in headers and credentials, which any client may add. If every parameter has a binding,
    /// it is enough that the request is read as the same call.
    func isRequest(of call: any API) -> Bool {
        let endpoint = call.resolvedEndpoint
        guard endpoint.method == route.endpoint.method else { return false }
        if hasSamePath(as: endpoint), hasSameItems(as: endpoint) { return true }
        let isFullyBound = route.bindings.bindings.count == declaration.firstParameters.count
        return isFullyBound && self.call?.isSameCall(as: call) == true
    }

    private func hasSamePath(as endpoint: Endpoint) -> Bool {
        guard let encoded = try? endpoint.path.encoded(declaration.api.coding) else { return false }
        return PathTemplate.segments(of: encoded) == PathTemplate.segments(of: path)
    }

    /// Returns whether the request has the query, the body and the headers of a request for `endpoint`.
    ///
    /// These differences are ignored: paths, which ``hasSamePath(as:)`` compares, the contents of files, credentials in
    /// the query, and headers that the request for `endpoint` lacks and no parameter sets.
    private func hasSameItems(as endpoint: Endpoint) -> Bool {
        let own = RequestParts(endpoint, of: declaration.api)
        let sent = RequestParts(
            path: [], query: request.queryItems, headers: request.fields, body: request.body, expecting: own.form)
        return own.difference(sent).allSatisfy { item in
            switch item.place {
            case .path, .file: true
            case .query(let name): route.isCredential(query: name)
            case .header:
                own.texts(at: item.place).isEmpty
                    && !route.bindings.bindings.contains { $0.place == item.place }
            case .field, .json, .body: false
            }
        }
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
    /// The status of the response.
    ///
    /// It is 400 if a required parameter is missing or the body that has them can't be read, and 422 if a value is of
    /// another type.
    package let status: Int
    package let message: String
}
