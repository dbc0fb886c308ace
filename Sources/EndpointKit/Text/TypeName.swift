/// Names of types as they are written in Swift code: `[Issue]`, `Page<[String: Int]>`, `Int?`.
package enum TypeName {
    /// Returns the name of a type as Swift code writes it: `[Int]` for `Array<Int>`.
    package static func text(of type: any Any.Type) -> String {
        // `String(describing:)` returns the same text, but is slower because it looks for conformances first.
        let runtimeName = _typeName(type, qualified: false)
        let isGeneric = runtimeName.utf8.contains(UInt8(ascii: "<"))
        guard isGeneric else { return runtimeName }
        var unreadText = Substring(runtimeName)
        let name = readName(from: &unreadText)
        // A name of another form, such as that of a function type, stays as it is.
        return unreadText.isEmpty ? name : runtimeName
    }

    /// Reads the name of a type, with its generic arguments, as the runtime spells it.
    ///
    ///     Dictionary<String, Array<Int>>    →    [String: [Int]]
    ///     Optional<Int>                     →    Int?
    ///
    /// - Parameter unreadText: The text from the name on. The name is removed from it.
    /// - Returns: The name as Swift code writes it.
    private static func readName(from unreadText: inout Substring) -> String {
        let typeName = unreadText.prefix { !"<>,".contains($0) }
        unreadText.removeFirst(typeName.count)
        guard unreadText.first == "<" else { return String(typeName) }
        var arguments: [String] = []
        repeat {
            // The `<` before the first argument, or the comma before a later one.
            unreadText.removeFirst()
            if unreadText.first == " " { unreadText.removeFirst() }
            arguments.append(readName(from: &unreadText))
        } while unreadText.first == ","
        if unreadText.first == ">" { unreadText.removeFirst() }
        return swiftName(of: typeName, arguments: arguments)
    }

    /// Returns the name of a generic type with its arguments as Swift code writes it: `[Int]` for `Array` and `Int`.
    private static func swiftName(of typeName: Substring, arguments: [String]) -> String {
        switch (typeName, arguments.count) {
        case ("Array", 1): return "[\(arguments[0])]"
        case ("Dictionary", 2): return "[\(arguments[0]): \(arguments[1])]"
        case ("Optional", 1): return arguments[0] + "?"
        default: return "\(typeName)<\(arguments.joined(separator: ", "))>"
        }
    }
}
