/// Names for the types of a shape.
enum ShapeNames {
    /// A name for each type that no other has: `Viewport`; if that is not enough `Geometry.Viewport`, then with a number.
    static func unique(_ types: [ObjectIdentifier: Any.Type]) -> [ObjectIdentifier: String] {
        let short = types.mapValues { TypeName.text(of: $0) }
        let counts = Dictionary(short.values.map { ($0, 1) }, uniquingKeysWith: +)
        var taken: Set<String> = []
        var names: [ObjectIdentifier: String] = [:]
        // In the order of full names, so that the numbers are always the same.
        let all = types.map { (id: $0.key, full: _typeName($0.value, qualified: true)) }.sorted { $0.full < $1.full }
        for (id, full) in all {
            let isUnique = counts[short[id] ?? ""] == 1
            let name = isUnique ? short[id] ?? full : withoutModule(full)
            var candidate = name
            var number = 2
            while !taken.insert(candidate).inserted {
                candidate = "\(name) \(number)"
                number += 1
            }
            names[id] = candidate
        }
        return names
    }

    private static func withoutModule(_ name: String) -> String {
        name.firstIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
    }
}
