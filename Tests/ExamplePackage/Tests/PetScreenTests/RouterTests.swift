import EndpointKit
import EndpointTools
import MockServer
import Testing

@testable import Routers

@Test func routersAreAPIs() async throws {
    #expect(PetRoute.lint() == [])
    #expect(OrderRoute.lint() == [])
    #expect(VisitAPI.lint() == [])
    #expect(
        try PetRoute.list(status: nil, limit: 2).request().redactedURL == "https://pets.example.com/v1/pets?limit=2")

    let server = try MockServer { request in .json(#"{"id": 7, "pets": [1], "note": "\#(request.path)"}"#) }
    var service = VisitService()
    service.client.options.base = try BaseURL(server.baseURL)
    service.client.options.variables = { _ in "t0ken" }
    #expect(try await service.visit(id: 7).note == "/visits/7")
    let order: Order = try await service.client.send(OrderRoute.order(id: 7))
    #expect(order.pets == [1])
    #expect(server.received.map(\.path) == ["/visits/7", "/orders/7"])
}
