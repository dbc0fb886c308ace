import MockServer
import PetScreens
import Pets
import Testing

@Test func soldPetsAreListed() async throws {
    let server = try MockServer(Pets.self, Clinic.self)
    try server.respond(to: Pets.find(status: .sold, limit: 20), with: .json(#"[{"id": 1, "name": "Rex"}]"#))
    try server.respond(to: Pets.get(1), with: .response(503))

    var screen = try PetList(baseURL: server.baseURL)
    await screen.show(.sold)
    #expect(screen.rows == ["Rex"])
    await screen.open(1)
    #expect(screen.alert == "503 Service Unavailable")
    try server.verify()
}
