/// Gives each model a name of its own.
struct ModelNames {
    private var taken: Set<String> = []
    /// The number that was appended last to each name, so that many equal names are not counted from the start.
    private var numbers: [String: Int] = [:]

    /// Returns a name that was not returned before: `Pet`, and `Pet 2` if another model is called so.
    mutating func name(_ baseName: String) -> String {
        if taken.insert(baseName).inserted { return baseName }
        var number = numbers[baseName] ?? 1
        var name: String
        repeat {
            number += 1
            name = "\(baseName) \(number)"
        } while !taken.insert(name).inserted
        numbers[baseName] = number
        return name
    }

    /// Returns the last key of a reference, or the name of the file without directories and extensions if it is a
    /// whole file: `Pet` for `#/components/schemas/Pet`, and `pet` for `parts/pet.json`.
    static func baseName(_ reference: String) -> String {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count > 1, let key = JSONPointer.tokens(of: parts[1])?.last { return key }
        let file = parts.first?.split(separator: "/").last ?? ""
        let name = file.prefix { $0 != "." }
        return name.isEmpty ? "Model" : String(name)
    }
}
