import APIImport
import EndpointKit

/// The types in the Swift files of a directory into which an API is imported, which may hold an earlier import.
///
/// After an import under another name, both APIs are in the directory, and must compile together. Only the files of the
/// API that is imported again may be overwritten.
struct DirectoryTypes {
    private struct SourceFile {
        let path: String
        /// The types that the file declares, without types inside another type.
        let types: Set<String>
        /// The names of the APIs that the file declares, such as `shop`.
        let apiNames: Set<String>
        /// The words of the file, among them the types that it uses.
        let words: Set<String>
    }

    private let sources: [SourceFile]

    /// Reads the Swift files in and below a directory. Files that can't be read are skipped.
    init(in directory: String, _ files: any FileSystem) {
        sources = files.swiftFiles(below: directory + "/").compactMap { path in
            guard let bytes = try? files.readAll(path) else { return nil }
            let text = String(exactBytes: bytes)
            return SourceFile(
                path: path, types: SwiftFile(text).typeNames(includesNested: false),
                apiNames: files.apiNames(in: [path]), words: Self.words(of: text))
        }
    }

    /// Returns the words of Swift source outside of comment lines and string literals: a summary `"Pet"` is no type.
    ///
    /// The words may include more than types. A word that is no type of the directory has no effect later.
    private static func words(of source: String) -> Set<String> {
        var words: Set<String> = []
        for line in source.utf8.split(separator: UInt8(ascii: "\n")) {
            let isComment = line.drop(while: { $0 == UInt8(ascii: " ") }).starts(with: "//".utf8)
            if isComment { continue }
            let parts = line.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            for (index, part) in parts.enumerated() {
                // A line is divided at its quotes, so that every second part is inside a string literal.
                let isInLiteral = index % 2 == 1
                if isInLiteral { continue }
                for word in part.split(whereSeparator: { !isInIdentifier($0) }) {
                    words.insert(String(Substring(word)))
                }
            }
        }
        return words
    }

    /// Whether a byte of UTF-8 may be part of a Swift identifier: a letter, a digit, an underscore, or any character
    /// outside of ASCII.
    private static func isInIdentifier(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    /// The names of the APIs in the directory.
    var apiNames: Set<String> { sources.reduce(into: []) { $0.formUnion($1.apiNames) } }

    /// Returns the types that other APIs of the directory need, so that an import must not overwrite them.
    ///
    /// These are the types that the files of other APIs declare, the types that these files name, the types that their
    /// declarations name, and so on.
    ///
    /// - Parameter importedAPI: The name of the API that is imported, whose own types may be overwritten.
    func typesNeeded(byAPIsOtherThan importedAPI: String) -> Set<String> {
        // Only files without an API, such as models, are shared between APIs.
        var sharedFilesByType: [String: [Int]] = [:]
        for (index, source) in sources.enumerated() where source.apiNames.isEmpty {
            for type in source.types { sharedFilesByType[type, default: []].append(index) }
        }
        // A depth-first search through the graph of files, from the files of other APIs to those whose types they name.
        var filesToVisit = sources.indices.filter { index in
            let names = sources[index].apiNames
            return !names.isEmpty && !names.contains(importedAPI)
        }
        var reachedFiles = Set(filesToVisit)
        var neededTypes: Set<String> = []
        while let file = filesToVisit.popLast() {
            neededTypes.formUnion(sources[file].types)
            for word in sources[file].words {
                for sharedFile in sharedFilesByType[word] ?? [] where !reachedFiles.contains(sharedFile) {
                    reachedFiles.insert(sharedFile)
                    filesToVisit.append(sharedFile)
                }
            }
        }
        return neededTypes
    }

    /// Checks that new files can be compiled together with the other files of the directory.
    ///
    /// No two files may declare the same type. SwiftPM does not accept two files with the same name in one target, not
    /// even in different directories.
    ///
    /// - Parameter newFiles: The files that an import writes. Files that exist at their paths are replaced.
    /// - Throws: ``UsageError`` that names both files.
    func refuseConflicts(with newFiles: [(path: String, text: [UInt8])]) throws(UsageError) {
        let newPaths = Set(newFiles.map(\.path))
        let otherFiles = sources.filter { !newPaths.contains($0.path) }
        for newFile in newFiles {
            let newTypes = SwiftFile(String(exactBytes: newFile.text)).typeNames(includesNested: false)
            for other in otherFiles {
                if let type = other.types.intersection(newTypes).min() {
                    throw UsageError(
                        "\(other.path) has \(type), as \(newFile.path) would: remove it, or choose another --name")
                }
                if Self.comparableName(of: other.path) == Self.comparableName(of: newFile.path) {
                    throw UsageError(
                        "\(other.path) and \(newFile.path) can't be in one target: "
                            + "remove one, or choose another --name")
                }
            }
        }
    }

    /// Returns the name of the file at a path in lower case, because on macOS `Pet.swift` and `pet.swift` are one file.
    private static func comparableName(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return name.lowercased()
    }
}
