import EndpointKit
import Testing

@testable import CurlTransport

/// The proxy of a transfer depends on the request's options and on environment variables.
@Suite struct ProxyRouteTests {
    struct Case: Row {
        let id: String
        var usesTLS = false
        var unixSocket: String?
        var option: String?
        var usedProxy: Bool?
        var variables: [String: String] = [:]
        let route: ProxyRoute
    }

    private static func proxy(_ host: String, sendsCredentials: Bool = false) -> ProxyRoute {
        .proxy(.init(host: host, port: 3128), sendsCredentials: sendsCredentials)
    }

    @Test(arguments: [
        Case(id: "nothing is set", route: .direct),
        Case(id: "the option", option: "http://a:3128", route: proxy("a")),
        Case(
            id: "the option before a variable", option: "http://a:3128", variables: ["http_proxy": "b:3128"],
            route: proxy("a")),
        Case(id: "an empty option", option: "", variables: ["http_proxy": "b:3128"], route: .direct),
        Case(id: "http", variables: ["http_proxy": "b:3128", "https_proxy": "c:3128"], route: proxy("b")),
        Case(
            id: "https", usesTLS: true, variables: ["http_proxy": "b:3128", "HTTPS_PROXY": "c:3128"],
            route: proxy("c")),
        Case(id: "HTTP_PROXY is not used", variables: ["HTTP_PROXY": "b:3128"], route: .direct),
        Case(id: "any scheme", variables: ["ALL_PROXY": "d:3128"], route: proxy("d")),
        Case(id: "an empty variable", variables: ["http_proxy": "", "all_proxy": "d:3128"], route: proxy("d")),
        Case(
            id: "a password", variables: ["http_proxy": "http://u:p@b:3128"],
            route: proxy("b", sendsCredentials: true)),
        Case(id: "a socket", unixSocket: "/a.sock", variables: ["http_proxy": "b:3128"], route: .direct),
        Case(
            id: "perhaps an exempted server", variables: ["http_proxy": "b:3128", "no_proxy": "a.example"],
            route: .unknown),
        Case(
            id: "an exempted server", usedProxy: false, variables: ["http_proxy": "b:3128", "NO_PROXY": "a.example"],
            route: .direct),
        Case(
            id: "a server that is not exempted", usedProxy: true,
            variables: ["http_proxy": "b:3128", "no_proxy": "a.example"], route: proxy("b")),
    ])
    func aTransferTakesTheRouteOfOptionsAndVariables(_ row: Case) {
        let server = TransportError.Peer(host: "server.example", usesTLS: row.usesTLS, unixSocket: row.unixSocket)
        let route = ProxyRoute(to: server, option: row.option, usedProxy: row.usedProxy) { row.variables[$0] }
        #expect(route == row.route)
    }
}
