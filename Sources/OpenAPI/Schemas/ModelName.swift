/// Names of models.
enum ModelName {
    /// Returns the name of the model that a reference leads to, which other models may have too.
    ///
    ///     #/components/schemas/Pet    Pet       the last key of the pointer
    ///     parts/pet.json              pet       the name of the file, if it is referred to as a whole
    static func baseName(of reference: String) -> String {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count > 1, let key = JSONPointer.tokens(of: parts[1])?.last { return key }
        let file = parts.first?.split(separator: "/").last ?? ""
        let name = file.prefix { $0 != "." }
        return name.isEmpty ? "Model" : String(name)
    }
}
