import EndpointKit
import EndpointTools
import MockServer
import Testing
import Todos
import URLSessionTransport

@Test func oneTodoIsRead() async throws {
    #expect(Todos.lint() == [])
    let server = try MockServer(Todos.self)
    try server.respond(to: Todos.get(1), with: .json(#"{"id": 1, "title": "Tea", "completed": true}"#))

    var client = Client(transport: URLSessionTransport())
    client.request.base = try BaseURL(server.baseURL)
    let todo: Todo = try await client.send(Todos.get(1))
    #expect(todo.title == "Tea")
}
