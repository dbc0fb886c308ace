import EndpointKit
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Endpoint {
    /// Makes an endpoint with the method, URL, headers and body of a request.
    ///
    ///     var endpoint: Endpoint { Endpoint(urlRequest, returns: Pet.self) }
    ///
    /// The URL must begin with that of one of the API's servers, which is taken off. A credential in the request is found
    /// by ``API/lint()``: it belongs to the API's credentials. The rest is as in an endpoint with a path.
    public init(
        _ request: URLRequest, returns model: any (Decodable & Sendable).Type, summary: String = "",
        notes: [ParameterName: String] = [:], rules: [ParameterRule] = [], credentials: [Credential]? = nil,
        pages: Paging? = nil, sample: Sample? = nil, file: String = #filePath, line: Int = #line
    ) {
        let headers = (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
        self.init(
            HTTPMethod(rawValue: request.httpMethod ?? "GET"), "", returns: model, summary: summary, notes: notes,
            rules: rules, credentials: credentials, pages: pages, sample: sample, file: file, line: line)
        setURL(request.url?.absoluteString ?? "", headers: headers, body: request.httpBody.map { [UInt8]($0) })
    }
}
