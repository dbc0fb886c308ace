import EndpointKit

extension Signature {
    /// The names of a parameter or field as a command line, notes and rules have them: `pet`, `name` for `["pet", "name"]`.
    ///
    /// A value without a label has no name of its own: the fields of a structure without a label stand alone, unless there are several such
    /// structures or a parameter with the name of the field. The keys of a dictionary are data and no part of the names.
    package func names(of path: [String]) -> [String] {
        var names: [String] = []
        var type = root
        for (depth, name) in path.enumerated() where !type.isDictionary {
            let fields = type.fields
            if let position = fields.first(where: { $0.key == name })?.position {
                if !isImplied(in: fields, next: path.dropFirst(depth + 1).first, isTop: depth == 0) {
                    names.append(path.count == 1 ? name : "\(position)")
                }
            } else {
                names.append(name)
            }
            type = type.part(name) ?? .any
        }
        return names
    }

    /// Whether a value without a label among `fields` needs no name, because what follows it has one.
    private func isImplied(in fields: [Shape.Field], next: String?, isTop: Bool) -> Bool {
        let others = fields.filter { $0.position != nil && (!isTop || !$0.shape.fields.isEmpty) }
        guard isTop else { return others.count == 1 }
        guard let next, others.count == 1 else { return false }
        return !fields.contains { KebabCase.text($0.key) == KebabCase.text(next) }
    }

    /// The type of a parameter or field; nil if there is none.
    package func type(at path: some Collection<String>) -> Shape? {
        path.reduce(root as Shape?) { type, name in type?.part(name) }
    }

    /// Stands for the position of a list's element in a path and in the name of a flag: `--records.N.name`.
    package static let anyPosition = "N"

    /// What notes and rules call a parameter or field: the position in a list is no part of it.
    package func key(of path: [String]) -> String {
        if path.count == 1 { return path[0] }
        return names(of: path).filter { $0 != Self.anyPosition && !Self.isPosition($0) }.joined(separator: ".")
    }

    /// Whether a part of a name is the position of an element, from 0.
    package static func isPosition(_ name: String) -> Bool { Int(name).map { $0 >= 0 && String($0) == name } == true }

    /// The parameter or field that notes and rules call `key`; nil if there is none.
    package func parameter(named key: String) -> Parameter? { fields.first { self.key(of: $0.path) == key } }

    /// What the parameter of a Swift name is called where no flag is: `{page}`, `pet` for a structure `Pet` without a label, else `value`, with
    /// a number if there are several.
    package func shownName(of name: String) -> String {
        let unlabelled = root.fields.filter { $0.position != nil }.map {
            (key: $0.key, name: $0.typeName.map(KebabCase.text) ?? "value")
        }
        guard let own = unlabelled.first(where: { $0.key == name })?.name else { return KebabCase.text(name) }
        let same = unlabelled.filter { $0.name == own }
        return same.count > 1 ? own + "\((same.firstIndex { $0.key == name } ?? 0) + 1)" : own
    }
}
