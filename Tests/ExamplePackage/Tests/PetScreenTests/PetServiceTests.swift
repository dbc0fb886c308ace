import EndpointKit
import MockServer
import PetScreens
import Pets
import Testing

/// Has one token that the server does not accept any more, and a new one.
private struct RenewedSession: PetSession {
    func token(isRejected: Bool) async -> String { isRejected ? "new" : "old" }
}

@Test func aRejectedTokenIsRenewed() async throws {
    let server = try MockServer { request in
        guard request["Authorization"] == "Bearer new" else { return .response(401) }
        return .json(#"{"id": 7, "name": "Rex"}"#)
    }
    let pet = try await PetService(RenewedSession(), baseURL: server.baseURL).pet(7)
    #expect(pet.name == "Rex")
    #expect(server.received.map { $0["Authorization"] } == ["Bearer old", "Bearer new"])
    #expect(server.received.allSatisfy { $0["X-App-Version"] == "4.2" })
}
