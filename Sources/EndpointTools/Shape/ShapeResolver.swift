import EndpointKit
import JSONText

/// Makes a ``ModelShape`` of what was noted of a model and the types in it.
struct ShapeResolver {
    private let drafts: ShapeDrafts
    private let names: [ObjectIdentifier: String]
    /// The values of types that take no others.
    private let allowedValues: [ObjectIdentifier: [JSONValue]]
    private var models: [ModelShape.Model?] = []
    /// Where the models that have been named stand in `models`.
    private var places: [ObjectIdentifier: Int] = [:]
    /// Types that are being resolved, inside the innermost object: one that comes again holds itself.
    private var open: Set<ObjectIdentifier> = []

    /// The shape of each root.
    static func shapes(_ drafts: ShapeDrafts, _ coding: Coding) -> [ModelShape] {
        var resolver = ShapeResolver(drafts, drafts.types.compactMapValues { $0.allowedValues(coding) })
        let roots = drafts.roots.map { resolver.shape($0, timesDecoded: 0) }
        return ModelShape(root: .any, models: resolver.models.compactMap(\.self)).parts(roots)
    }

    private init(_ drafts: ShapeDrafts, _ allowedValues: [ObjectIdentifier: [JSONValue]]) {
        (self.drafts, self.allowedValues) = (drafts, allowedValues)
        names = ShapeNames.unique(
            drafts.types.filter { allowedValues[$0.key] == nil }.mapValues { $0.type as Any.Type })
    }

    /// A model has a name in the shape: an object, or something that holds itself.
    private mutating func shape(of type: ObjectIdentifier) -> Shape {
        guard let draft = drafts.types[type] else { return .any }
        if let values = allowedValues[type] { return .values(values) }
        let name = names[type] ?? ""
        if places[type] != nil { return .model(name) }
        let holdsItself = !open.insert(type).inserted
        if holdsItself || draft.value.isObject {
            places[type] = models.count
            models.append(nil)
        }
        if holdsItself { return .model(name) }
        let outer = open
        defer { open = outer.subtracting([type]) }
        if draft.value.isObject { open = [] }
        let shape = shape(draft.value, timesDecoded: draft.timesCompleted)
        guard let place = places[type] else { return shape }
        models[place] = ModelShape.Model(name: name, shape: shape)
        return .model(name)
    }

    private mutating func shape(_ draft: ShapeDraft, timesDecoded: Int) -> Shape {
        // A number may be an integer; what reads integers of several types has no bounds.
        let takesSeveral = draft.scalars.count(where: \.isInteger) > 1
        var shapes = draft.scalars.filter { !$0.isInteger || !draft.scalars.contains(.number(nil)) }
            .map { Shape.scalar($0.isInteger && takesSeveral ? .integer(nil) : $0) }
        if draft.isObject {
            let fields = draft.fields.map { field($0, timesDecoded: timesDecoded) }
            shapes.append(draft.hasCases ? Self.variants(fields) : .object(fields))
        }
        if draft.isDictionary { shapes.append(.dictionary(shape(draft.element, timesDecoded: 0))) }
        if draft.isArray { shapes.append(.array(shape(draft.element, timesDecoded: 0))) }
        for type in draft.types { shapes.append(shape(of: type)) }
        if shapes.isEmpty || draft.takesAnything { shapes.append(.any) }
        if draft.takesNull { shapes.append(.null) }
        return Self.anyOf(shapes)
    }

    private mutating func field(_ draft: FieldDraft, timesDecoded: Int) -> Shape.Field {
        Shape.Field(
            key: draft.name ?? "", shape: shape(draft.value, timesDecoded: draft.timesAsked),
            isOptional: draft.isOptional || draft.timesAsked < timesDecoded,
            typeName: draft.name?.hasPrefix("_") == true ? typeName(draft.value) : nil)
    }

    /// The Swift name of a type of the app's own.
    private func typeName(_ draft: ShapeDraft) -> String? {
        draft.types.compactMap { drafts.types[$0].map { TypeName.text(of: $0.type) } }
            .first { $0.first != "[" && $0.last != "?" }
    }

    /// Returns the shape of an enum with these cases. A single case has no alternative, so its member must be there.
    private static func variants(_ cases: [Shape.Field]) -> Shape {
        let isOptional = cases.count > 1
        let fields = cases.map { Shape.Field(key: $0.key, shape: $0.shape, isOptional: isOptional) }
        return isOptional ? .variants(fields) : .object(fields)
    }

    /// Returns the shape of a value that has one of `shapes`, of which there is at least one.
    private static func anyOf(_ shapes: [Shape]) -> Shape {
        var parts: [Shape] = []
        for part in shapes.flatMap(withoutAlternatives) where !parts.contains(part) { parts.append(part) }
        if parts.contains(.any) {
            // Beside the shape of any JSON, only known objects say more.
            parts.removeAll { if case .model = $0 { false } else { $0.fields.isEmpty } }
            parts.append(.any)
        }
        let others = parts.filter { $0 != .null }
        guard let first = others.first else { return .null }
        let shape = others.count == 1 ? first : .alternatives(others)
        return parts.contains(.null) ? .nullable(shape) : shape
    }

    /// Returns the shapes that `shape` is made of, if it is nullable or has alternatives.
    private static func withoutAlternatives(_ shape: Shape) -> [Shape] {
        switch shape {
        case .nullable(let shape): withoutAlternatives(shape) + [.null]
        case .alternatives(let shapes): shapes
        default: [shape]
        }
    }
}

/// Names for the types of a shape.
private enum ShapeNames {
    /// A name for each type that no other has: `Viewport`; if that is not enough `Geometry.Viewport`, then with a number.
    static func unique(_ types: [ObjectIdentifier: Any.Type]) -> [ObjectIdentifier: String] {
        let short = types.mapValues { TypeName.text(of: $0) }
        let counts = Dictionary(short.values.map { ($0, 1) }, uniquingKeysWith: +)
        // In the order of full names, so that the numbers are always the same.
        let all = types.map { (id: $0.key, full: _typeName($0.value, qualified: true)) }.sorted { $0.full < $1.full }
        let names = all.map { id, full in
            if let name = short[id], counts[name] == 1 { return name }
            // Without the module.
            return full.firstIndex(of: ".").map { String(full[full.index(after: $0)...]) } ?? full
        }
        return Dictionary(uniqueKeysWithValues: zip(all.map(\.id), names.numbered(" ")))
    }
}

extension [String] {
    /// The same names, but one that has come before with a number after it.
    package func numbered(_ separator: String, ignoringCase: Bool = false) -> [String] {
        var taken: Set<String> = []
        func isFree(_ name: String) -> Bool { taken.insert(ignoringCase ? name.lowercased() : name).inserted }
        return map { name in
            if isFree(name) { return name }
            let number = (2...).first { isFree("\(name)\(separator)\($0)") } ?? 2
            return "\(name)\(separator)\(number)"
        }
    }
}

extension TypeDraft {
    /// The raw values of the cases, if the type lists them and refuses all others.
    ///
    /// A type with an `init(from:)` of its own may accept values outside its list, for example as its case `unknown`.
    fileprivate func allowedValues(_ coding: Coding) -> [JSONValue]? {
        // Only what reads a text or a number is asked: the answer for a new type takes a search through all conformances.
        guard value.isScalar else { return nil }
        return (type as? any (RawRepresentable & CaseIterable & Decodable).Type).flatMap { Self.values(of: $0, coding) }
    }

    private static func values<T: RawRepresentable & CaseIterable & Decodable>(
        of type: T.Type, _ coding: Coding
    ) -> [JSONValue]? {
        // Longer than any text, and greater than any number.
        var (text, number) = ("x", 1.0)
        let values = type.allCases.compactMap { value -> JSONValue? in
            switch value.rawValue {
            case let raw as String:
                text += raw
                return JSONValue(raw)
            case let raw as any BinaryInteger:
                number = max(number, Double(raw) + 1)
                return Int(exactly: raw).map { JSONValue($0) }
            case let raw as any BinaryFloatingPoint:
                number = max(number, Double(raw).rounded() + 1)
                return JSONValue(Double(raw))
            default: return nil
            }
        }
        guard let first = values.first, values.count == type.allCases.count else { return nil }
        let other = first.string == nil ? "\(Int(exactly: number) ?? 0)" : JSONValue(text).description
        let decoded = try? JSONTextDecoder(coding: coding).decode(type, from: JSONDocument(other.exactBytes))
        return decoded == nil ? values : nil
    }
}
