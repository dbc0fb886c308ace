extension EndpointDeclaration {
    /// What JSON the response model reads; nil if it is not JSON. The endpoint's sample helps to learn it.
    package var responseShape: ModelShape? {
        endpoint.response.shape(sample: endpoint.sample?.bytes, coding: api.coding)
    }
}
