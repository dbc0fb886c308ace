import EndpointKit
import JSONText

/// A file of `check --cases` that has been decoded.
struct DecodedCaseFile: Sendable {
    let document: StrictDocument<CaseFile>
    /// The number of the file among the files of the run, from 0. A file that is included twice has two numbers.
    let number: Int
    /// The text before the names of cases, which tells them from those of other files; empty for the only file.
    let namePrefix: String
    /// The paths of this file and of those that include it, without symbolic links. A file that includes itself is
    /// found by them.
    let includePaths: [String]

    /// A list of cases in a file.
    enum Section: String, Sendable, CaseIterable {
        case setup, cases, cleanup

        /// The word before the number of a case without a name: `case 3`.
        var word: String { self == .cases ? "case" : rawValue }
    }

    /// Returns the cases of a section in the order of the file. Each has its decoded content, and its JSON, which knows
    /// its place in the file.
    func entries(of section: Section) -> [CaseEntry] {
        let decodedCases =
            switch section {
            case .setup: document.content.setup ?? []
            case .cases: document.content.cases
            case .cleanup: document.content.cleanup ?? []
            }
        // A section without cases may be missing in the file, and then has no JSON.
        if decodedCases.isEmpty { return [] }
        let sectionJSON = document.value(at: [.key(section.rawValue)])
        // The decoded cases and those in JSON are the same elements of the file, in the same order.
        let jsonCases = sectionJSON.list
        let lineNumbers = Self.lineNumbers(of: jsonCases, in: sectionJSON.document)
        return decodedCases.indices.map { index in
            CaseEntry(
                file: self, section: section, index: index, lineNumber: lineNumbers[index],
                content: decodedCases[index], json: jsonCases[index])
        }
    }

    /// Returns the lines where values start, from 1. All of them are found in one pass over the text, because each
    /// search for a line begins at the start of the text.
    private static func lineNumbers(of values: [JSONValue], in document: JSONDocument) -> [Int] {
        let offsets = values.map { document.range(of: $0.slot).lowerBound }
        return document.positions(of: offsets).map(\.line)
    }
}
