import APIImport
import JSONText

/// The file of `--names`, in which a person gives names to operations, types and fields of an import.
///
///     {"operations": {"getMovieById": "movie"}, "types": {"Movie2": "Movie"}, "fields": {"vote_average": "rating"}}
///
/// Each member has a name that the import would use, and the name to use in its place.
struct ImportNamesFile {
    /// A member of the file: a table of names.
    private struct NameTable: Sendable {
        let key: String
        /// Whether the names are those of types, which start with an upper-case letter.
        let isOfTypes: Bool
        /// The names in the choices of an import to which the table is added.
        let chosenNames: WritableKeyPath<ImportChoices, [String: String]> & Sendable
    }

    /// The tables that the file may have.
    private static let tables = [
        NameTable(key: "operations", isOfTypes: false, chosenNames: \.operationNames),
        NameTable(key: "types", isOfTypes: true, chosenNames: \.typeNames),
        NameTable(key: "fields", isOfTypes: false, chosenNames: \.fieldNames),
    ]

    private let path: String
    private let json: JSONValue

    /// Reads the file, and checks that it has no member but the known tables of names.
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
        let knownKeys = Self.tables.map(\.key)
        for (key, _) in json.members ?? [] where !knownKeys.contains(key) {
            throw UsageError("\(path): unknown key '\(key)': expected operations, types or fields")
        }
    }

    /// Adds the names of the file to the choices of an import.
    ///
    /// - Throws: ``UsageError`` for a name that Swift source can't have.
    func add(to choices: inout ImportChoices) throws(UsageError) {
        for table in Self.tables {
            for (oldName, value) in json[table.key]?.members ?? [] {
                guard let newName = value.string, Self.isValid(newName, isType: table.isOfTypes) else {
                    let example = table.isOfTypes ? "Movie" : "getMovie"
                    throw UsageError("\(path): \(table.key).\(oldName): expected a Swift name such as \(example)")
                }
                choices[keyPath: table.chosenNames][oldName] = newName
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
