import JSONText

/// Endpoints of an API with the same method and path, such as one that lists books and one that searches them.
///
/// A document has one operation for them. Together they have the parameters of all. A parameter is only required if
/// each endpoint has it and requires it.
struct EndpointGroup {
    let endpoints: [ComparedEndpoint]

    /// A parameter of at least one of the endpoints.
    struct Parameter {
        /// The parameter as the first endpoint that has it declares it.
        let firstDeclaration: DeclaredParameter
        /// The alternatives for the value: each value has one of these shapes.
        let shapes: [ModelShape]
        /// Whether each endpoint requires it.
        let isRequired: Bool

        /// The place in requests, such as the query item `page`, which is the same for all endpoints that have it.
        var place: DeclaredParameter.Place { firstDeclaration.place }
    }

    /// A body in one media type.
    struct Content {
        let mediaType: DeclaredContent.MediaType
        /// The alternatives for the body: it has one of these shapes. Empty if it is bytes.
        let shapes: [ModelShape]
    }

    /// The parameters, in the order of the endpoints.
    var parameters: [Parameter] {
        let allParameters = endpoints.flatMap(\.request.parameters)
        return allParameters.grouped(by: \.place).map { _, parametersAtPlace in
            // An endpoint has at most one parameter at a place.
            let isInAll = parametersAtPlace.count == endpoints.count
            return Parameter(
                firstDeclaration: parametersAtPlace[0], shapes: parametersAtPlace.map(\.shape).distinct,
                isRequired: isInAll && parametersAtPlace.allSatisfy(\.isRequired))
        }
    }

    /// The bodies that endpoints have.
    private var bodies: [DeclaredBody] { endpoints.compactMap(\.request.body) }
    /// Whether an endpoint has a body.
    var hasBody: Bool { !bodies.isEmpty }
    /// Whether each endpoint requires a body.
    var requiresBody: Bool { bodies.count == endpoints.count && bodies.allSatisfy(\.isRequired) }

    /// The media types of the bodies.
    var contents: [Content] {
        bodies.flatMap(\.contents).grouped(by: \.mediaType).map { mediaType, contents in
            Content(mediaType: mediaType, shapes: contents.compactMap(\.shape).distinct)
        }
    }

    /// The alternatives for the response in JSON: it has one of these shapes. Empty if none is JSON.
    var responses: [ModelShape] { endpoints.compactMap(\.response).distinct }

    /// The places of all credentials that requests may have.
    var credentialPlaces: Set<DeclaredParameter.Place> {
        Set(endpoints.flatMap(\.credentialPlaces))
    }

    /// Whether each endpoint declares its cookies one by one. A case of an enum can only declare the whole header
    /// `Cookie`.
    var declaresEachCookie: Bool { endpoints.allSatisfy(\.request.namesCookies) }
}

extension [ModelShape] {
    /// The shapes without repetitions.
    fileprivate var distinct: [ModelShape] {
        var distinctShapes: [ModelShape] = []
        for shape in self where !distinctShapes.contains(shape) { distinctShapes.append(shape) }
        return distinctShapes
    }
}
