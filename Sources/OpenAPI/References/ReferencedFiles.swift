import EndpointKit
import JSONText

extension SourceDocument {
    /// Returns the other files that the `$ref`s of this document name, without repetitions, in the order of the text.
    ///
    /// - Parameter name: The path of this document from the directory of the root document, or its URL.
    /// - Returns: Paths from the directory of the root document, or URLs. References that must not be followed, such
    ///   as those to other servers, are left out.
    package func referencedFiles(from name: String) -> [String] {
        // The error of a forbidden reference is reported when the part with the reference is read.
        let files = references.compactMap { try? FileReference($0, in: name).file }
        return files.filter { $0 != name }.withoutRepetitions
    }

    /// The texts of all `$ref`s to other files, in the order of the text.
    private var references: [String] {
        var references: [String] = []
        // A list of values to visit replaces a recursion, because a hostile document could be nested very deeply.
        var unvisitedValues = [JSONValue(json)]
        while let value = unvisitedValues.popLast() {
            if let text = value["$ref"]?.string, !text.hasPrefix("#") { references.append(text) }
            let children = json.values(in: value)
            // The last value is visited next. Reversing the children keeps the order of the text.
            unvisitedValues += children.filter { $0.kind == .object || $0.kind == .array }.reversed()
        }
        return references
    }
}

extension JSONDocument {
    /// Returns the elements of an array, or the values of an object's members; empty for a scalar.
    fileprivate func values(in container: JSONValue) -> [JSONValue] {
        values(in: container.slot).map { JSONValue(self, slot: $0) }
    }
}
