import MockServer
import TestSupport

extension MockServer {
    /// Connects to the server, sends `text`, and returns the client.
    func sending(_ text: String = "GET / HTTP/1.1\r\nHost: x\r\n\r\n") throws -> RawClient {
        let client = try RawClient(port: port)
        client.send(text)
        return client
    }
}
