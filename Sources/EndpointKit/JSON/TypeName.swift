/// Names of types as they are written in Swift code: `[Issue]`, `Page<[String: Int]>`, `Int?`.
package enum TypeName {
    package static func text(of type: any Any.Type) -> String {
        // The text of `String(describing:)`, which looks through all conformances of a type's type first.
        let described = _typeName(type, qualified: false)
        guard described.utf8.contains(UInt8(ascii: "<")) else { return described }
        var rest = Substring(described)
        let name = name(&rest)
        // Names of a form not known here, such as those of functions, stay as they are.
        return rest.isEmpty ? name : described
    }

    /// Takes a type's name, with its generic arguments, from the start of `rest`, and returns it as Swift code writes
    /// it.
    ///
    ///     Dictionary<String, Array<Int>>    →    [String: [Int]]
    ///     Optional<Int>                     →    Int?
    ///
    /// - Parameter rest: The text. Only what follows the name is left in it.
    private static func name(_ rest: inout Substring) -> String {
        let word = rest.prefix { !"<>,".contains($0) }
        rest.removeFirst(word.count)
        guard rest.first == "<" else { return String(word) }
        var arguments: [String] = []
        repeat {
            rest.removeFirst()
            if rest.first == " " { rest.removeFirst() }
            arguments.append(name(&rest))
        } while rest.first == ","
        if rest.first == ">" { rest.removeFirst() }
        switch (word, arguments.count) {
        case ("Array", 1): return "[\(arguments[0])]"
        case ("Dictionary", 2): return "[\(arguments[0]): \(arguments[1])]"
        case ("Optional", 1): return arguments[0] + "?"
        default: return "\(word)<\(arguments.joined(separator: ", "))>"
        }
    }
}
