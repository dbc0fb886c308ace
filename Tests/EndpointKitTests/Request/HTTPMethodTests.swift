import EndpointKit
import Testing

/// Tests of the properties of methods (RFC 9110, section 9.2).
struct HTTPMethodTests {
    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"])
    func `Read-only methods are safe`(name: String) {
        #expect(HTTPMethod(rawValue: name).isSafe)
    }

    /// Methods are case-sensitive. So `get` is an unknown method.
    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "PURGE", "get", ""])
    func `Other methods are not safe`(name: String) {
        #expect(!HTTPMethod(rawValue: name).isSafe)
    }
}
