import JSONText

/// Gives each model a name of its own.
struct ModelNames {
    private var taken: Set<String> = []
    /// The number that was appended last to each name, so that many equal names are not counted from the start.
    private var numbers: [String: Int] = [:]

    /// Returns the key of a named schema, such as `Pet`, with a number if another model is called so: `Pet 2`.
    mutating func name(of schema: JSONValue) -> String {
        let key = schema.document.keyText(of: schema.slot) ?? "Model"
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
}

extension JSONDocument {
    /// Returns the key of a member, given the slot of its value; nil for an element and for the whole document.
    fileprivate func keyText(of slot: Int) -> String? {
        guard case .key(let key)? = path(to: slot).last else { return nil }
        return key
    }
}
