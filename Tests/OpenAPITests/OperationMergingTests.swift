import JSONText
import Testing

@testable import OpenAPI

@Suite("Endpoints that share method and path are one operation")
struct OperationMergingTests {
    private static func parameter(
        _ name: String, _ location: ParameterObject.Location = .query, isRequired: Bool = true, type: String = "string"
    ) -> WrittenParameter {
        WrittenParameter(
            name: name, location: location, isRequired: isRequired, style: nil,
            schema: WrittenSchema(["type": JSONValue(type)]), summary: nil)
    }

    private static func operation(
        _ parameters: [WrittenParameter] = [], body: WrittenBody? = nil
    ) -> WrittenOperation {
        WrittenOperation(
            path: "/x", method: "POST", operationID: "shop.add", summary: "", tags: [], endpoints: ["shop.add"],
            servers: nil,
            parameters: parameters, body: body, responses: [], security: [], pages: nil)
    }

    /// Returns a parameter in words: its name, whether it is required, and the number of its schemas.
    private static func words(_ parameter: WrittenParameter) -> String {
        let count = parameter.schema.alternatives.count
        return "\(parameter.name)\(parameter.isRequired ? " required" : "") \(count)"
    }

    static let parameters: [(lists: [[WrittenParameter]], merged: [String])] = [
        // All endpoints require the parameter.
        ([[parameter("id")], [parameter("id")]], ["id required 1"]),
        // The second endpoint does not have the parameter, or does not require it.
        ([[parameter("id")], []], ["id 1"]),
        ([[parameter("id")], [parameter("id", isRequired: false)]], ["id 1"]),
        // Different schemas are alternatives.
        ([[parameter("id")], [parameter("id", type: "integer")]], ["id required 2"]),
        // The names of headers ignore case, those of query items don't.
        ([[parameter("X-Id", .header)], [parameter("x-id", .header)]], ["X-Id required 1"]),
        ([[parameter("Id")], [parameter("id")]], ["Id 1", "id 1"]),
        // A query item is no header.
        ([[parameter("id")], [parameter("id", .header)]], ["id 1", "id 1"]),
    ]

    @Test("What not all endpoints have is not required", arguments: parameters)
    func mergesParameters(_ row: (lists: [[WrittenParameter]], merged: [String])) {
        let merged = WrittenOperation.merge(row.lists.map { Self.operation($0) })
        #expect(merged.parameters.map(Self.words) == row.merged)
        #expect(merged.endpoints.count == row.lists.count)
    }

    @Test("A body that one endpoint lacks may be left out; media types stay apart")
    func mergesBodies() {
        func body(_ contentType: String, _ type: String) -> WrittenBody {
            let schema = WrittenSchema(["type": JSONValue(type)])
            return WrittenBody(
                isRequired: true, content: [WrittenMediaType(contentType: contentType, schema: schema)])
        }
        let text = Self.operation(body: body("text/plain", "string"))
        let object = Self.operation(body: body("application/json", "object"))
        let list = Self.operation(body: body("application/json", "array"))
        let all = WrittenOperation.merge([text, object, list]).body
        #expect(all?.isRequired == true)
        #expect(all?.content.map(\.contentType) == ["text/plain", "application/json"])
        #expect(all?.content.last?.schema?.alternatives.count == 2)
        #expect(WrittenOperation.merge([text, Self.operation()]).body?.isRequired == false)
    }

    @Test("The variables of one path have one set of names")
    func renamesPathParameters() {
        let operation = Self.operation([Self.parameter("number", .path), Self.parameter("number")])
        let renamed = operation.renamingPathParameters(["number": "id"])
        #expect(renamed.parameters.map(\.name) == ["id", "number"])
    }
}
