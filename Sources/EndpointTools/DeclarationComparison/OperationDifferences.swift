/// Finds the differences between an operation of a document and the endpoints of an API with the same method and path.
struct OperationDifferences {
    private let operation: ComparedEndpoint
    private let group: EndpointGroup
    private let isStrict: Bool
    private var shapeDifferences: ShapeDifferences

    /// The number of values and keys that may still be compared.
    var remainingSteps: Int { shapeDifferences.remainingSteps }
    /// Whether parts were left out, because there are too many of them, or because they are too deep.
    var isIncomplete: Bool { shapeDifferences.isIncomplete }

    /// Prepares to compare an operation of a document with endpoints of an API.
    ///
    /// - Parameters:
    ///   - operation: The operation of the document.
    ///   - group: The endpoints of the API.
    ///   - isStrict: Whether something that the API accepts beyond the document is a difference too.
    ///   - maxSteps: The number of values and keys that may be compared.
    ///   - comparedModels: The models and the equal shapes of earlier operations. The comparison adds its own.
    init(
        of operation: ComparedEndpoint, and group: EndpointGroup, isStrict: Bool, maxSteps: Int,
        comparedModels: ComparedModels
    ) {
        self.operation = operation
        self.group = group
        self.isStrict = isStrict
        shapeDifferences = ShapeDifferences(isStrict: isStrict, maxSteps: maxSteps, comparedModels: comparedModels)
    }

    /// Compares the parameters, the bodies and the responses.
    ///
    /// - Returns: The differences, in that order.
    mutating func compare() -> [DeclarationDifference] {
        compareParameters()
        compareBodies()
        compareResponses()
        return shapeDifferences.compare()
    }

    // MARK: Parameters

    /// Compares the parameters of the document and of the API that are at the same places, such as the query item
    /// `page`.
    ///
    /// A place where only one side has a parameter is a difference. Some places are ignored, such as those of
    /// credentials.
    private mutating func compareParameters() {
        let ignoredPlaces = collectIgnoredPlaces()
        let apiParameters = group.parameters.filter { !ignoredPlaces.contains($0.place) }
        // A group has one parameter for each place.
        let apiParametersByPlace = Dictionary(uniqueKeysWithValues: apiParameters.map { ($0.place, $0) })
        let documentParameters = operation.request.parameters.filter { !ignoredPlaces.contains($0.place) }
        for parameter in documentParameters {
            compareParameter(parameter, with: apiParametersByPlace[parameter.place])
        }
        let documentPlaces = Set(documentParameters.map(\.place))
        let extraParameters = apiParameters.filter { !documentPlaces.contains($0.place) }
        for parameter in extraParameters {
            let problem = CheckProblem(.extraParameter, path: parameter.firstDeclaration.shownPath)
            // The document has no place for the parameter, so the difference is at the operation itself.
            shapeDifferences.addDifference(problem, path: DeclarationPath(.operation))
        }
    }

    /// Compares a parameter of the document with that of the API: whether it is required, how its lists are written,
    /// and its values.
    ///
    /// - Parameters:
    ///   - parameter: The parameter of the document.
    ///   - apiParameter: The parameter of the API at the same place; nil if the API has none.
    private mutating func compareParameter(
        _ parameter: DeclaredParameter, with apiParameter: EndpointGroup.Parameter?
    ) {
        compareRequirements(
            shownPath: parameter.shownPath, path: parameter.path, isRequiredInDocument: parameter.isRequired,
            isRequiredInAPI: apiParameter?.isRequired)
        // The call above has reported a parameter that the API lacks.
        guard let apiParameter else { return }
        compareListStyles(of: parameter, and: apiParameter.firstDeclaration)
        let writing: ComparedPart.Writing = parameter.isOneText ? .oneText : .texts
        shapeDifferences.addWholeValue(
            documentShape: parameter.shape, apiShapes: apiParameter.shapes, part: .sent(as: writing),
            path: parameter.valuePath, shownPath: parameter.shownPath)
    }

    /// Adds a difference if the document and the API write a list in the query in different ways, such as `tag=a&tag=b`
    /// and `tag=a,b`.
    private mutating func compareListStyles(
        of parameter: DeclaredParameter, and apiParameter: DeclaredParameter
    ) {
        // The style is nil for a parameter that is no list in a query, and if the style is not known.
        guard let style = parameter.listStyle, let apiStyle = apiParameter.listStyle else { return }
        if style == apiStyle { return }
        let problem = CheckProblem(
            .parameterType, path: parameter.shownPath, expected: apiStyle.phrase, found: style.phrase)
        shapeDifferences.addDifference(problem, path: parameter.path)
    }

    /// Adds a difference if the API lacks a parameter or a body of the document, or if only one of them requires it.
    ///
    /// - Parameters:
    ///   - shownPath: The path in the report: `query.page`.
    ///   - path: The path to the parameter or body in the document.
    ///   - isRequiredInDocument: Whether the document requires it.
    ///   - isRequiredInAPI: Whether the API requires it; nil if the API does not have it.
    private mutating func compareRequirements(
        shownPath: String, path: DeclarationPath, isRequiredInDocument: Bool, isRequiredInAPI: Bool?
    ) {
        // The rule is the same for all values of a request, whether they are written as texts or as JSON. Documents
        // mark the parameters and bodies that are required. Only for responses, many don't.
        let rule = FieldRule(isStrict: isStrict, part: .sent(as: .texts), documentMarksRequiredFields: true)
        let violation = rule.violation(
            isRequiredInDocument: isRequiredInDocument, isRequiredInAPI: isRequiredInAPI)
        guard let violation else { return }
        let problem = CheckProblem(
            violation.kind, path: shownPath, expected: violation.expected, found: violation.found)
        shapeDifferences.addDifference(problem, path: path)
    }

    /// Returns the places of parameters that are not compared: credentials that are no parameters of the API, constant
    /// parameters unless the comparison is strict, and some cookies.
    private func collectIgnoredPlaces() -> Set<DeclaredParameter.Place> {
        let apiParameters = group.parameters.map(\.firstDeclaration)
        let apiPlaces = Set(apiParameters.map(\.place))
        // In a document, the API's credentials may be parameters. They are only compared if an endpoint has a parameter
        // at the same place.
        let credentialPlaces = group.credentialPlaces
        var ignoredPlaces = credentialPlaces.subtracting(apiPlaces)
        if !isStrict {
            // A caller does not know of a parameter that always has the same value.
            let constants = apiParameters.filter(\.isConstant)
            ignoredPlaces.formUnion(constants.map(\.place))
        }
        return ignoredPlaces.union(ignoredCookies(apiPlaces: apiPlaces.union(credentialPlaces)))
    }

    /// Returns the places of cookies that are not compared. They depend on the way in which the API declares cookies:
    ///
    /// - It sets the header `Cookie` as a whole. All cookies of the document are in that header, so neither these nor
    ///   the header are compared.
    /// - It declares its cookies one by one. Then all cookies are compared.
    /// - It declares no cookies at all, as the Swift enum of an API may do. Then only the cookies that the document
    ///   requires are compared.
    ///
    /// - Parameter apiPlaces: The places of the API's parameters and credentials.
    private func ignoredCookies(apiPlaces: Set<DeclaredParameter.Place>) -> [DeclaredParameter.Place] {
        let documentCookies = operation.request.parameters.filter(\.place.isCookie)
        if documentCookies.isEmpty { return [] }
        let cookieHeader = DeclaredParameter.Place.header("cookie")
        let setsWholeHeader = apiPlaces.contains(cookieHeader)
        if setsWholeHeader { return documentCookies.map(\.place) + [cookieHeader] }
        if group.declaresEachCookie { return [] }
        let optionalCookies = documentCookies.filter { !$0.isRequired }
        return optionalCookies.map(\.place)
    }

    // MARK: Bodies

    /// Compares the bodies of requests: whether there is one, whether it is required, and its values in each media type
    /// that the API sends.
    ///
    /// A media type that only the document has is no difference, because the API need not use it.
    private mutating func compareBodies() {
        if let body = operation.request.body {
            if hasComparableRequirement(body) {
                // Nil means that the API has no body.
                let isRequiredInAPI = group.hasBody ? group.requiresBody : nil
                compareRequirements(
                    shownPath: "body", path: DeclarationPath(.body), isRequiredInDocument: body.isRequired,
                    isRequiredInAPI: isRequiredInAPI)
            }
            for content in group.contents { compareContent(content, with: body) }
        } else if group.hasBody {
            let extraBody = CheckProblem(.extraParameter, path: "body")
            shapeDifferences.addDifference(extraBody, path: DeclarationPath(.operation))
        }
    }

    /// Whether it counts as a difference that only one side has a body or requires it.
    ///
    /// It does not count in two cases:
    /// - All bodies of the API are bytes, because a caller gives these besides the parameters.
    /// - The API has no body, and the document's body is optional and an object without members, so that nothing would
    ///   be sent in it.
    private func hasComparableRequirement(_ body: DeclaredBody) -> Bool {
        if group.hasBody {
            let areAllBytes = group.contents.allSatisfy(\.shapes.isEmpty)
            return !areAllBytes
        }
        if body.isRequired { return true }
        let isObjectWithoutMembers = body.contents.allSatisfy { $0.shape?.root == .object([]) }
        return !isObjectWithoutMembers
    }

    /// Compares a body that the API sends with the document's body of the same media type.
    ///
    /// If the document has no body of that type, its body of a range such as `image/*` is compared, if the range
    /// includes the type. If there is no such range either, that is a difference.
    ///
    /// - Parameters:
    ///   - content: The body that the API sends, in one media type.
    ///   - body: The document's body in all of its media types.
    private mutating func compareContent(_ content: EndpointGroup.Content, with body: DeclaredBody) {
        let contentOfSameType = body.contents.first { $0.mediaType == content.mediaType }
        let contentOfRange = body.contents.first { $0.mediaType.includes(content.mediaType) }
        guard let documentContent = contentOfSameType ?? contentOfRange else {
            let mediaTypes = body.contents.map(\.mediaType.text).joined(separator: " or ")
            let problem = CheckProblem(
                .parameterType, path: "body", expected: content.mediaType.text, found: mediaTypes)
            shapeDifferences.addDifference(problem, path: DeclarationPath(.body))
            return
        }
        // A body of bytes has no shape.
        guard let documentShape = documentContent.shape, !content.shapes.isEmpty else { return }
        // The values of a form are texts.
        let writing: ComparedPart.Writing = content.mediaType == .json ? .json : .texts
        shapeDifferences.addWholeValue(
            documentShape: documentShape, apiShapes: content.shapes, part: .sent(as: writing),
            path: DeclarationPath(.content(documentContent.mediaType)), shownPath: "body")
    }

    // MARK: Responses

    /// Compares the JSON of successful responses.
    ///
    /// Unless the comparison is strict, an API that reads no JSON suits any response, and an API that reads any JSON
    /// suits a document without JSON.
    private mutating func compareResponses() {
        // A side whose response is not JSON has no shape here.
        let documentResponse = operation.response
        let apiResponses = group.responses
        if let documentResponse, !apiResponses.isEmpty {
            shapeDifferences.addWholeValue(
                documentShape: documentResponse, apiShapes: apiResponses, part: .received,
                path: DeclarationPath(.response), shownPath: "$")
        } else if let documentResponse {
            if isStrict { addWrongResponse(expected: nil, found: documentResponse, path: DeclarationPath(.response)) }
        } else if let apiResponse = apiResponses.first {
            // If the API has several responses, the first one counts.
            let readsAnyJSON = shapeDifferences.summary(of: apiResponse, on: .api).isAny
            if readsAnyJSON, !isStrict { return }
            addWrongResponse(expected: apiResponse, found: nil, path: DeclarationPath(.operation))
        }
    }

    /// Adds a difference: only the API or only the document has a response in JSON. The API is what is expected, and
    /// the document is what is found.
    ///
    /// - Parameters:
    ///   - expected: The response of the API; nil if it is not JSON.
    ///   - found: The response of the document; nil if it is not JSON.
    ///   - path: The path to the part of the document that the difference is about.
    private mutating func addWrongResponse(expected: ModelShape?, found: ModelShape?, path: DeclarationPath) {
        let expectedPhrase = expected.map { shapeDifferences.summary(of: $0, on: .api).phrase } ?? "no JSON"
        let foundPhrase = found.map { shapeDifferences.summary(of: $0, on: .document).phrase } ?? "no JSON"
        let problem = CheckProblem(.wrongType, path: "$", expected: expectedPhrase, found: foundPhrase)
        shapeDifferences.addDifference(problem, path: path)
    }
}

extension DeclaredParameter {
    /// The path in a report: `query.page`.
    fileprivate var shownPath: String { place.part + ComparisonPlaces.step(name) }

    /// The path to the value of the parameter.
    fileprivate var valuePath: DeclarationPath { path.steps.isEmpty ? path.appending(.value) : path }
}
