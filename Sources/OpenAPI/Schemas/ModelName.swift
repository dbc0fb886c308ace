/// Names of models.
package enum ModelName {
    /// Returns the name of the model that a reference leads to. Other models may have the same name.
    ///
    ///     #/components/schemas/Pet    Pet       the last key of the pointer
    ///     parts/pet.json              pet       the name of the file, if it is referred to as a whole
    ///
    /// - Parameter reference: The text of `$ref`.
    /// - Returns: The name; `Model` if the reference has none.
    package static func baseName(of reference: String) -> String {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count > 1, let key = JSONPointer.tokens(of: parts[1])?.last { return key }
        let file = parts.first?.split(separator: "/").last ?? ""
        let name = file.prefix { $0 != "." }
        return name.isEmpty ? "Model" : String(name)
    }
}
