import EndpointKit
import Pets
import Testing

/// A transport of one's own, written with what the library gives to other packages.
private struct LoopTransport: Transport {
    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        guard options.remainingTime.map({ $0 > .zero }) ?? true else {
            throw TransportError(.timedOut(.whole(options.maxTime)), for: request)
        }
        let url = try request.revealedURL()
        let headers = try request.headers.map { try "\($0.name): \($0.revealedValue())" }
        options.onEvent?(.requestHead(Array("\(request.method) \(url)\r\n\(headers)".utf8)))
        return StreamedResponse(
            head: ResponseHead(status: 200, fields: [.init("Content-Type", "application/json")]),
            body: ResponseBody(bytes: Array(#"{"id": 7, "name": "Rex"}"#.utf8)))
    }
}

@Test func aTransportOfOnesOwn() async throws {
    var client = Client(transport: LoopTransport(), variables: ["PETS_TOKEN": "t0ken"])
    let pet: Pet = try await client.send(Pets.get(7))
    #expect(pet.name == "Rex")
    client.transfer.maxTime = .zero
    let error = await #expect(throws: TransportError.self) { try await client.send(Pets.get(7), as: Pet.self) }
    #expect(error?.cause == .timedOut(.whole(.zero)))
}
