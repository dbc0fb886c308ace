import EndpointKit

/// The list of APIs in the text of `Catalogue.swift`.
///
/// The list starts with the line that has `apis: [any API.Type] =`. Its elements end before the next line that is `]`.
/// Lists of documents follow, each on a line such as `+ Shop.apis`:
///
///     public static let apis: [any API.Type] =
///         [
///             Movies.self, Places.self,
///         ]
///         + Shop.apis
package struct CatalogueList {
    /// The APIs that a line of the list adds.
    package enum Entry {
        /// The enum of one API.
        case api(String)
        /// The namespace of a document, which has a list of its own.
        case document(String)

        /// The entry as it stands in the list: `Movies.self` or `Shop.apis`.
        package var text: String {
            switch self {
            case .api(let type): type + ".self"
            case .document(let type): type + ".apis"
            }
        }
    }

    private let lines: [String]
    /// The index of the line `]`.
    private let closeIndex: Int
    /// The index of the line after the whole list.
    private let endIndex: Int
    /// The blanks before the line `]`.
    private let indentation: String
    /// The types and lists that are in the list, such as `Movies.self`.
    private let entries: Set<String>

    /// Finds the list of APIs in the text of a Swift file.
    ///
    /// The list begins in the first line with `apis: [any API.Type] =`, and ends with the first line after it that is
    /// `]`. Nil if there is no such line.
    package init?(_ text: String) {
        let lines = text.parts(at: "\n")
        func trimmed(_ line: String) -> Substring { line.drop { $0 == " " } }
        guard let startIndex = lines.firstIndex(where: { $0.firstRange(of: "apis: [any API.Type] =") != nil }),
            let closeIndex = lines[startIndex...].firstIndex(where: { trimmed($0) == "]" })
        else { return nil }
        self.lines = lines
        self.closeIndex = closeIndex
        // Lines such as `+ Shop.apis` after the line `]` belong to the list too.
        endIndex = lines[(closeIndex + 1)...].firstIndex { !trimmed($0).hasPrefix("+ ") } ?? lines.count
        indentation = String(lines[closeIndex].prefix { $0 == " " })
        entries = Set(lines[startIndex..<endIndex].flatMap(Self.entries(in:)))
    }

    /// Returns the types and lists that a line names: `Movies.self, Places.self,` → `Movies.self`, `Places.self`.
    ///
    /// Names in a comment don't count.
    private static func entries(in line: String) -> [String] {
        let comment = line.firstRange(of: "//")?.lowerBound ?? line.endIndex
        let names = line[..<comment].split { !$0.isLetter && !$0.isNumber && !"_.`".contains($0) }
        return names.map(String.init)
    }

    /// Whether the entry is in the list.
    package func contains(_ entry: Entry) -> Bool { entries.contains(entry.text) }

    /// Returns the whole text with one more entry in the list.
    ///
    /// `Movies.self,` is added before the line `]`, and `+ Shop.apis` after the whole list. A text that has the entry
    /// already stays as it is.
    ///
    /// - Returns: The text; nil for an API if the line before `]` ends neither with a comma nor with `[`, so that
    ///   another element can't follow it.
    package func adding(_ entry: Entry) -> String? {
        if contains(entry) { return lines.joined(separator: "\n") }
        var newLines = lines
        switch entry {
        case .api:
            let lineBeforeClose = lines[closeIndex - 1]
            let elementMayFollow = lineBeforeClose.hasSuffix(",") || lineBeforeClose.hasSuffix("[")
            guard elementMayFollow else { return nil }
            newLines.insert("\(indentation)    \(entry.text),", at: closeIndex)
        case .document:
            newLines.insert("\(indentation)+ \(entry.text)", at: endIndex)
        }
        return newLines.joined(separator: "\n")
    }
}
