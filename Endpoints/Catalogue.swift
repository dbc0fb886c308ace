import EndpointKit

/// The APIs that this package knows.
public enum Catalogue {
    /// In the order they are listed.
    public static let apis: [any API.Type] = [
        Movies.self, Places.self, Narcos.self, Marvel.self, Shopify.self, GitHub.self, Prometheus.self,
        HTTPBin.self,
    ]
}
