/// An error that says why a source can't be imported, and what to do instead.
package struct ImportError: Error, Equatable {
    /// The message, without marks around the names of variables.
    package let text: String

    package init(_ text: String) { self.text = ImportedRequest.filling(text) }
}
