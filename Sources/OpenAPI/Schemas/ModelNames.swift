/// Gives each model a name of its own.
struct ModelNames {
    private var taken: Set<String> = []
    /// The number that was appended last to each name, so that many equal names are not counted from the start.
    private var numbers: [String: Int] = [:]

    /// Returns the name of a model: `Pet` for `#/components/schemas/Pet`, and `Pet 2` if another model is called so.
    ///
    /// - Parameter reference: The text of the `$ref` that names the schema.
    mutating func name(_ reference: String) -> String {
        let fragment = reference.split(separator: "#", maxSplits: 1).last ?? ""
        let key = JSONPointer.tokens(of: fragment)?.last ?? Self.fileName(reference)
        if taken.insert(key).inserted { return key }
        var number = numbers[key] ?? 1
        var name: String
        repeat {
            number += 1
            name = "\(key) \(number)"
        } while !taken.insert(name).inserted
        numbers[key] = number
        return name
    }

    /// Returns the name of a file without its directories and what follows the first dot: `pet` for `parts/pet.json`.
    private static func fileName(_ reference: String) -> String {
        let file = reference.prefix { $0 != "#" }.split(separator: "/").last ?? ""
        let name = file.prefix { $0 != "." }
        return name.isEmpty ? "Model" : String(name)
    }
}
