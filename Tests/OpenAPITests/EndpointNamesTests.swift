import Testing

@testable import OpenAPI

/// Names of endpoints.
@Suite struct EndpointNamesTests {
    /// Returns the names of operations, each given as its method, path, id and tag.
    private static func names(_ rows: [(String, String, String, String)]) throws -> [String] {
        let paths = rows.map { method, path, id, tag in
            #""\#(path)": {"\#(method)": {"operationId": "\#(id)", "tags": ["\#(tag)"]}}"#
        }
        let document = try Documents.document(#"{"openapi": "3.1.0", "paths": {\#(paths.joined(separator: ","))}}"#)
        return EndpointNames.names(document.operations().parts)
    }

    @Test(arguments: [
        ([("get", "/a", "getPet", "")], ["get-pet"]),
        ([("get", "/a", "read_API__v1", "")], ["read-api-v1"]),
        ([("get", "/pets/{id}/owner", "", "")], ["get-pets-owner"]),
        ([("get", "/pets", "", ""), ("get", "/pets/{id}", "", "")], ["get-pets", "get-pets-by-id"]),
        ([("get", "/", "---", "")], ["get"]),
        // Two operations of a tag keep the word that they share.
        ([("get", "/a", "pets/list", "p"), ("get", "/b", "pets/add", "p")], ["pets-list", "pets-add"]),
        (
            [("get", "/a", "pets/list", "p"), ("get", "/b", "pets/add", "p"), ("get", "/c", "pets", "p")],
            ["pets-list", "pets-add", "pets"]
        ),
        (
            [("get", "/a", "pets/list", "p"), ("get", "/b", "pets/add", "p"), ("get", "/c", "pets/get", "p")],
            ["list", "add", "get"]
        ),
        ([("get", "/b", "x", ""), ("get", "/a", "x", ""), ("get", "/c", "x-2", "")], ["x-3", "x", "x-2"]),
    ])
    func `A name is the operation's id in kebab case, or else its method and path`(
        rows: [(String, String, String, String)], names: [String]
    ) throws {
        #expect(try Self.names(rows) == names)
    }

    @Test func `With more than 20 operations the tag comes first, in any order`() throws {
        let rows = (0..<24).map { ("get", "/p\($0)", "shop/item\($0 / 2)/find", $0 % 5 == 0 ? "" : "My Shop") }
        let names = try Self.names(rows)
        #expect(names[1] == "my-shop.item0-find")
        #expect(names[0] == "shop-item0-find")
        #expect(Set(names).count == rows.count)
        #expect(try Self.names(rows.reversed()) == names.reversed())
    }
}
