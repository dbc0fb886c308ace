import APIImport
import Testing

/// The servers that an import declares, and the notes on those that it leaves out.
@Suite struct ImportedServersTests {
    /// The URLs of the servers in a document, the URLs of the declared servers, and the note on the others.
    struct Servers: Sendable, CustomTestStringConvertible {
        let urls: [String]
        let declaredURLs: [String]
        /// The start of the only note, or nil if there is no note.
        let note: String?

        var testDescription: String { urls.joined(separator: " ") }
    }

    /// A URL that is longer than a line of Swift may be.
    private static let longURL = "https://a.example/" + String(repeating: "x", count: 100)

    @Test(
        "A server with a base URL is declared, and the others have a note without their secrets",
        arguments: [
            Servers(
                urls: ["//a.example/x/"],
                declaredURLs: ["https://a.example/x"],
                note: nil),
            Servers(
                urls: ["https://a.example", "/v1", "ftp://b.example"],
                declaredURLs: ["https://a.example"],
                note: "left out of the servers: '/v1' has no host; 'ftp://b.example' is not a base URL"),
            Servers(
                urls: ["https://u:s3cret@a.example/?token=s3cret", longURL],
                declaredURLs: [longURL],
                note: "left out of the servers: 'https://(redacted)@"),
            Servers(
                urls: ["/v1"],
                declaredURLs: [],
                note: "left out of the servers: '/v1' has no host: declare one, or give --base-url URL"),
            Servers(
                urls: [],
                declaredURLs: [],
                note: "the document names no server: declare one, or give --base-url URL"),
        ])
    func servers(servers: Servers) throws {
        let serverObjects = servers.urls.map { #"{"url": "\#($0)"}"# }.joined(separator: ", ")
        let imported = try SmallDocument.imported(
            #"""
            {"openapi": "3.1.0", "info": {"title": "Shop"}, "servers": [\#(serverObjects)],
             "paths": {"/a": {"get": {}}}}
            """#)
        // A long URL is a literal of several lines, each of which ends with a backslash.
        let file = imported.text("Shop.swift").replacing("\\\n", with: "")
        let fileWithoutSpaces = file.filter { $0 != " " }.replacing("\\\n", with: "")
        let literalsAndCode = fileWithoutSpaces.split { "\"\n".contains($0) }.map(String.init)
        #expect(literalsAndCode.filter { $0.contains("://") } == servers.declaredURLs, "\(file)")
        #expect(imported.notes.count == (servers.note == nil ? 0 : 1))
        if let note = servers.note {
            #expect(imported.notes.first?.hasPrefix(note) == true, "\(imported.notes)")
        }
        #expect(!imported.notes.contains { $0.contains("s3cret") })
    }

    @Test("Operations of another server are an enum of their own") func operationsOfAnotherServer() throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/files": {
                  "get": {"servers": [{"url": "https://shop.example/v1/"}]},
                  "post": {"servers": [{"url": "https://up.example/"}]}
                }
                """#))
        #expect(imported.endpoints.map(\.name) == ["shop.files.list", "shop.files-on-up.create"])
        #expect(
            imported.text("FilesOnUp.swift").contains(
                #"servers: [Server("production", url: "https://up.example")]"#))
    }

    @Test("A server without a value for a variable is left out, and its note has the whole URL")
    func serversWithoutValues() throws {
        let url = "https://device.example.com/v1/merchants/{merchantAccount}/sync"
        let imported = try SmallDocument.imported(
            #"""
            {"openapi": "3.0.3", "info": {"title": "Shop"},
             "servers": [{"url": "\#(url)"}, {"url": "<local-ip>"}],
             "paths": {"/x": {"get": {}}}}
            """#)
        #expect(imported.text("Shop.swift").contains("static let servers: [Server] = []\n"))
        #expect(
            imported.notes == [
                "left out of the servers: '\(url)' has no default for {merchantAccount}; '<local-ip>' has no host: "
                    + "declare one, or give --base-url URL"
            ])
    }
}
