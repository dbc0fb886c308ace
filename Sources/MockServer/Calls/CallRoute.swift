import EndpointKit
import EndpointTools
import JSONText
import Locking

/// An endpoint and its path; recovers the calls that requests to it make.
package final class CallRoute: Sendable {
    package let declaration: EndpointDeclaration
    /// The endpoint of the first example.
    package let endpoint: Endpoint
    /// The path template, as in `list`.
    package let template: String
    /// The value of ``bindings``; nil until the first request is read, so that a server with many endpoints starts at
    /// once.
    private let knownBindings = Lock<CallBindings?>(nil)
    /// The places of the endpoint's parameters in a request.
    fileprivate var bindings: CallBindings {
        knownBindings.withLock { known in
            let bindings = known ?? CallBindings(of: ParameterProbe(declaration))
            known = bindings
            return bindings
        }
    }

    /// Creates the route of an endpoint, without looking for the places of its parameters yet.
    init(_ declaration: EndpointDeclaration) {
        self.declaration = declaration
        endpoint = declaration.endpoint
        template = ParameterPlaces.template(of: declaration)
    }

    /// Returns whether the API declares a credential of the endpoint in the query item with this name.
    fileprivate func isCredential(query name: String) -> Bool {
        let credentials = declaration.api.requestBuilder.allCredentials(of: endpoint)
        return credentials.flatMap(\.alternatives).contains { $0.sets(query: name) }
    }

    /// Reads a request that may be a call of this endpoint.
    ///
    /// The result also says how well the request fits, so that the best of several endpoints can be chosen.
    ///
    /// - Parameters:
    ///   - request: The request, whose path and method are those of the endpoint.
    ///   - prefix: The path that the route is under, such as `/movies`; may be empty.
    ///   - template: The template of the whole path, with the prefix: `/movies/movie/{id}`.
    ///   - pathValues: The values of the template in the request's path: `7` in `/movies/movie/7`.
    /// - Returns: The request with the call that it makes, or with the problem why it makes none.
    func read(
        _ request: ReceivedRequest, under prefix: String, _ template: PathTemplate, _ pathValues: [String]
    ) -> CallReading {
        let bindings = bindings
        let parts = ParameterTexts(
            path: pathValues, query: request.queryItems, headers: request.fields, body: request.body,
            expecting: bindings.form)
        var reading = CallReading(request, self, prefix)
        reading.missingItems = missingItems(of: parts, bindings)
        reading.otherItems = request.queryItems.filter { !isKnown(queryItem: $0.name, bindings) }
        do throws(CallProblem) {
            reading.call = try call(parts, bindings)
        } catch {
            reading.problem = error
        }
        reading.fit = fit(of: reading, template, bindings)
        return reading
    }

    /// Returns the fixed items of the endpoint that a request does not have, as text: `query item type=movie`.
    private func missingItems(of parts: ParameterTexts, _ bindings: CallBindings) -> [String] {
        let items = bindings.constants.filter { !parts.items.contains($0) }
        return items.map { "\($0.place.phrase)=\($0.shownText)" }
    }

    /// Whether a query item is one of the endpoint's fixed items or the place of a parameter.
    private func isKnown(queryItem name: String, _ bindings: CallBindings) -> Bool {
        let place = ParameterTexts.Location.query(name)
        if bindings.constants.contains(where: { $0.place == place }) { return true }
        return bindings.bindings.contains { $0.covers(place) }
    }

    /// Returns numbers that say how well a request fits this endpoint, the most important first.
    ///
    /// The numbers of two endpoints are compared one after the other: the first that differ decide, and the greater one
    /// fits better.
    private func fit(of reading: CallReading, _ template: PathTemplate, _ bindings: CallBindings) -> [Int] {
        let request = reading.request
        let form = ParameterTexts.Form(request["Content-Type"], isEmpty: request.body.isEmpty)
        let formFit = form == bindings.form ? 1 : 0
        let callFit = reading.problem == nil ? 1 : 0
        var fit = [template.fixedCount, bindings.constants.count]
        fit += template.literalLengths
        let methodFit = endpoint.method.rawValue == request.method ? 1 : 0
        fit += [formFit, callFit, -reading.otherItems.count, methodFit]
        return fit
    }

    /// Returns the call that a request makes: the one with the values that the request has.
    ///
    /// - Parameters:
    ///   - parts: The parts of the request.
    ///   - bindings: The places of the endpoint's parameters.
    /// - Throws: ``CallProblem`` with everything that is missing or does not fit, or that breaks a rule of the
    ///   endpoint.
    private func call(_ parts: ParameterTexts, _ bindings: CallBindings) throws(CallProblem) -> EndpointCall {
        if let problem = parts.problem { throw .missing(problem) }
        var problems = CallProblems()
        let arguments = arguments(in: parts, bindings, &problems)
        checkConstants(in: parts, bindings, &problems)
        try problems.throwAny()
        let call: EndpointCall
        do {
            // The types of the parameters may refuse a value.
            call = try declaration.call(arguments)
            try call.checkRules()
        } catch {
            throw problem(error, bindings)
        }
        if !bindings.repeated.isEmpty { try checkRepeatedTexts(of: parts, at: bindings.repeated, call) }
        return call
    }

    /// Returns the values of the parameters in a request.
    ///
    /// A request does not show every value: not the path of an uploaded file, and not a parameter without a binding,
    /// whose place in the request is not known. Then the first example's value stands in. An optional parameter without
    /// a binding is left out.
    ///
    /// - Parameters:
    ///   - parts: The parts of the request.
    ///   - bindings: The places of the parameters.
    ///   - problems: Gets the values that are missing or invalid, so that all of them are reported together.
    private func arguments(
        in parts: ParameterTexts, _ bindings: CallBindings, _ problems: inout CallProblems
    ) -> [Argument] {
        var arguments: [Argument] = []
        for parameter in declaration.firstParameters {
            guard let binding = bindings.bindings.first(where: { $0.parameter.name == parameter.name }) else {
                if !parameter.isOptional { arguments += parameter.exampleArguments }
                continue
            }
            let path = [parameter.name]
            switch binding.value(in: parts) {
            case .texts([]):
                // The list is there and empty, which no number of texts could say.
                arguments.append(Argument(path, .json(Array("[]".utf8), source: binding.phrase)))
            case .texts(let texts):
                arguments += texts.map { Argument(path, $0) }
            case .json(let value):
                arguments.append(Argument(path, .json(Array(value.written), source: binding.phrase)))
            case .present:
                // The request does not show the value, such as the path of a file.
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
    private func checkConstants(in parts: ParameterTexts, _ bindings: CallBindings, _ problems: inout CallProblems) {
        for header in bindings.headers {
            let texts = parts.texts(at: header.place)
            let differs = !texts.isEmpty && !texts.contains(header.text)
            if differs { problems.add("\(header.place.phrase): expected \(header.text)") }
        }
        if bindings.isObject, let json = parts.json, json.members == nil {
            problems.add("the body: expected a JSON object")
        }
        for (key, value) in bindings.members where parts.json?[key] != value {
            let place = ParameterTexts.Location.json([key])
            let shownValue = SecretName.isCredential(key) ? JSONValue(SecretRules.mark) : value
            problems.add("\(place.phrase): expected \(shownValue)")
        }
    }

    /// Checks the texts of a request that repeat values from elsewhere in it, such as an `id` that is sent both in the
    /// path and in a header.
    ///
    /// The call, which was read without the repeated texts, is written as a request again. The two requests must have
    /// the same texts, or equal numbers such as `2` and `2.0`. If the written request has no text at a place, the
    /// received one may have any.
    ///
    /// - Parameters:
    ///   - parts: The parts of the request.
    ///   - places: The places with repeated texts.
    ///   - call: The call that the request makes.
    /// - Throws: ``CallProblem`` with status 400 if a text is missing, and 422 if it differs.
    private func checkRepeatedTexts(
        of parts: ParameterTexts, at places: [ParameterTexts.Location], _ call: EndpointCall
    ) throws(CallProblem) {
        let writtenParts = ParameterTexts(call.endpoint, of: declaration.api)
        let number = Shape.scalar(.number(nil))
        for place in places {
            let expectedTexts = writtenParts.texts(at: place)
            let texts = parts.texts(at: place)
            if expectedTexts.isEmpty { continue }
            if expectedTexts.map(number.canonicalText) == texts.map(number.canonicalText) { continue }
            if texts.isEmpty { throw .missing("\(place.phrase) is missing") }
            let shownExpected = expectedTexts.joined(separator: ", ")
            let shownTexts = texts.joined(separator: ", ")
            throw .invalid("\(place.phrase): expected '\(shownExpected)', got '\(shownTexts)'")
        }
    }

    /// Describes an error about arguments by the places in the request where the arguments are.
    ///
    /// The error itself names parameters, which a client of the server may not know: `userName is missing` becomes a
    /// sentence about the header or query item that holds the value.
    private func problem(_ error: any Error, _ bindings: CallBindings) -> CallProblem {
        switch error {
        case let error as ArgumentError:
            return argumentProblem(error, bindings)
        case let violation as RuleViolation:
            let sentence = violation.text { name in
                let parameter = declaration.signature.parameter(named: name)
                return phrase(of: [parameter?.name ?? name], bindings)
            }
            return .invalid(sentence)
        default:
            return .invalid("\(error)")
        }
    }

    /// Describes an error about one or several arguments. Its status is 400 if something is missing, and 422 if a value
    /// does not fit.
    private func argumentProblem(_ error: ArgumentError, _ bindings: CallBindings) -> CallProblem {
        switch error {
        case .missing(let paths):
            let sentences = paths.map { phrase(of: $0, bindings) + " is missing" }
            return .missing(sentences.joined(separator: "; "))
        case .missingKeyInJSON(let path, _, let problem, _):
            return .missing("\(phrase(of: path, bindings)): \(problem)")
        case .invalidJSON(let path, _, let problem, _):
            return .invalid("\(phrase(of: path, bindings)): \(problem)")
        case .repeated(let path, _):
            return .invalid("\(phrase(of: path, bindings)) is there more than once")
        case .invalid(let path, let text, let expected, _):
            return .invalid("\(phrase(of: path, bindings)): expected \(expected), got '\(text)'")
        case .bothWholeAndFields:
            // A request never gives a structure both ways, because each parameter is read from one place.
            return .invalid("\(error)")
        }
    }

    /// Returns the name of a parameter's place in a sentence. For a field of a structure, its keys follow: `the
    /// body.owner.name`.
    ///
    /// - Parameter path: The name of the parameter, and the keys that lead to the field.
    private func phrase(of path: [String], _ bindings: CallBindings) -> String {
        let name = path.first ?? ""
        let binding = bindings.bindings.first { $0.parameter.name == name }
        let placePhrase = binding?.phrase ?? name
        return ([placePhrase] + path.dropFirst()).joined(separator: ".")
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
        let message = sentences.joined(separator: "; ")
        throw isSomethingMissing ? .missing(message) : .invalid(message)
    }
}

extension ParameterTexts.Item {
    /// The text for messages. A credential, which an API may write out in its source code, is masked.
    fileprivate var shownText: String { SecretName.isCredential(place.name ?? "") ? SecretRules.mark : text }
}

/// A request as one endpoint understands it: the call that it makes, or the problems.
package struct CallReading: Sendable {
    package let request: ReceivedRequest
    package let route: CallRoute
    /// The path of the request as it was sent, without that of the mount and of the API's server.
    package let path: String
    /// The call; nil if there is a problem.
    package fileprivate(set) var call: EndpointCall?
    package fileprivate(set) var problem: CallProblem?
    /// The query items that are neither fixed nor a parameter's.
    fileprivate var otherItems: [QueryItem] = []
    /// The fixed items of the endpoint that the request does not have.
    fileprivate(set) var missingItems: [String] = []
    /// How well the request fits; a later number counts only if the earlier ones are equal.
    fileprivate(set) var fit: [Int] = []

    /// Creates the reading of a request, without the call or the problem.
    ///
    /// - Parameter prefix: The path of the mount and of the API's server, such as `/movies/3`, which ``path`` lacks.
    fileprivate init(_ request: ReceivedRequest, _ route: CallRoute, _ prefix: String) {
        self.request = request
        self.route = route
        let prefixCount = prefix.isEmpty ? 0 : PathTemplate.split(prefix).count
        let segments = PathTemplate.split(request.path).dropFirst(prefixCount)
        path = segments.map { "/" + $0 }.joined()
    }

    /// The declaration of the endpoint.
    package var declaration: EndpointDeclaration { route.declaration }

    /// Returns whether the request makes a given call.
    ///
    /// The request may differ in headers and credentials, which any client may add. If the place of every parameter is
    /// known, it is enough that the request is read as the same call.
    func isRequest(of call: EndpointCall) -> Bool {
        let endpoint = call.endpoint
        guard endpoint.method == route.endpoint.method else { return false }
        if hasSamePath(as: endpoint), hasSameItems(as: endpoint) { return true }
        let isFullyBound = route.bindings.bindings.count == declaration.firstParameters.count
        return isFullyBound && self.call?.isSame(as: call) == true
    }

    /// Returns whether the path of the request is that of a request for `endpoint`, however it is percent-encoded.
    private func hasSamePath(as endpoint: Endpoint) -> Bool {
        guard let encoded = try? endpoint.path.encoded(declaration.api.coding) else { return false }
        return PathTemplate.segments(of: encoded) == PathTemplate.segments(of: path)
    }

    /// Returns whether the request has the query, the body and the headers of a request for `endpoint`.
    ///
    /// These differences are ignored: paths, which ``hasSamePath(as:)`` compares, the contents of files, credentials in
    /// the query, and headers that the request for `endpoint` lacks and no parameter sets.
    private func hasSameItems(as endpoint: Endpoint) -> Bool {
        let expectedParts = ParameterTexts(endpoint, of: declaration.api)
        let parts = ParameterTexts(
            path: [], query: request.queryItems, headers: request.fields, body: request.body,
            expecting: expectedParts.form)
        for item in expectedParts.difference(parts) {
            switch item.place {
            case .path, .file:
                continue
            case .query(let name):
                if !route.isCredential(query: name) { return false }
            case .header:
                let isExpected = !expectedParts.texts(at: item.place).isEmpty
                let isSetByParameter = route.bindings.bindings.contains { $0.place == item.place }
                if isExpected || isSetByParameter { return false }
            case .field, .json, .body:
                return false
            }
        }
        return true
    }

    /// The endpoint's sample.
    ///
    /// An endpoint without a sample gets the status 501 (Not Implemented). If its responses have no body, no sample is
    /// needed: it gets 204 (No Content), or 200 if its method is HEAD.
    package var sample: Response {
        if let sample = route.endpoint.sampleResponse { return sample }
        if route.endpoint.response.kind == .empty {
            return Response(head: ResponseHead(status: route.endpoint.isBodiless ? 204 : 200), body: [])
        }
        return Response(501, message: "\(declaration.name) has no sample")
    }

    /// The query items that choose a page of the endpoint's list, such as `page=2`.
    ///
    /// They are those that the endpoint does not know, because a client adds them to the requests of an endpoint that
    /// declares how its list is paged. Credentials are no such items.
    package var pageItems: [QueryItem] {
        guard route.endpoint.pages != nil else { return [] }
        return otherItems.filter { !route.isCredential(query: $0.name) }
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

    /// Returns the problem that something required is missing, or that the body can't be read.
    fileprivate static func missing(_ message: String) -> CallProblem { CallProblem(status: 400, message: message) }

    /// Returns the problem that a value does not fit its parameter.
    fileprivate static func invalid(_ message: String) -> CallProblem { CallProblem(status: 422, message: message) }
}
