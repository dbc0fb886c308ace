/// The arguments of one parameter, and of the fields below it.
final class ArgumentTree {
    let path: [String]
    /// How the API writes dates and JSON.
    let coding: Coding
    /// The values given for the parameter itself, in order.
    private(set) var arguments: [Argument] = []
    /// The values given for its fields.
    private(set) var fields: [String: ArgumentTree] = [:]

    init(path: [String] = [], _ coding: Coding) {
        self.path = path
        self.coding = coding
    }

    convenience init(_ arguments: [Argument], _ coding: Coding) {
        self.init(coding)
        for argument in arguments { add(argument) }
    }

    private func add(_ argument: Argument) {
        var node = self
        for name in argument.path {
            let child = node.fields[name] ?? ArgumentTree(path: node.path + [name], coding)
            node.fields[name] = child
            node = child
        }
        node.arguments.append(argument)
    }

    /// The position of the first argument given here or below.
    var position: Int? {
        arguments.first?.position ?? fieldPosition
    }

    /// The position of the first argument given below.
    var fieldPosition: Int? { fields.values.compactMap(\.position).min() }

    /// The same node with `argument` alone, for an element of a list.
    func only(_ argument: Argument) -> ArgumentTree {
        let tree = ArgumentTree(path: path, coding)
        tree.arguments = [argument]
        return tree
    }

    /// The fields in the order of their names, which are `0`, `1` and so on. Throws ``ArgumentError`` if one of these is not there.
    func numberedFields() throws(ArgumentError) -> [ArgumentTree] {
        var elements: [ArgumentTree] = []
        for index in 0..<fields.count {
            guard let element = fields[String(index)] else {
                let others = fields.keys.filter { name in !(0..<index).contains { String($0) == name } }
                throw .invalid(
                    path, text: others.min() ?? "", expected: "\(index) as the next position", position: fieldPosition)
            }
            elements.append(element)
        }
        return elements
    }

    /// The argument of a parameter that takes exactly one. Throws ``ArgumentError`` if there are none or several.
    func single() throws(ArgumentError) -> Argument {
        guard let first = arguments.first else { throw .missing([path]) }
        if arguments.count > 1 { throw .repeated(path, position: arguments[1].position) }
        return first
    }
}
