import EndpointKit
import JSONText

/// The paths of `--ignore`: parts of responses that are not compared.
struct IgnoredPaths: Sendable {
    /// A value of `--ignore`.
    private struct IgnoredPath: Sendable {
        /// The path as it was given, for messages.
        let word: SourcedText
        let path: JSONPath
    }

    private let ignoredPaths: [IgnoredPath]

    var isEmpty: Bool { ignoredPaths.isEmpty }

    /// Reads the values of `--ignore`.
    ///
    /// - Throws: ``UsageError`` for a value that is no path.
    init(_ words: [SourcedText]) throws(UsageError) {
        var ignoredPaths: [IgnoredPath] = []
        for word in words {
            ignoredPaths.append(IgnoredPath(word: word, path: try JSONPath(word, option: "--ignore")))
        }
        self.ignoredPaths = ignoredPaths
    }

    /// Returns a document without the values that the paths select.
    ///
    /// - Returns: The rest of the document; null if a path selects the whole document.
    /// - Throws: `JSONPathLimit`.
    func removed(from document: JSONDocument) throws -> JSONValue {
        // A slot is the position of a value in the document.
        var slots: Set<Int> = []
        for ignored in ignoredPaths {
            try ignored.path.select(in: document) { slot in
                slots.insert(slot)
                // True goes on to the next value.
                return true
            }
        }
        let isWholeDocument = slots.contains(JSONDocument.root)
        return isWholeDocument ? .null : JSONValue(document.without(slots))
    }

    /// Writes a note for each path that selects nothing in any of the documents: it may be misspelled.
    ///
    /// - Parameters:
    ///   - documents: The documents.
    ///   - model: The model of the documents; nil if it is not known. A path with a name that the model does not have
    ///     is an error in place of a note.
    ///   - output: The output of the notes; nil to write none.
    /// - Throws: ``UsageError`` for a name that the model does not have, and the error of the output.
    func noteUnused(
        in documents: [JSONDocument], of model: SelectableModel? = nil, on output: (any ByteOutput)?
    ) throws {
        for ignored in ignoredPaths {
            let isUsed = try documents.contains { try ignored.path.firstValue(in: $0) != nil }
            if isUsed { continue }
            try model?.check(ignored.path, option: "--ignore", ignored.word.source)
            try output?.write("note: --ignore '\(ignored.word.text.safeToShow)' selects nothing\n")
        }
    }

    /// Returns the declaration of the option `--ignore PATH`, which can be given several times.
    ///
    /// - Parameter append: Adds a value of the option to the options of the command.
    static func option<Options>(
        _ append: @escaping @Sendable (inout Options, SourcedText) -> Void
    ) -> Option<Options> {
        Option("ignore", .word("PATH"), "leave out what --select PATH would find; repeatable", set: append)
    }
}
