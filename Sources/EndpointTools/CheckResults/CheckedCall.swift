import EndpointKit

/// One call of one endpoint, as reports name it.
package final class CheckedCall: Sendable {
    package let declaration: EndpointDeclaration
    /// The endpoint's name: `movies.popular`.
    package let name: String
    /// The number of the endpoint's example, or of the file's case, from 1.
    package let example: Int
    /// The name of a case of a file; nil for an example.
    package let caseName: String?
    /// The line of the case in its file; nil for an example.
    package let caseLine: CaseLine?
    package let method: HTTPMethod
    /// The line where the endpoint is declared.
    package let source: DeclarationLine
    /// The URL without secrets; nil if there is no request.
    package let url: String?
    /// The curl command that sends the same, without secrets.
    package let curl: String?

    /// Names a call of an endpoint for reports.
    ///
    /// - Parameters:
    ///   - declaration: The declaration of the endpoint, with its usual name.
    ///   - endpoint: The endpoint of this call. Reports show its method and its line in the source.
    ///   - example: The number of the example, or of the case in a file of cases, from 1.
    ///   - name: The endpoint's name in reports; nil for the one that it is declared with.
    ///   - caseName: The name of the case in a file of cases; nil for an example.
    ///   - caseLine: The line of the case in its file; nil for an example.
    ///   - url: The URL without secrets; nil if there is no request.
    ///   - curl: The curl command that sends the same request, without secrets; nil if it is not shown.
    package init(
        _ declaration: EndpointDeclaration, _ endpoint: Endpoint, example: Int, name: String? = nil,
        caseName: String? = nil, caseLine: CaseLine? = nil, url: String? = nil, curl: String? = nil
    ) {
        self.declaration = declaration
        self.name = name ?? declaration.name
        self.example = example
        self.caseName = caseName
        self.caseLine = caseLine
        method = endpoint.method
        source = endpoint.source
        self.url = url
        self.curl = curl
    }

    /// Returns this call with the request that was made for it.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint of the request.
    ///   - url: The URL without secrets.
    ///   - curl: The curl command that sends the same request, without secrets; nil if it is not shown.
    package func with(_ endpoint: Endpoint, url: String?, curl: String?) -> CheckedCall {
        CheckedCall(
            declaration, endpoint, example: example, name: name, caseName: caseName, caseLine: caseLine, url: url,
            curl: curl)
    }
}
