import EndpointKit
import JSONText

extension ModelShape {
    /// The shape in words, line by line: the type of the whole document, and below it the fields.
    ///
    ///     MoviePage
    ///       page           integer
    ///       results        [Movie]
    ///         id           integer
    ///         release_date string, optional
    ///
    /// The fields of a model are shown only where it is mentioned first. The line of the key `*` is about the keys that
    /// an open object does not name.
    package var outline: String {
        var shownModels: Set<String> = []
        let fields = root.fieldsInside { name in
            let isFirstMention = shownModels.insert(name).inserted
            return isFirstMention ? model(name)?.shape : nil
        }
        let indentedKeys = fields.map { field in
            let indentation = String(repeating: "  ", count: field.path.count)
            return indentation + TerminalText.escaped(field.path.last ?? "")
        }
        // The types are aligned in a column to the right of the longest key.
        let width = indentedKeys.map(\.count).max() ?? 0
        var lines = [root.name]
        for (key, field) in zip(indentedKeys, fields) {
            let padding = String(repeating: " ", count: width - key.count + 2)
            let suffix = field.isOptional ? ", optional" : ""
            lines.append(key + padding + field.shape.name + suffix)
        }
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Shape {
    /// A field in a value, at any depth.
    package struct InnerField: Sendable {
        /// The keys that lead to the field, through lists and objects.
        package let path: [String]
        package let shape: Shape
        package let isOptional: Bool
    }

    /// Returns the fields in values of the shape, each before the fields inside it.
    ///
    /// For example, an object with a list `pets` of objects with a `name` has the fields `["pets"]` and
    /// `["pets", "name"]`.
    ///
    /// - Parameters:
    ///   - path: The keys that lead to the value.
    ///   - model: Returns the shape of the model with a name, or nil to leave out the fields of that model.
    /// - Returns: The fields of objects, lists and dictionaries. All elements of a list share the path of the list. The
    ///   key `*` stands for the keys that an open object does not name.
    package func fieldsInside(
        _ path: [String] = [], model: (_ name: String) -> Shape? = { _ in nil }
    ) -> [InnerField] {
        switch self {
        case .array(let inner), .dictionary(let inner), .nullable(let inner):
            return inner.fieldsInside(path, model: model)
        case .alternatives(let shapes):
            return shapes.flatMap { $0.fieldsInside(path, model: model) }
        case .model(let name):
            return model(name)?.fieldsInside(path, model: model) ?? []
        case .object(let fields), .variants(let fields):
            return Self.innerFields(ofObjectWith: fields, at: path, model: model)
        case .open(let fields, let others):
            let otherKeys = Field(key: "*", shape: others, isOptional: true)
            return Self.innerFields(ofObjectWith: fields + [otherKeys], at: path, model: model)
        case .scalar, .values, .null, .any:
            return []
        }
    }

    /// Returns the fields of an object, each before the fields inside it.
    ///
    /// - Parameters:
    ///   - fields: The fields of the object itself.
    ///   - path: The keys that lead to the object.
    ///   - model: Returns the shape of the model with a name, or nil to leave out the fields of that model.
    private static func innerFields(
        ofObjectWith fields: [Field], at path: [String], model: (_ name: String) -> Shape?
    ) -> [InnerField] {
        var fieldsAtAnyDepth: [InnerField] = []
        for field in fields {
            let fieldPath = path + [field.key]
            fieldsAtAnyDepth.append(InnerField(path: fieldPath, shape: field.shape, isOptional: field.isOptional))
            fieldsAtAnyDepth += field.shape.fieldsInside(fieldPath, model: model)
        }
        return fieldsAtAnyDepth
    }
}
