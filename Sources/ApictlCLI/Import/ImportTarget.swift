import APIImport
import EndpointKit

/// The Swift target that an import becomes a part of: all files in and below the directory of its `Catalogue.swift`.
///
/// `Catalogue.swift` is the file with the list of all APIs of the target.
struct ImportTarget {
    /// The target's directory with a slash at its end; empty for the current one.
    let path: String
    /// The names of the Swift files that the import does not write. A target can't have two files with the same name.
    let fileNames: Set<String>
    /// The names that new types can't have: those of the files in ``fileNames``, and of the types that these declare.
    let takenTypeNames: Set<String>
    /// The names of the APIs in the files of ``fileNames``.
    let apiNames: Set<String>
    /// The list of APIs; nil if `Catalogue.swift` has none that can be recognized.
    private let catalogue: CatalogueList?

    /// The directory of samples, which `Package.swift` embeds, with a slash at its end.
    var samplesDirectory: String { path + "Samples/" }

    /// Finds the target: the nearest directory at or above a path that has a `Catalogue.swift`. Nil if there is none.
    ///
    /// - Parameters:
    ///   - importPath: The directory or the Swift file that the import writes.
    ///   - files: The file system.
    init?(of importPath: String, _ files: any FileSystem) {
        let isFile = importPath.hasSuffix(".swift")
        var directory = isFile ? FilePlace.directory(of: importPath) : importPath + "/"
        var catalogue = try? files.readAll(directory + "Catalogue.swift")
        while catalogue == nil, let parent = Self.parent(of: directory) {
            directory = parent
            catalogue = try? files.readAll(directory + "Catalogue.swift")
        }
        guard let catalogue else { return nil }
        path = directory
        self.catalogue = CatalogueList(String(exactBytes: catalogue))
        let otherFiles = files.swiftFiles(below: directory).filter { file in
            file != importPath && !file.hasPrefix(importPath + "/")
        }
        fileNames = Set(otherFiles.map { String($0.split(separator: "/").last ?? "") })
        // A new model gets a file with its name, and a target can't have two files with the same name.
        let typesNamedAsFiles = fileNames.map { String($0.dropLast(".swift".count)) }
        takenTypeNames = files.typeNames(in: otherFiles).union(typesNamedAsFiles)
        apiNames = files.apiNames(in: otherFiles)
    }

    /// Returns the directory around a directory: `Sources/` for `Sources/Shop/`, and an empty path for `Sources/`.
    ///
    /// - Parameter directory: The path of the directory, with a slash at its end.
    /// - Returns: The directory around it; nil if the path does not name it, as for `../` and the empty path.
    private static func parent(of directory: String) -> String? {
        let name = directory.dropLast().split(separator: "/").last
        guard let name, name != ".", name != ".." else { return nil }
        return FilePlace.directory(of: String(directory.dropLast()))
    }

    /// Whether the list of APIs has an entry.
    func lists(_ entry: CatalogueList.Entry) -> Bool { catalogue?.contains(entry) ?? false }

    /// Returns the change of `Catalogue.swift` that adds an entry to its list.
    ///
    /// - Returns: The change; nil if the list has another layout than ``CatalogueList`` knows.
    func adding(_ entry: CatalogueList.Entry) -> ImportOutput.FileChange? {
        guard let text = catalogue?.adding(entry) else { return nil }
        return ImportOutput.FileChange(path: path + "Catalogue.swift", bytes: text.exactBytes)
    }
}

extension FileSystem {
    /// Returns the paths of the Swift files in a directory.
    ///
    /// - Parameter directory: The directory, whose path ends with a slash or is empty. It need not exist.
    func swiftFiles(in directory: String) -> [String] {
        names(in: directory).filter { $0.hasSuffix(".swift") }.map { directory + $0 }
    }

    /// Returns the paths of the Swift files in a directory and in the directories below it, except in hidden ones.
    func swiftFiles(below directory: String) -> [String] {
        let subdirectories = names(in: directory, directories: true).map { directory + $0 + "/" }
        return swiftFiles(in: directory) + subdirectories.flatMap(swiftFiles(below:))
    }

    /// Returns the names of the files in a directory, or of the directories in it.
    ///
    /// - Parameters:
    ///   - directory: The directory, whose path ends with a slash or is empty. One that can't be read counts as empty.
    ///   - directories: Whether the names are those of directories instead of files.
    func names(in directory: String, directories: Bool = false) -> [String] {
        let path = directory.isEmpty ? "." : String(directory.dropLast())
        return (try? list(path, directories: directories)) ?? []
    }

    /// Returns the names of the types that Swift files declare, without types inside another type. Files that can't be
    /// read are skipped.
    func typeNames(in paths: [String]) -> Set<String> {
        let sources = paths.compactMap { try? readAll($0) }.map { String(exactBytes: $0) }
        return Set(sources.flatMap { SwiftFile($0).typeNames(includesNested: false) })
    }

    /// Returns the names of the APIs in Swift files, as `APIInfo(name: "movies", …)` declares them. Files that can't be
    /// read are skipped.
    func apiNames(in paths: [String]) -> Set<String> {
        let sources = paths.compactMap { try? readAll($0) }.map { String(exactBytes: $0) }
        return Set(sources.flatMap { DeclaredAPIInfo.all(in: $0) }.compactMap(\.name))
    }
}
