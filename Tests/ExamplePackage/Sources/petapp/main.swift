import EndpointKit
import MockServer
import Pets
import URLSessionTransport

// Stands in for the real server.
let server = try MockServer { request in .json(#"[{"id": 1, "name": "\#(request.path)"}]"#) }

var client = Client(transport: URLSessionTransport(), variables: ["PETS_TOKEN": "token"])
client.options.base = try BaseURL(server.baseURL)
let pets: [Pet] = try await client.send(Pets.find(status: .sold, limit: nil))
print(pets.map(\.name))
