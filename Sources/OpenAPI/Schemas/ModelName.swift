/// Finds names for models.
package enum ModelName {
    /// Returns the name of the model that a reference names. Other models may have the same name.
    ///
    ///     #/components/schemas/Pet    →  Pet
    ///     parts/pet.json              →  pet
    ///     #                           →  Model
    ///
    /// - Parameter reference: The text of the `$ref`.
    package static func baseName(of reference: String) -> String {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count > 1, let key = JSONPointer.tokens(of: parts[1])?.last { return key }
        let file = parts.first?.split(separator: "/").last ?? ""
        let name = file.prefix { $0 != "." }
        return name.isEmpty ? "Model" : String(name)
    }
}
