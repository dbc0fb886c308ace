import JSONText

/// A request that is wrong in itself, as JSON-RPC and the Model Context Protocol report it.
struct ProtocolError: Error {
    /// The codes of JSON-RPC 2.0 (section 5.1), and of the Model Context Protocol.
    enum Code: Int {
        case notJSON = -32700
        case invalidRequest = -32600
        case unknownMethod = -32601
        case invalidParameters = -32602
        case internalError = -32603
        case unsupportedVersion = -32022
    }

    let code: Code
    let message: String
    /// Facts about the error for programs; nil if there are none.
    var data: JSONValue?

    /// Returns a part of a message that must be there.
    ///
    /// - Parameters:
    ///   - value: The part; nil if the message does not have it.
    ///   - expected: The part in words, for the error: `a "method"` becomes `expected a "method"`.
    ///   - code: The code of the error.
    /// - Throws: ``ProtocolError`` if `value` is nil.
    static func require<Value>(_ value: Value?, _ expected: String, or code: Code) throws(ProtocolError) -> Value {
        guard let value else { throw ProtocolError(code: code, message: "expected \(expected)") }
        return value
    }

    /// Checks a condition that a message must fulfill.
    ///
    /// - Parameters:
    ///   - condition: Whether the message is correct.
    ///   - expected: The part that a correct message has, in words, as in the function for a value.
    ///   - code: The code of the error.
    /// - Throws: ``ProtocolError`` if `condition` is false.
    static func require(_ condition: Bool, _ expected: String, or code: Code) throws(ProtocolError) {
        guard condition else { throw ProtocolError(code: code, message: "expected \(expected)") }
    }
}
