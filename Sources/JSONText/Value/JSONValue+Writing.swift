extension JSONValue: JSONTextWritable {
    package func withJSONText(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try written.withUnsafeBytes(body)
    }
}
