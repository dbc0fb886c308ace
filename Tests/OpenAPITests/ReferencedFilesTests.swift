import Synchronization
import Testing

@testable import OpenAPI

@Suite struct ReferencedFilesTests {
    /// References in `https://shop.example/api/shop.json`, each with the URL of its file; nil if it is not loaded.
    @Test(arguments: [
        ("pet.json#/Pet", "https://shop.example/api/pet.json"), ("../pet.json", "https://shop.example/pet.json"),
        ("/a/pet.json", "https://shop.example/a/pet.json"), ("//shop.example:443/p", "https://shop.example:443/p"),
        ("https://shop.example/p#/a", "https://shop.example/p"), ("http://shop.example/p", nil),
        ("//other.example/p", nil), ("https://ada:pw@shop.example/p", nil), ("file:///etc/passwd", nil),
        ("https://shop.example:444/p", nil), ("#/a", nil),
    ])
    func url(_ reference: String, _ file: String?) throws {
        let document = try SourceDocument(Array(#"{"a": [{"$ref": "\#(reference)"}]}"#.utf8))
        let files = document.referencedFiles(from: "https://shop.example/api/shop.json")
        #expect(files == [file].compactMap { $0 })
    }

    @Test func `A file that can't be loaded is tried once`() throws {
        let loadedPaths = Mutex<[String]>([])
        let text = #"{"openapi": "3.1.0", "paths": {"/x": {"$ref": "a.json#/x"}, "/y": {"$ref": "a.json#/y"}}}"#
        let document = try OpenAPIDocument(SourceDocument(Array(text.utf8)), name: "shop.json") { path in
            loadedPaths.withLock { $0.append(path) }
            throw Documents.NoFile(name: path)
        }
        #expect(document.operations().errors.count == 2)
        #expect(loadedPaths.withLock { $0 } == ["a.json"])
    }
}
