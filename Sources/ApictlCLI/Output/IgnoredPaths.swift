import EndpointKit
import JSONText

/// The paths of `--ignore`: parts of responses that are not compared.
struct IgnoredPaths: Sendable {
    private struct Path: Sendable {
        /// The path as it was given.
        let word: SourcedText
        let path: JSONPath
    }

    private let paths: [Path]

    var isEmpty: Bool { paths.isEmpty }

    /// Reads the values of `--ignore`.
    ///
    /// - Throws: ``UsageError`` for a value that is no path.
    init(_ words: [SourcedText]) throws(UsageError) {
        var paths: [Path] = []
        for word in words { paths.append(Path(word: word, path: try JSONPath(word, option: "--ignore"))) }
        self.paths = paths
    }

    /// Returns a document without the values that the paths select; null if one of them selects the whole document.
    func removed(from document: JSONDocument) throws -> JSONValue {
        var slots: Set<Int> = []
        for path in paths {
            try path.path.select(in: document) { slot in
                slots.insert(slot)
                return true
            }
        }
        return slots.contains(JSONDocument.root) ? nil : JSONValue(document.without(slots))
    }

    /// Writes a note for each path that selects nothing in any of the documents: it may be misspelled.
    ///
    /// - Parameters:
    ///   - documents: The documents.
    ///   - model: The model of the documents. A path with a name that it does not have is an error in place of a note.
    ///   - output: The output of the notes; nil for none.
    /// - Throws: ``UsageError``, and the error of the output.
    func noteUnused(in documents: [JSONDocument], of model: SelectableModel? = nil, on output: (any ByteOutput)?) throws
    {
        for path in paths {
            let isUsed = try documents.contains { try path.path.firstValue(in: $0) != nil }
            if isUsed { continue }
            try model?.check(path.path, option: "--ignore", path.word.source)
            try output?.write("note: --ignore '\(path.word.text.safeToShow)' selects nothing\n")
        }
    }

    /// Returns the option `--ignore PATH`, which can be given several times.
    ///
    /// - Parameter append: Adds a value to the options of the command.
    static func option<Options>(
        _ append: @escaping @Sendable (inout Options, SourcedText) -> Void
    ) -> Option<Options> {
        Option("ignore", .word("PATH"), "leave out what --select PATH would find; repeatable", set: append)
    }
}
