/// Names of types as they are written in Swift code: `[Issue]`, `Page<[String: Int]>`, `Int?`.
package enum TypeName {
    /// Returns the name of a type as Swift code writes it: `[Int]` for `Array<Int>`.
    package static func text(of type: any Any.Type) -> String {
        // The text of `String(describing:)`, which looks through all conformances of a type's type first.
        let described = _typeName(type, qualified: false)
        guard described.utf8.contains(UInt8(ascii: "<")) else { return described }
        var unread = Substring(described)
        let name = readName(from: &unread)
        // Names of a form not known here, such as those of functions, stay as they are.
        return unread.isEmpty ? name : described
    }

    /// Reads the name of a type, with its generic arguments, as the runtime spells it.
    ///
    ///     Dictionary<String, Array<Int>>    →    [String: [Int]]
    ///     Optional<Int>                     →    Int?
    ///
    /// - Parameter unread: Starts with the name, which is removed. What follows it stays.
    /// - Returns: The name as Swift code writes it.
    private static func readName(from unread: inout Substring) -> String {
        let typeName = unread.prefix { !"<>,".contains($0) }
        unread.removeFirst(typeName.count)
        guard unread.first == "<" else { return String(typeName) }
        var arguments: [String] = []
        repeat {
            // The `<` before the first argument, or the comma before a later one.
            unread.removeFirst()
            if unread.first == " " { unread.removeFirst() }
            arguments.append(readName(from: &unread))
        } while unread.first == ","
        if unread.first == ">" { unread.removeFirst() }
        return swiftSpelling(of: typeName, arguments)
    }

    /// Returns the name of a generic type with its arguments: `[Int]` for `Array` and `Int`.
    private static func swiftSpelling(of typeName: Substring, _ arguments: [String]) -> String {
        switch (typeName, arguments.count) {
        case ("Array", 1): return "[\(arguments[0])]"
        case ("Dictionary", 2): return "[\(arguments[0]): \(arguments[1])]"
        case ("Optional", 1): return arguments[0] + "?"
        default: return "\(typeName)<\(arguments.joined(separator: ", "))>"
        }
    }
}
