import EndpointKit
import Testing

struct MethodTests {
    static let methods: [Row<HTTPMethod, [Bool]>] = [
        Row("GET", .get, [true, true]),
        Row("HEAD", .head, [true, true]),
        Row("OPTIONS", .options, [true, true]),
        Row("PUT", .put, [false, true]),
        Row("DELETE", .delete, [false, true]),
        Row("POST", .post, [false, false]),
        Row("PATCH", .patch, [false, false]),
        Row("PURGE", "PURGE", [false, false]),
        Row("get", "get", [false, false]),
    ]

    @Test(arguments: methods)
    func tellsWhatMayBeRepeated(_ row: Row<HTTPMethod, [Bool]>) {
        #expect([row.input.isSafe, row.input.isIdempotent] == row.expected)
        #expect(row.input.description == row.id)
    }
}
