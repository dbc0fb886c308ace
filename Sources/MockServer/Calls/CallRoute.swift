import EndpointKit
import EndpointTools
import JSONText
import Locking

/// An endpoint with its path. It recovers the calls that requests to the endpoint make.
package final class CallRoute: Sendable {
    /// The declaration of the endpoint.
    package let declaration: EndpointDeclaration
    /// The endpoint of the first example.
    package let endpoint: Endpoint
    /// The path template, such as `/movie/{id}`.
    package let template: String
    /// The bindings that ``findBindings()`` has found; nil until the first request is read, so that a server with many
    /// endpoints starts at once.
    private let foundBindings = Lock<CallBindings?>(nil)

    /// Returns the bindings of the endpoint's parameters: the place of each in a request, such as the query item
    /// `page`.
    ///
    /// The first call finds them by building requests with different values. Later calls return the same bindings.
    fileprivate func findBindings() -> CallBindings {
        foundBindings.withLock { knownBindings in
            if let knownBindings { return knownBindings }
            let bindings = CallBindings(of: ParameterProbe(declaration))
            knownBindings = bindings
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
        _ request: ReceivedRequest, under prefix: String, template: PathTemplate, pathValues: [String]
    ) -> ReceivedCall {
        let bindings = findBindings()
        let requestTexts = ParameterTexts(
            path: pathValues, query: request.queryItems, headers: request.fields, body: request.body,
            expecting: bindings.bodyFormat)
        var possibleCall = ReceivedCall(request, route: self, prefix: prefix)
        possibleCall.missingItems = missingFixedItems(in: requestTexts, bindings: bindings)
        possibleCall.unknownItems = request.queryItems.filter { item in
            !isKnown(queryItem: item.name, bindings: bindings)
        }
        do throws(CallProblem) {
            possibleCall.call = try makeCall(from: requestTexts, bindings: bindings)
        } catch {
            possibleCall.problem = error
        }
        possibleCall.fit = measureFit(of: possibleCall, template: template, bindings: bindings)
        return possibleCall
    }

    /// Returns the fixed items of the endpoint that a request does not have, as text: `query item type=movie`.
    ///
    /// A fixed item is the same in every call of the endpoint.
    ///
    /// - Parameters:
    ///   - requestTexts: The texts of the request with their places.
    ///   - bindings: The fixed items and the places of the endpoint's parameters.
    private func missingFixedItems(in requestTexts: ParameterTexts, bindings: CallBindings) -> [String] {
        let missingItems = bindings.constants.filter { !requestTexts.items.contains($0) }
        return missingItems.map { "\($0.place.phrase)=\($0.shownText)" }
    }

    /// Returns whether a query item is one of the endpoint's fixed items or the place of a parameter.
    private func isKnown(queryItem name: String, bindings: CallBindings) -> Bool {
        let place = ParameterTexts.Location.query(name)
        if bindings.constants.contains(where: { $0.place == place }) { return true }
        return bindings.bindings.contains { $0.covers(place) }
    }

    /// Returns numbers that say how well a request fits this endpoint, the most important number first.
    ///
    /// The numbers of two endpoints are compared one after the other. The first pair that differs decides, and the
    /// greater number fits better. The criteria in this order:
    ///
    /// 1. the most path segments without a value: `/movie/popular` before `/movie/{id}`
    /// 2. the most fixed query items, form fields and headers
    /// 3. the most literal text in a segment, from left to right
    /// 4. a body of the expected form
    /// 5. parameters without a problem
    /// 6. the fewest query items that the endpoint does not know
    /// 7. the same method, because an endpoint for GET serves HEAD too
    ///
    /// - Parameters:
    ///   - possibleCall: The request as a call of this endpoint.
    ///   - template: The template of the endpoint's path.
    ///   - bindings: The fixed items and the places of the endpoint's parameters.
    private func measureFit(of possibleCall: ReceivedCall, template: PathTemplate, bindings: CallBindings) -> [Int] {
        let request = possibleCall.request
        let bodyFormat = ParameterTexts.BodyFormat(request["Content-Type"], isEmpty: request.body.isEmpty)
        var criteria = [template.fixedCount]
        criteria.append(bindings.constants.count)
        criteria += template.literalLengths
        criteria.append(bodyFormat == bindings.bodyFormat ? 1 : 0)
        criteria.append(possibleCall.problem == nil ? 1 : 0)
        criteria.append(-possibleCall.unknownItems.count)
        criteria.append(endpoint.method.rawValue == request.method ? 1 : 0)
        return criteria
    }

    /// Makes the call of this endpoint that has the values of a request, without sending anything.
    ///
    /// - Parameters:
    ///   - requestTexts: The texts of the request with their places, such as the value of the query item `page`.
    ///   - bindings: The places of the endpoint's parameters.
    /// - Throws: ``CallProblem`` about the first of these steps that fails: reading the body, finding all values,
    ///   converting them to the types of the parameters, checking the rules of the endpoint, and comparing values that
    ///   the request repeats.
    private func makeCall(
        from requestTexts: ParameterTexts, bindings: CallBindings
    ) throws(CallProblem) -> EndpointCall {
        // The values in a body that can't be read are missing, which is status 400.
        if let bodyProblem = requestTexts.problem { throw .missing(bodyProblem) }
        // All values that are missing or do not fit are reported together.
        var problems = CallProblems()
        let arguments = readArguments(from: requestTexts, bindings: bindings, problems: &problems)
        checkConstants(in: requestTexts, bindings: bindings, problems: &problems)
        try problems.throwIfAny()
        let call: EndpointCall
        do {
            // The types of the parameters may refuse a value.
            call = try declaration.call(arguments)
            try call.checkRules()
        } catch {
            throw callProblem(for: error, bindings: bindings)
        }
        if !bindings.repeatedPlaces.isEmpty {
            try checkRepeatedTexts(of: requestTexts, at: bindings.repeatedPlaces, call: call)
        }
        return call
    }

    /// Reads the values of the parameters from a request.
    ///
    /// The binding of a parameter is the place where requests have its value. A parameter whose place is not known has
    /// none. A request does not show the value of such a parameter, and not the path of an uploaded file. The value of
    /// the endpoint's first example stands in for it. An optional parameter without a binding is left out.
    ///
    /// - Parameters:
    ///   - requestTexts: The texts of the request with their places.
    ///   - bindings: The places of the parameters.
    ///   - problems: Gets a sentence for each value that is missing or invalid, so that all are reported together.
    private func readArguments(
        from requestTexts: ParameterTexts, bindings: CallBindings, problems: inout CallProblems
    ) -> [Argument] {
        var arguments: [Argument] = []
        for parameter in declaration.parametersWithValues {
            guard let binding = bindings.binding(ofParameter: parameter.name) else {
                if !parameter.isOptional { arguments += parameter.exampleArguments }
                continue
            }
            let path = [parameter.name]
            switch binding.value(in: requestTexts) {
            case .texts([]):
                // A list that is empty. Without an argument, the parameter would be missing.
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
    /// A message does not show its value if its name is that of a credential.
    ///
    /// - Parameters:
    ///   - requestTexts: The texts of the request with their places.
    ///   - bindings: The constant headers and members.
    ///   - problems: Gets a sentence for each part that differs.
    private func checkConstants(
        in requestTexts: ParameterTexts, bindings: CallBindings, problems: inout CallProblems
    ) {
        for header in bindings.apiHeaders {
            let texts = requestTexts.texts(at: header.place)
            let differs = !texts.isEmpty && !texts.contains(header.text)
            if differs { problems.add("\(header.place.phrase): expected \(header.text)") }
        }
        if bindings.isBodyObject, let json = requestTexts.json, json.members == nil {
            problems.add("the body: expected a JSON object")
        }
        for (key, expectedValue) in bindings.constantMembers where requestTexts.json?[key] != expectedValue {
            let place = ParameterTexts.Location.json([key])
            let shownValue = SecretName.isCredential(key) ? JSONValue(SecretRules.mark) : expectedValue
            problems.add("\(place.phrase): expected \(shownValue)")
        }
    }

    /// Checks the texts of a request that repeat values from elsewhere in it, such as an `id` that is sent both in the
    /// path and in a header.
    ///
    /// The call was read without the repeated texts. Sending it would repeat its values at all places, so the received
    /// request must have the same texts there, or equal numbers such as `2` and `2.0`. If sending the call would put no
    /// text at a place, the received request may have any.
    ///
    /// - Parameters:
    ///   - requestTexts: The texts of the received request with their places.
    ///   - places: The places with repeated texts.
    ///   - call: The call that the received request makes.
    /// - Throws: ``CallProblem`` with status 400 if a text is missing, and 422 if it differs.
    private func checkRepeatedTexts(
        of requestTexts: ParameterTexts, at places: [ParameterTexts.Location], call: EndpointCall
    ) throws(CallProblem) {
        // These are the texts of the request that sending the call would make.
        let textsOfCall = ParameterTexts(call.endpoint, of: declaration.api)
        for place in places {
            let expectedTexts = textsOfCall.texts(at: place)
            let receivedTexts = requestTexts.texts(at: place)
            if expectedTexts.isEmpty || Self.areSameOrEqualNumbers(expectedTexts, receivedTexts) { continue }
            if receivedTexts.isEmpty { throw .missing("\(place.phrase) is missing") }
            let shownExpected = expectedTexts.joined(separator: ", ")
            let shownReceived = receivedTexts.joined(separator: ", ")
            throw .invalid("\(place.phrase): expected '\(shownExpected)', got '\(shownReceived)'")
        }
    }

    /// Returns whether two lists have the same texts, where `2` and `2.0` are the same because the numbers are equal.
    private static func areSameOrEqualNumbers(_ texts: [String], _ otherTexts: [String]) -> Bool {
        // The type of a number gives equal numbers one spelling, and leaves any other text as it is.
        let numberType = Shape.scalar(.number(nil))
        return texts.map(numberType.canonicalText) == otherTexts.map(numberType.canonicalText)
    }

    /// Converts an error about the arguments of a call to the problem that the response describes.
    ///
    /// The error names parameters, which a client of the server may not know. The problem names the places that have
    /// their values in a request: `userName is missing` becomes `header X-User is missing`.
    ///
    /// - Parameters:
    ///   - error: The error of making the call or checking its rules.
    ///   - bindings: The places of the endpoint's parameters.
    private func callProblem(for error: any Error, bindings: CallBindings) -> CallProblem {
        switch error {
        case let error as ArgumentError:
            return argumentProblem(error, bindings: bindings)
        case let violation as RuleViolation:
            let sentence = violation.text { name in
                let parameter = declaration.signature.parameter(named: name)
                return placePhrase(of: [parameter?.name ?? name], bindings: bindings)
            }
            return .invalid(sentence)
        default:
            return .invalid("\(error)")
        }
    }

    /// Converts an error about arguments to a problem: `.missing`, which is answered with the status 400, or
    /// `.invalid`, which is answered with 422.
    ///
    /// - Parameters:
    ///   - error: The error, which has the path of the parameter or field that it is about.
    ///   - bindings: The places of the endpoint's parameters.
    private func argumentProblem(_ error: ArgumentError, bindings: CallBindings) -> CallProblem {
        func phrase(for path: [String]) -> String { placePhrase(of: path, bindings: bindings) }
        switch error {
        case .missing(let paths):
            let sentences = paths.map { path in "\(phrase(for: path)) is missing" }
            return .missing(sentences.joined(separator: "; "))
        case .missingKeyInJSON(let path, _, let problem, _):
            return .missing("\(phrase(for: path)): \(problem)")
        case .invalidJSON(let path, _, let problem, _):
            return .invalid("\(phrase(for: path)): \(problem)")
        case .repeated(let path, _):
            return .invalid("\(phrase(for: path)) is there more than once")
        case .invalid(let path, let text, let expected, _):
            return .invalid("\(phrase(for: path)): expected \(expected), got '\(text)'")
        case .bothWholeAndFields:
            // A request never gives a structure both ways, because each parameter is read from one place.
            return .invalid("\(error)")
        }
    }

    /// Returns the name of a parameter's place for a sentence, such as `query item page`. For a field of a structure,
    /// its keys follow: `the body.owner.name`.
    ///
    /// - Parameters:
    ///   - path: The name of the parameter, and the keys that lead to the field.
    ///   - bindings: The places of the endpoint's parameters.
    private func placePhrase(of path: [String], bindings: CallBindings) -> String {
        let parameterName = path.first ?? ""
        let phrase = bindings.binding(ofParameter: parameterName)?.phrase ?? parameterName
        return ([phrase] + path.dropFirst()).joined(separator: ".")
    }
}

extension CallBindings {
    /// Returns the place where requests have the value of a parameter; nil if it has none that is known.
    fileprivate func binding(ofParameter name: String) -> CallBinding? { bindings.first { $0.parameter.name == name } }
}

/// The problems of one request. Each is reported only once, although several parameters may share a place.
private struct CallProblems {
    private var sentences: [String] = []
    /// Whether one of the problems is that something is missing.
    private var isSomethingMissing = false

    /// Adds the problem that a value does not fit.
    mutating func add(_ sentence: String) {
        if !sentences.contains(sentence) { sentences.append(sentence) }
    }

    /// Adds the problem that a required value is missing.
    mutating func addMissing(_ sentence: String) {
        isSomethingMissing = true
        add(sentence)
    }

    /// Reports all problems that were added as a single one, if there are any.
    ///
    /// - Throws: ``CallProblem`` with status 400 if something is missing, and otherwise 422.
    func throwIfAny() throws(CallProblem) {
        if sentences.isEmpty { return }
        let message = sentences.joined(separator: "; ")
        throw isSomethingMissing ? .missing(message) : .invalid(message)
    }
}

extension ParameterTexts.Item {
    /// The text for messages. A credential, which an API may contain in its source code, is masked.
    fileprivate var shownText: String { SecretName.isCredential(place.name ?? "") ? SecretRules.mark : text }
}

/// A request as a call of one endpoint: the call that it makes, or the problem why it makes none.
package struct ReceivedCall: Sendable {
    /// The request.
    package let request: ReceivedRequest
    /// The route of the endpoint.
    package let route: CallRoute
    /// The path of the request as it was sent, without the paths of the mount and of the API's server.
    package let path: String
    /// The call; nil if there is a problem.
    package fileprivate(set) var call: EndpointCall?
    /// The reason why the request makes no call; nil if it makes one.
    package fileprivate(set) var problem: CallProblem?
    /// The query items that are neither fixed nor the place of a parameter.
    fileprivate var unknownItems: [QueryItem] = []
    /// The fixed items of the endpoint that the request does not have, as text.
    fileprivate(set) var missingItems: [String] = []
    /// How well the request fits. A later number counts only if the earlier ones are equal.
    fileprivate(set) var fit: [Int] = []

    /// Creates the result of reading a request as a call of an endpoint, before it is known which call that is.
    ///
    /// - Parameters:
    ///   - request: The request that was received.
    ///   - route: The route of the endpoint.
    ///   - prefix: The start of the request's path that does not belong to the endpoint, such as `/movies/3`. It is
    ///     left out of ``path``.
    fileprivate init(_ request: ReceivedRequest, route: CallRoute, prefix: String) {
        self.request = request
        self.route = route
        let prefixSegmentCount = prefix.isEmpty ? 0 : PathTemplate.split(prefix).count
        let ownSegments = PathTemplate.split(request.path).dropFirst(prefixSegmentCount)
        path = ownSegments.map { "/" + $0 }.joined()
    }

    /// The declaration of the endpoint.
    package var declaration: EndpointDeclaration { route.declaration }

    /// Returns whether the request makes `expectedCall`.
    ///
    /// The request may differ in headers and credentials, which any client may add. If the place of every parameter is
    /// known, it is enough that the request is read as the same call.
    func isRequest(of expectedCall: EndpointCall) -> Bool {
        let endpoint = expectedCall.endpoint
        guard endpoint.method == route.endpoint.method else { return false }
        if hasSamePath(as: endpoint), hasSameItems(as: endpoint) { return true }
        let isEveryPlaceKnown = route.findBindings().bindings.count == declaration.parametersWithValues.count
        return isEveryPlaceKnown && call?.isSame(as: expectedCall) == true
    }

    /// Returns whether the path of the request is that of a request for `endpoint`, however it is percent-encoded.
    private func hasSamePath(as endpoint: Endpoint) -> Bool {
        guard let encodedPath = try? endpoint.path.encoded(declaration.api.coding) else { return false }
        return PathTemplate.segments(of: encodedPath) == PathTemplate.segments(of: path)
    }

    /// Returns whether the request has the query, the body and the headers of a request for `endpoint`.
    private func hasSameItems(as endpoint: Endpoint) -> Bool {
        let expectedTexts = ParameterTexts(endpoint, of: declaration.api)
        let requestTexts = ParameterTexts(
            path: [], query: request.queryItems, headers: request.fields, body: request.body,
            expecting: expectedTexts.bodyFormat)
        return expectedTexts.difference(from: requestTexts).allSatisfy { item in
            mayDiffer(at: item.place, from: expectedTexts)
        }
    }

    /// Returns whether a request may have other texts at a place than the request of the expected call.
    ///
    /// - Parameters:
    ///   - place: The place, such as the query item `page`.
    ///   - expectedTexts: The texts of the expected call's request, with their places.
    private func mayDiffer(at place: ParameterTexts.Location, from expectedTexts: ParameterTexts) -> Bool {
        switch place {
        case .path, .file:
            // Paths are compared elsewhere, and the contents of files do not count.
            return true
        case .query(let name):
            return route.isCredential(query: name)
        case .header:
            // Any client may add a header that neither the endpoint nor a parameter sets.
            let isExpected = !expectedTexts.texts(at: place).isEmpty
            let isSetByParameter = route.findBindings().bindings.contains { $0.place == place }
            return !isExpected && !isSetByParameter
        case .field, .json, .body:
            return false
        }
    }

    /// The endpoint's sample as a response.
    ///
    /// Without a sample, the response has the status 501 (Not Implemented). An endpoint without response bodies needs
    /// no sample: the status is 204 (No Content), or 200 if its method is HEAD.
    package var sample: Response {
        if let sample = route.endpoint.sampleResponse { return sample }
        if route.endpoint.response.kind == .empty {
            return Response(head: ResponseHead(status: route.endpoint.respondsWithNoContent ? 204 : 200), body: [])
        }
        return Response(501, message: "\(declaration.name) has no sample")
    }

    /// The query items that choose a page of the endpoint's list, such as `page=2`.
    ///
    /// A client adds them to the requests of an endpoint that declares how its list is paged. So they are the items
    /// that the endpoint does not know, except credentials.
    package var pageItems: [QueryItem] {
        guard route.endpoint.pages != nil else { return [] }
        return unknownItems.filter { item in !route.isCredential(query: item.name) }
    }
}

/// The reason why a request is not a call of the endpoint.
package struct CallProblem: Error, Sendable {
    /// The status of the response.
    ///
    /// It is 400 if a required parameter is missing or the body that has them can't be read, and 422 if a value is of
    /// another type.
    package let status: Int
    /// The reason in one or several sentences for a person.
    package let message: String

    /// Returns the problem that something required is missing, or that the body can't be read.
    fileprivate static func missing(_ message: String) -> CallProblem { CallProblem(status: 400, message: message) }

    /// Returns the problem that a value does not fit its parameter.
    fileprivate static func invalid(_ message: String) -> CallProblem { CallProblem(status: 422, message: message) }
}
