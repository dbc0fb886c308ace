import APIImport
import Testing

/// The comments and attributes that an import takes from descriptions.
@Suite struct ImportedCommentsTests {
    @Test("A comment has the whole first paragraph of a description, with its abbreviations and links")
    func firstParagraphs() throws {
        let longSentence = """
            The recipient's phone number in [E.164](https://www.example.com/docs/glossary/what-e164) format \
            (for SMS) or [channel address](https://www.example.com/docs/messaging/channels), \
            e.g. `whatsapp:+15552229999`.
            """
        let models = try importedProperties(
            #"""
            "to": {"type": "string", "description": "\#(longSentence)"},
            "b": {"type": "string", "description": "Dr. Smith says e.g. so. Second."}
            """#
        ).modelText
        let words = models.replacing("        /// ", with: "").replacing("\n", with: " ")
        #expect(words.contains(longSentence), "\(models)")
        #expect(models.contains("/// Dr. Smith says e.g. so. Second.\n"))
    }

    @Test("A comment has the list after the first paragraph of a description") func lists() throws {
        let models = try importedProperties(
            #"""
            "state": {"type": "string", "description": "Possible values:\n* **on**\n* **off**\n\nMore."}
            """#
        ).modelText
        #expect(
            models.contains(
                """
                /// Possible values:
                        /// * **on**
                        /// * **off**
                        public let state
                """))
    }

    @Test("A deprecated property or operation has the attribute for this") func deprecations() throws {
        let imported = try importedProperties(
            #""old": {"type": "string", "deprecated": true, "description": "Gone."}"#)
        #expect(
            imported.modelText.contains(
                """
                /// Gone.
                        @available(*, deprecated)
                        public let old: String?

                """))
        #expect(imported.allText.contains("@available(*, deprecated)\n        case "))
    }

    /// Imports a deprecated operation that returns an object with properties.
    private func importedProperties(_ properties: String) throws -> OpenAPIImport {
        let operation = SmallDocument.operation(
            #"{"properties": {\#(properties)}}"#, more: #""deprecated": true, "operationId": "getX", "#)
        return try SmallDocument.imported(SmallDocument.text(#""/x": {"get": \#(operation)}"#))
    }
}
