import APIImport
import Testing

/// The bodies that imported operations send, field by field.
@Suite struct ImportedBodiesTests {
    @Test("In a multipart body, an object is JSON, a date is text, and the encoding sets the content types")
    func partsOfMultipartBodies() throws {
        let schema = #"""
            {"required": ["attributes", "file"], "properties": {
              "attributes": {"required": ["name"], "properties": {"name": {"type": "string"}}},
              "file": {"type": "string", "format": "binary"}, "when": {"type": "string", "format": "date-time"},
              "meta": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}}}
            """#
        let encoding = #"{"meta": {"contentType": "application/json"}, "file": {"contentType": "image/png"}}"#
        let content = #"{"multipart/form-data": {"schema": \#(schema), "encoding": \#(encoding)}}"#
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/files": {"post": {"requestBody": {"required": true, "content": \#(content)}}}"#))
        let arm = imported.endpoints[0].arm
        for part in [
            #".json("attributes", body.attributes)"#,
            #".file("file", path: body.file, contentType: "image/png")"#,
            #"body.when.map { Part.field("when", $0.parameterText(Coding())) }"#,
            #"body.meta.map { Part.json("meta", $0) }"#,
            #"(body.tags ?? []).map { Part.field("tags", $0) }"#,
        ] {
            #expect(arm.contains(part), "\(arm)")
        }
        #expect(imported.endpoints[0].comments == [])
    }

    @Test("Each field of a form is written in the style that its encoding states") func encodingsOfForms() throws {
        let list = #"{"type": "array", "items": {"type": "string"}}"#
        let object = #"{"properties": {"x": {"type": "string"}}}"#
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/f": {"post": {"requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {
                  "encoding": {
                    "a": {"style": "form", "explode": false}, "d": {"style": "deepObject", "explode": true}
                  },
                  "schema": {"properties": {"a": \#(list), "b": \#(list), "d": \#(object)}}
                }}}}}
                """#))
        let arm = imported.endpoints[0].arm.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            arm.contains(
                #"["a": body.a?.joined(by: ","), "b": body.b] + Endpoint.Query.indexed(["d": body.d])"#), "\(arm)")
    }

    @Test("A list in a multipart body of version 2 is joined by its collection format, or else by commas")
    func listsInMultipartBodiesOfVersion2() throws {
        let arm = try declarationOfLists(contentType: "multipart/form-data")
        #expect(arm.contains(#"(body?.d).map { Part.field("d", $0.joined(separator: ",")) }"#), "\(arm)")
        #expect(arm.contains(#"(body?.p).map { Part.field("p", $0.joined(separator: "|")) }"#), "\(arm)")
        #expect(arm.contains(#"(body?.m ?? []).map { Part.field("m", $0) }"#), "\(arm)")
    }

    @Test("A list in a form of version 2 is joined by commas, unless its collection format is multi")
    func listsInFormsOfVersion2() throws {
        let arm = try declarationOfLists(contentType: "application/x-www-form-urlencoded")
        #expect(arm.contains(#""c": $0.c?.joined(by: ",")"#), "\(arm)")
        #expect(arm.contains(#""m": $0.m"#), "\(arm)")
    }

    /// Returns the declaration of an operation that sends the lists `d`, `c`, `m` and `p`, of which all but `d` state
    /// how their elements are separated.
    private func declarationOfLists(contentType: String) throws -> String {
        let list = #""in": "formData", "type": "array", "items": {"type": "string"}"#
        let imported = try SmallDocument.imported(
            #"""
            {"swagger": "2.0", "info": {"title": "Old"}, "host": "a.example",
             "paths": {"/m": {"post": {"consumes": ["\#(contentType)"], "parameters": [
               {"name": "d", \#(list)},
               {"name": "c", \#(list), "collectionFormat": "csv"},
               {"name": "m", \#(list), "collectionFormat": "multi"},
               {"name": "p", \#(list), "collectionFormat": "pipes"}
             ]}}}}
            """#)
        return imported.endpoints[0].arm
    }

    @Test("The bytes of an upload are a parameter") func uploads() throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/x": {"post": {
                  "operationId": "upload", "tags": ["t"],
                  "requestBody": {"required": true, "content": {"image/png": {}}}
                }}
                """#))
        let file = imported.text("T.swift")
        #expect(file.contains("case upload(content: [UInt8])"), "\(file)")
        #expect(file.contains(#"body: .data(content, contentType: "image/png")"#), "\(file)")
        #expect(imported.bytesCount == 1)
    }
}
