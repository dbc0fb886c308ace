/// The arguments of one parameter, and of the fields below it.
final class ArgumentTree {
    let path: [String]
    /// What was given for the parameter itself, in order.
    private(set) var arguments: [Argument] = []
    /// What was given for its fields.
    private(set) var fields: [String: ArgumentTree] = [:]

    init(path: [String] = []) { self.path = path }

    convenience init(_ arguments: [Argument]) {
        self.init()
        for argument in arguments { add(argument) }
    }

    private func add(_ argument: Argument) {
        var node = self
        for name in argument.path {
            let child = node.fields[name] ?? ArgumentTree(path: node.path + [name])
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

    /// The same place with `argument` alone, for the elements of a list.
    func only(_ argument: Argument) -> ArgumentTree {
        let tree = ArgumentTree(path: path)
        tree.arguments = [argument]
        return tree
    }

    /// The one argument of a parameter that takes one. Throws ``ArgumentError`` for several.
    func single() throws(ArgumentError) -> Argument {
        guard let first = arguments.first else { throw .missing([path]) }
        if arguments.count > 1 { throw .repeated(path, position: arguments[1].position) }
        return first
    }
}
