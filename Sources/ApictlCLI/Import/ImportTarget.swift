import APIImport
import EndpointKit

/// The Swift target that an import becomes a part of: what is in and below the directory of its `Catalogue.swift`.
struct ImportTarget {
    /// The directory of samples, which `Package.swift` embeds, with a slash at its end.
    var samplesDirectory: String { directory + "Samples/" }
    /// The names of the Swift files that are not the import's own. A target can have one file of each name.
    let fileNames: Set<String>
    /// The names of those files and of the types that they declare.
    let names: Set<String>
    /// The names of the APIs in those files.
    let apiNames: Set<String>

    /// The target's directory with a slash at its end; empty for the current one.
    private let directory: String
    private let catalogue: CatalogueList?

    /// Finds the target in the nearest directory at or above `path` that has a `Catalogue.swift`; nil if there is none.
    ///
    /// - Parameter path: The directory or the file that the import writes.
    init?(of path: String, _ files: any FileSystem) {
        var directory = path.hasSuffix(".swift") ? FilePlace.directory(of: path) : path + "/"
        var catalogue = try? files.readAll(directory + "Catalogue.swift")
        while catalogue == nil, let parent = Self.parent(of: directory) {
            directory = parent
            catalogue = try? files.readAll(directory + "Catalogue.swift")
        }
        guard let catalogue else { return nil }
        self.directory = directory
        self.catalogue = CatalogueList(String(exactBytes: catalogue))
        let others = files.swiftFiles(below: directory).filter { $0 != path && !$0.hasPrefix(path + "/") }
        fileNames = Set(others.map { String($0.split(separator: "/").last ?? "") })
        names = files.typeNames(in: others).union(fileNames.map { String($0.dropLast(".swift".count)) })
        apiNames = files.apiNames(in: others)
    }

    /// Returns the directory around a directory; nil if the path does not name it. Both have a slash at their ends.
    private static func parent(of directory: String) -> String? {
        let name = directory.dropLast().split(separator: "/").last
        guard let name, name != ".", name != ".." else { return nil }
        return FilePlace.directory(of: String(directory.dropLast()))
    }

    /// Whether the list of APIs has an entry.
    func lists(_ entry: CatalogueList.Entry) -> Bool { catalogue?.contains(entry) ?? false }

    /// Returns `Catalogue.swift` with an entry in its list; nil if the list has another layout than ``CatalogueList``.
    func adding(_ entry: CatalogueList.Entry) -> (path: String, text: String)? {
        catalogue?.adding(entry).map { (directory + "Catalogue.swift", $0) }
    }
}

extension FileSystem {
    /// Returns the Swift files in a directory, whose path ends with a slash or is empty. The directory need not exist.
    func swiftFiles(in directory: String) -> [String] {
        names(in: directory).filter { $0.hasSuffix(".swift") }.map { directory + $0 }
    }

    /// Returns the Swift files in a directory and in those below it, except in hidden ones.
    func swiftFiles(below directory: String) -> [String] {
        swiftFiles(in: directory)
            + names(in: directory, directories: true).flatMap { swiftFiles(below: directory + $0 + "/") }
    }

    /// Returns the names of the files or directories in a directory, whose path ends with a slash or is empty. The
    /// directory need not exist.
    func names(in directory: String, directories: Bool = false) -> [String] {
        let path = directory.isEmpty ? "." : String(directory.dropLast())
        return (try? list(path, directories: directories)) ?? []
    }

    /// Returns the names of the types that Swift files declare, without those inside another type.
    func typeNames(in files: [String]) -> Set<String> {
        files.compactMap { try? readAll($0) }.reduce(into: []) { names, text in
            names.formUnion(SwiftFile(String(exactBytes: text)).typeNames(includesNested: false))
        }
    }

    /// Returns the names that APIs in Swift files have.
    func apiNames(in files: [String]) -> Set<String> {
        let texts = files.compactMap { try? readAll($0) }.map { String(exactBytes: $0) }
        return Set(
            texts.flatMap { $0.split(separator: "static let name = \"", omittingEmptySubsequences: false).dropFirst() }
                .map { String($0.prefix { $0 != "\"" }) })
    }
}
