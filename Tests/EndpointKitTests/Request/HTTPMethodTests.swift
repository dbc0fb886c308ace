import EndpointKit
import Testing

/// What RFC 9110, section 9.2, says of methods.
struct HTTPMethodTests {
    @Test(arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"])
    func readOnlyMethodsAreSafe(name: String) {
        #expect(HTTPMethod(rawValue: name).isSafe)
    }

    /// Names of methods are case-sensitive, so that `get` is an unknown one.
    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "PURGE", "get", ""])
    func otherMethodsAreNotSafe(name: String) {
        #expect(!HTTPMethod(rawValue: name).isSafe)
    }
}
