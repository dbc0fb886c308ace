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
            guard let text = (try? files.readAll(path)).map({ String(exactBytes: $0) }) else { return nil }
            return SourceFile(
                path: path, types: SwiftFile(text).typeNames(includesNested: false),
                apiNames: files.apiNames(in: [path]), words: Self.words(of: text))
        }
    }

    /// Returns the words of Swift source outside of comments and string literals: a summary `"Pet"` is no type.
    private static func words(of source: String) -> Set<String> {
        var words: Set<String> = []
        for line in source.utf8.split(separator: UInt8(ascii: "\n")) {
            if line.drop(while: { $0 == UInt8(ascii: " ") }).starts(with: "//".utf8) { continue }
            let parts = line.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            for (index, part) in parts.enumerated() where index % 2 == 0 {
                let found = part.split { !$0.isLetterOrDigit && $0 != UInt8(ascii: "_") && $0 < 0x80 }
                words.formUnion(found.map { String(Substring($0)) })
            }
        }
        return words
    }

    /// The names of the APIs in the directory.
    var apiNames: Set<String> { sources.reduce(into: []) { $0.formUnion($1.apiNames) } }

    /// Returns the types that other APIs of the directory need: those that their files declare or name, and the types
    /// that these name. An import must not overwrite them.
    ///
    /// - Parameter name: The name of the API that is imported, whose own types may be overwritten.
    func used(byOtherAPIsThan name: String) -> Set<String> {
        var declaring: [String: [Int]] = [:]
        for (index, source) in sources.enumerated() where source.apiNames.isEmpty {
            for type in source.types { declaring[type, default: []].append(index) }
        }
        var open = sources.indices.filter { !sources[$0].apiNames.isEmpty && !sources[$0].apiNames.contains(name) }
        var visited = Set(open)
        var used: Set<String> = []
        while let index = open.popLast() {
            used.formUnion(sources[index].types)
            for word in sources[index].words {
                open += (declaring[word] ?? []).filter { visited.insert($0).inserted }
            }
        }
        return used
    }

    /// Checks that no type of new files is declared in another file of the directory, and that no other file has the same
    /// name, which SwiftPM does not accept.
    ///
    /// - Throws: ``UsageError`` that names both files.
    func checkNew(_ files: [(path: String, text: [UInt8])]) throws(UsageError) {
        let paths = Set(files.map(\.path))
        let others = sources.filter { !paths.contains($0.path) }
        for file in files {
            let types = SwiftFile(String(exactBytes: file.text)).typeNames(includesNested: false)
            let name = Self.name(file.path)
            for other in others {
                if let type = other.types.intersection(types).min() {
                    throw UsageError(
                        "\(other.path) has \(type), as \(file.path) would: remove it, or choose another --name")
                }
                if Self.name(other.path) == name {
                    throw UsageError(
                        "\(other.path) and \(file.path) can't be in one target: remove one, or choose another --name")
                }
            }
        }
    }

    /// Returns the name of a file in lower case, because files of names that differ in case only are one file on macOS.
    private static func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "").lowercased() }
}
