import EndpointKit

/// All APIs in this package.
public enum Catalogue {
    /// The APIs in the order of `list`.
    ///
    /// `apictl import` adds a line: `Shop.self,` before the closing bracket, or `+ Shop.apis` after it.
    public static let apis: [any API.Type] =
        [
            Movies.self, Places.self, Narcos.self, Marvel.self, Shopify.self, GitHub.self, Prometheus.self,
            HTTPBin.self,
        ]
}
