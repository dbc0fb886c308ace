import APIImport
import Testing

@Suite struct SwiftNamesTests {
    @Test(arguments: [("default", "`default`"), ("page", "page"), ("Type", "`Type`")])
    func keywordsAreQuoted(name: String, identifier: String) {
        #expect(SwiftNames.quoted(name) == identifier)
    }
}
