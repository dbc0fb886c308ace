import JSONText

extension SourceDocument {
    /// Returns the files that references in this document name, each once, in the order of the text.
    ///
    /// - Parameter name: The path of this document from the directory of the root document, or its URL.
    /// - Returns: Paths from the directory of the root document, or URLs. References that lead elsewhere are left out:
    ///   they are errors of the parts that hold them.
    package func referencedFiles(from name: String) -> [String] {
        var files: [String] = []
        var known: Set = [name]
        for reference in references {
            // A reference that can't be followed is reported when the part that holds it is read.
            guard let file = try? FileReference(reference, in: name).file, known.insert(file).inserted else { continue }
            files.append(file)
        }
        return files
    }

    /// The texts of all members `$ref`, in the order of the document, without those within the document.
    private var references: [String] {
        var references: [String] = []
        // Iterative, because documents are nested as deeply as their authors like.
        var values = [JSONValue(json)]
        while let value = values.popLast() {
            if let text = value["$ref"]?.string, !text.hasPrefix("#") { references.append(text) }
            let parts = json.values(in: value)
            // The last value is visited next, so the parts are reversed to keep the order of the text.
            values += parts.filter { $0.kind == .object || $0.kind == .array }.reversed()
        }
        return references
    }
}

extension JSONDocument {
    /// Returns the elements of an array or the values of an object's members.
    fileprivate func values(in container: JSONValue) -> [JSONValue] {
        values(in: container.slot).map { JSONValue(self, slot: $0) }
    }
}
