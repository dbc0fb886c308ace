import Testing

@testable import APIImport

/// Lines that are added to the list in `Catalogue.swift`.
@Suite struct CatalogueListTests {
    private static func text(_ list: String) -> String { "enum All {\n    let apis: [any API.Type] =\(list)\n}\n" }

    private static func added(_ entry: CatalogueList.Entry, to list: String) -> String? {
        CatalogueList(text(list))?.adding(entry)
    }

    /// An enum is a line before the bracket.
    @Test(arguments: [
        (" [\n        A.self,\n    ]", " [\n        A.self,\n        X.self,\n    ]"),
        (" [\n    ]", " [\n        X.self,\n    ]"),
        (
            "\n        [\n            A.self, MyX.self,\n        ]\n        + B.apis",
            "\n        [\n            A.self, MyX.self,\n            X.self,\n        ]\n        + B.apis"
        ),
        (
            " [\n        // X.self,\n        X.apis,\n    ]",
            " [\n        // X.self,\n        X.apis,\n        X.self,\n    ]"
        ),
    ])
    func api(list: String, expected: String) { #expect(Self.added(.api("X"), to: list) == Self.text(expected)) }

    /// The list of a document is a line after the bracket and the lists of other documents.
    @Test(arguments: [
        ("\n        [\n        ]", "\n        [\n        ]\n        + X.apis"),
        ("\n        [\n        ]\n        + MyX.apis", "\n        [\n        ]\n        + MyX.apis\n        + X.apis"),
        (" [\n        X.self,\n    ]\n    let b = 1", " [\n        X.self,\n    ]\n    + X.apis\n    let b = 1"),
    ])
    func document(list: String, expected: String) {
        #expect(Self.added(.document("X"), to: list) == Self.text(expected))
    }

    @Test func entryThatIsThere() {
        let list = " [\n        A.self, X.self,  // first\n    ]\n    + Y.apis"
        #expect(Self.added(.api("X"), to: list) == Self.text(list))
        #expect(Self.added(.document("Y"), to: list) == Self.text(list))
    }

    /// No line is added where it may not compile.
    @Test(arguments: [" all()", " [A.self, B.self]", " [\n        A.self\n    ]", " [\n        A.self,  // a\n    ]"])
    func anotherLayout(list: String) { #expect(Self.added(.api("X"), to: list) == nil) }

    @Test func noList() { #expect(CatalogueList("enum All {\n    let apis: [Int] = [\n    ]\n}\n") == nil) }
}
