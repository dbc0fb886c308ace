/// Finds the differences of an operation of a document and the endpoints of an API with the same method and path.
struct OperationDifferences {
    private let operation: ComparedEndpoint
    private let group: EndpointGroup
    private let isStrict: Bool
    private var shapes: ShapeDifferences

    /// The number of values and keys that may still be compared.
    var remainingSteps: Int { shapes.remainingSteps }
    /// Whether parts were left out, because there are too many of them, or because they are too deep.
    var isIncomplete: Bool { shapes.isIncomplete }

    /// Prepares a comparison.
    ///
    /// - Parameters:
    ///   - operation: The operation of the document.
    ///   - group: The endpoints of the API.
    ///   - isStrict: Whether something that the API accepts beyond the document is a difference too.
    ///   - maxSteps: The number of values and keys that may be compared.
    ///   - memory: The models and equal shapes of the operations before.
    init(
        _ operation: ComparedEndpoint, _ group: EndpointGroup, isStrict: Bool, maxSteps: Int,
        memory: ComparisonMemory
    ) {
        self.operation = operation
        self.group = group
        self.isStrict = isStrict
        shapes = ShapeDifferences(isStrict: isStrict, maxSteps: maxSteps, memory: memory)
    }

    /// Compares the parameters, the bodies and the responses.
    ///
    /// - Returns: The differences, in that order.
    mutating func compare() -> [DeclarationDifference] {
        compareParameters()
        compareBodies()
        compareResponses()
        return shapes.compare()
    }

    // MARK: Parameters

    /// Compares the parameters by their places.
    private mutating func compareParameters() {
        let ignored = ignoredPlaces
        let apiParameters = group.parameters.filter { !ignored.contains($0.first.place) }
        let apiPlaces = Dictionary(uniqueKeysWithValues: apiParameters.map { ($0.first.place, $0) })
        let documentParameters = operation.request.parameters.filter { !ignored.contains($0.place) }
        for parameter in documentParameters { compare(parameter, apiPlaces[parameter.place]) }
        let documentPlaces = Set(documentParameters.map(\.place))
        for parameter in apiParameters where !documentPlaces.contains(parameter.first.place) {
            let problem = CheckProblem(.extraParameter, path: parameter.first.shownPath)
            shapes.add(problem, path: DeclarationPath(.operation))
        }
    }

    /// Compares a parameter of the document with that of the API; nil if the API has none.
    private mutating func compare(_ parameter: DeclaredParameter, _ apiParameter: EndpointGroup.Parameter?) {
        checkField(
            parameter.shownPath, parameter.path, isRequired: parameter.isRequired,
            apiIsRequired: apiParameter?.isRequired)
        guard let apiParameter else { return }
        if let style = parameter.listStyle, let apiStyle = apiParameter.first.listStyle, style != apiStyle {
            let problem = CheckProblem(
                .parameterType, path: parameter.shownPath, expected: apiStyle.phrase, found: style.phrase)
            shapes.add(problem, path: parameter.path)
        }
        shapes.add(
            document: parameter.shape, api: apiParameter.shapes, .sent(as: parameter.isOneText ? .oneText : .texts),
            path: parameter.valuePath,
            shownPath: parameter.shownPath)
    }

    /// Adds the difference if only one side has or requires a parameter or a body.
    private mutating func checkField(
        _ shownPath: String, _ path: DeclarationPath, isRequired: Bool, apiIsRequired: Bool?
    ) {
        let rule = FieldRule(isStrict: isStrict, part: .sent(as: .texts), tellsRequired: true)
        guard let violation = rule.violation(isRequired: isRequired, apiIsRequired: apiIsRequired) else { return }
        let problem = CheckProblem(
            violation.kind, path: shownPath, expected: violation.expected, found: violation.found)
        shapes.add(problem, path: path)
    }

    /// The places of parameters that are not compared.
    private var ignoredPlaces: Set<DeclaredParameter.Place> {
        let apiParameters = group.parameters.map(\.first)
        let apiPlaces = Set(apiParameters.map(\.place))
        // The tool adds credentials to requests. In a document they may be parameters.
        let credentials = group.credentialPlaces
        var ignored = credentials.subtracting(apiPlaces)
        // A caller does not know of a parameter that always has the same value.
        if !isStrict { ignored.formUnion(apiParameters.filter(\.isConstant).map(\.place)) }
        return ignored.union(ignoredCookies(apiPlaces.union(credentials)))
    }

    /// Returns the places of cookies that are not compared.
    ///
    /// - Parameter apiPlaces: The places of the API's parameters and credentials.
    private func ignoredCookies(_ apiPlaces: Set<DeclaredParameter.Place>) -> [DeclaredParameter.Place] {
        let cookies = operation.request.parameters.filter(\.place.isCookie)
        let header = DeclaredParameter.Place.header("cookie")
        // The header holds any cookies.
        if apiPlaces.contains(header) { return cookies.isEmpty ? [] : cookies.map(\.place) + [header] }
        if group.namesCookies { return [] }
        return cookies.filter { !$0.isRequired }.map(\.place)
    }

    // MARK: Bodies

    /// Compares whether there are bodies, and the bodies of each media type that the API sends.
    private mutating func compareBodies() {
        let body = operation.request.body
        let path = DeclarationPath(.body)
        guard let body else {
            if group.hasBody {
                shapes.add(CheckProblem(.extraParameter, path: "body"), path: DeclarationPath(.operation))
            }
            return
        }
        if !ignores(body) {
            let apiIsRequired = group.hasBody ? group.requiresBody : nil
            checkField("body", path, isRequired: body.isRequired, apiIsRequired: apiIsRequired)
        }
        for content in group.contents { compare(content, with: body) }
    }

    /// Whether it does not matter that the document has a body.
    private func ignores(_ body: DeclaredBody) -> Bool {
        let contents = group.contents
        // A caller gives bytes besides the parameters.
        if group.hasBody { return contents.allSatisfy(\.shapes.isEmpty) }
        // Nothing is sent in an object without members.
        return !body.isRequired && body.contents.allSatisfy { $0.shape?.root == .object([]) }
    }

    /// Compares a body that the API sends with the document's body of the same media type.
    private mutating func compare(_ content: EndpointGroup.Content, with body: DeclaredBody) {
        let sameType = body.contents.first { $0.mediaType == content.mediaType }
        guard let documented = sameType ?? body.contents.first(where: { $0.mediaType.includes(content.mediaType) })
        else {
            let types = body.contents.map(\.mediaType.text).joined(separator: " or ")
            let problem = CheckProblem(
                .parameterType, path: "body", expected: content.mediaType.text, found: types)
            return shapes.add(problem, path: DeclarationPath(.body))
        }
        guard let shape = documented.shape, !content.shapes.isEmpty else { return }
        shapes.add(
            document: shape, api: content.shapes, .sent(as: content.mediaType == .json ? .json : .texts),
            path: DeclarationPath(.content(documented.mediaType)), shownPath: "body")
    }

    // MARK: Responses

    /// Compares the JSON of successful responses.
    ///
    /// An API that reads no JSON suits any response, unless the comparison is strict.
    private mutating func compareResponses() {
        let apiResponses = group.responses
        switch (operation.response, apiResponses.first) {
        case (let response?, _?):
            shapes.add(
                document: response, api: apiResponses, .received, path: DeclarationPath(.response), shownPath: "$")
        case (let response?, nil):
            guard isStrict else { return }
            addWrongResponse(expected: nil, found: response, path: DeclarationPath(.response))
        case (nil, let apiResponse?):
            // Any JSON suits any response too.
            guard isStrict || !shapes.summary(of: apiResponse, .api).isAny else { return }
            addWrongResponse(expected: apiResponse, found: nil, path: DeclarationPath(.operation))
        case (nil, nil):
            break
        }
    }

    /// Adds the difference of a response in JSON and one that is not JSON.
    private mutating func addWrongResponse(expected: ModelShape?, found: ModelShape?, path: DeclarationPath) {
        let noJSON = "no JSON"
        let problem = CheckProblem(
            .wrongType, path: "$", expected: expected.map { shapes.summary(of: $0, .api).phrase } ?? noJSON,
            found: found.map { shapes.summary(of: $0, .document).phrase } ?? noJSON)
        shapes.add(problem, path: path)
    }
}

extension DeclaredParameter {
    /// The path in a report: `query.page`.
    fileprivate var shownPath: String { place.part + ComparisonPlaces.step(name) }

    /// The path to the value of the parameter.
    fileprivate var valuePath: DeclarationPath { path.steps.isEmpty ? path.appending(.value) : path }
}
