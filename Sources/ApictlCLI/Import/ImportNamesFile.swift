import APIImport
import JSONText

/// The file of `--names`, in which a person gives names to operations, types and fields of an import.
///
///     {"operations": {"getMovieById": "movie"}, "types": {"Movie2": "Movie"}, "fields": {"vote_average": "rating"}}
///
/// Each member has a name that the import would use, and the name to use in its place.
struct ImportNamesFile {
    /// The tables of the file, by their keys, with the choices that they become.
    private static let tables: [(key: String, choice: WritableKeyPath<ImportChoices, [String: String]> & Sendable)] = [
        ("operations", \.operationNames), ("types", \.typeNames), ("fields", \.fieldNames),
    ]

    private let path: String
    private let json: JSONValue

    /// Reads the file, and checks that it has no other table.
    ///
    /// - Throws: ``UsageError`` for a file that is not JSON or has an unknown key, and ``FileError`` for one that can't
    ///   be read.
    init(_ path: String, _ environment: ProcessEnvironment) throws {
        self.path = path
        let text = try environment.files.readAll(path)
        do {
            json = try JSONValue(text: text)
        } catch {
            throw UsageError.notJSON(error, in: path)
        }
        let keys = Self.tables.map(\.key)
        for (key, _) in json.members ?? [] where !keys.contains(key) {
            throw UsageError("\(path): unknown key '\(key)': expected operations, types or fields")
        }
    }

    /// Adds the names of the file to the choices of an import.
    ///
    /// - Throws: ``UsageError`` for a name that Swift source can't have.
    func add(to choices: inout ImportChoices) throws(UsageError) {
        for (key, choice) in Self.tables {
            for (oldName, value) in json[key]?.members ?? [] {
                let isType = key == "types"
                guard let newName = value.string, Self.isValid(newName, isType: isType) else {
                    let example = isType ? "Movie" : "getMovie"
                    throw UsageError("\(path): \(key).\(oldName): expected a Swift name such as \(example)")
                }
                choices[keyPath: choice][oldName] = newName
            }
        }
    }

    /// Whether swift format accepts a name: types start with an upper-case letter, other names do not, and none has an
    /// underscore.
    private static func isValid(_ name: String, isType: Bool) -> Bool {
        guard SwiftNames.isIdentifier(name), !name.contains("_") else { return false }
        return name.first?.isUppercase == isType
    }
}
