import EndpointKit
import JSONText

/// An API that an enum declares.
///
/// Swift offers no list of a case's values and their types. They are learned from the enum's decoder, by noting which
/// keys and types it asks for while it decodes `{"movie": {}}`.
struct EnumCatalogue<A: API>: CatalogueSource {
    var name: String { A.api.name }
    var summary: String { A.api.summary }
    var requestBuilder: RequestBuilder { A.requestBuilder }
    var logins: [Login] { A.api.logins }

    func failureMessage(in body: [UInt8]) -> String? { A.failureMessage(in: body) }

    /// Returns the cases of the enum as endpoints, without examining their parameters.
    func entries(of api: CatalogueAPI) throws -> [EndpointEntry] {
        try EnumCase<A>.allCases().map { enumCase in
            EndpointEntry(api, endpointName: enumCase.endpointName) { try enumCase.declaration(in: api) }
        }
    }

    /// Returns the cases of the enum as a listing shows them.
    func summaries(of api: CatalogueAPI) throws -> [EndpointSummary] {
        try EnumCase<A>.allCases().map { try $0.summary(in: api) }
    }

    /// Examines the endpoints: first those with examples, in the order of their first examples, then the others.
    func declarations(of api: CatalogueAPI) throws -> [EndpointDeclaration] {
        try EnumCase<A>.declarations(of: EnumCase<A>.allCases(), in: api)
    }

    /// Returns the shape of each endpoint's response, and the shape of the API's error model. A response that is not
    /// JSON has no shape (nil).
    ///
    /// All models are learned together, so that types that they share are learned once.
    func responseShapes(of declarations: [EndpointDeclaration]) -> ResponseShapes {
        var models: [ModelShape.SampledModel] = []
        for endpoint in declarations.map(\.endpoint) where endpoint.response.kind == .json {
            models.append(ModelShape.SampledModel(type: endpoint.response.model, sample: endpoint.sample?.bytes))
        }
        if let errorModel { models.append(ModelShape.SampledModel(type: errorModel.model, sample: nil)) }

        // There is a shape for each of the models, in the same order: first those of the responses that are JSON, then
        // that of the error model.
        var remainingShapes = ModelShape.shapes(of: models, coding: A.api.coding)[...]
        var responses: [ModelShape?] = []
        for declaration in declarations {
            let isJSON = declaration.endpoint.response.kind == .json
            responses.append(isJSON ? remainingShapes.popFirst() : nil)
        }
        return ResponseShapes(responses: responses, error: remainingShapes.popFirst())
    }

    /// The model of the body of a failed response; nil if the API has none, or if it is not JSON.
    private var errorModel: ResponseModel? {
        guard let errorModel = A.api.errorModel else { return nil }
        let model = ResponseModel(errorModel)
        return model.kind == .json ? model : nil
    }

    func omissions() -> [String] { [] }

    func lint() -> [LintFinding] { A.lint() }

    /// Returns the examples in the order of the enum's `examples`, each with its number among those of its case.
    func exampleOrder() throws -> [ExampleNumber] {
        var exampleCounts: [String: Int] = [:]
        var order: [ExampleNumber] = []
        for example in A.examples {
            let caseName = try example.caseName
            exampleCounts[caseName, default: 0] += 1
            let number = exampleCounts[caseName, default: 0]
            order.append(ExampleNumber(endpointName: KebabCase.text(caseName), number: number))
        }
        return order
    }
}
