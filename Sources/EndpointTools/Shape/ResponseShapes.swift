import EndpointKit

extension ResponseModel {
    /// Returns the shape of the JSON that the model reads. It takes about a millisecond to learn.
    ///
    /// - Parameters:
    ///   - sample: A body that fits, for models that refuse made-up values.
    ///   - coding: The coding of the API.
    /// - Returns: The shape; nil if the response is not JSON.
    package func shape(sample: [UInt8]? = nil, coding: Coding = Coding()) -> ModelShape? {
        kind == .json ? .of(model, sample: sample, coding: coding) : nil
    }
}

extension EndpointDeclaration {
    /// The shape of the JSON that the response model reads; nil if the response is not JSON. The endpoint's sample
    /// helps to learn it.
    package var responseShape: ModelShape? {
        endpoint.response.shape(sample: endpoint.sample?.bytes, coding: api.coding)
    }

    /// Returns the shapes of the responses of several endpoints of one API. Types that they share are learned once.
    ///
    /// - Returns: One shape for each endpoint, in order, and at the end the shape of the API's errors. A shape is nil
    ///   if there is no JSON.
    package static func responseShapes(of declarations: [EndpointDeclaration]) -> [ModelShape?] {
        guard let api = declarations.first?.api else { return [] }
        var responses = declarations.map { (model: $0.endpoint.response, sample: $0.endpoint.sample?.bytes) }
        let errors = api.errorModel.map { ResponseModel($0) } ?? ResponseModel(EmptyResponse.self)
        responses.append((model: errors, sample: nil))

        let readers = responses.filter { $0.model.kind == .json }.map { ($0.model.model, sample: $0.sample) }
        var shapes = ModelShape.all(readers, coding: api.coding)[...]
        return responses.map { $0.model.kind == .json ? shapes.popFirst() : nil }
    }
}
