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
    /// Facts about the error for programs.
    var data: JSONValue?

    /// Returns `value`.
    ///
    /// - Parameters:
    ///   - value: A part of a message.
    ///   - expected: The part in words: `expected a "method"`.
    ///   - code: The kind of error if it is missing.
    /// - Throws: ``ProtocolError`` if `value` is nil.
    static func require<Value>(_ value: Value?, _ expected: String, or code: Code) throws(ProtocolError) -> Value {
        guard let value else { throw ProtocolError(code: code, message: "expected \(expected)") }
        return value
    }

    /// Checks that a condition is true.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - expected: What the message must have for it, in words.
    ///   - code: The kind of error if it is false.
    /// - Throws: ``ProtocolError`` if it is false.
    static func require(_ condition: Bool, _ expected: String, or code: Code) throws(ProtocolError) {
        guard condition else { throw ProtocolError(code: code, message: "expected \(expected)") }
    }
}
