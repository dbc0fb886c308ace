extension Coding {
    /// The same coding, which writes the keys of what was decoded from `document` as they are there.
    ///
    /// Converting to camel case and back changes keys such as `ID`, `dbSize` and `iso_639_1`.
    package func writingKeys(asIn document: JSONDocument) -> Coding {
        guard case .convertFromSnakeCase = keys else { return self }
        let exceptions = KeyExceptions(document)
        guard !exceptions.isEmpty else { return self }
        var coding = self
        coding.keys = .custom(
            decode: { path in PositionKey(stringValue: SnakeCase.camelCase(path.last?.stringValue ?? "")) },
            encode: { path in
                guard let key = path.last else { return PositionKey.super }
                let parent = path.dropLast().last { $0.intValue == nil }?.stringValue ?? ""
                return PositionKey(
                    stringValue: exceptions.text(of: key, in: parent) ?? name(of: key, path: path.dropLast()))
            })
        return coding
    }

    /// The key that a model has for a key in a text.
    package func modelKey(_ text: String) -> String {
        if case .convertFromSnakeCase = keys { SnakeCase.camelCase(text) } else { text }
    }
}

/// The keys of a document that are not what the conversion of the model's keys gives.
private struct KeyExceptions {
    private struct Place: Hashable {
        /// The key of the model that leads to the object; empty at the root.
        let parent: String
        let key: String
    }

    /// By the model's keys; for objects under keys that are data, which the model has unchanged.
    private var keys: [String: String] = [:]
    /// The same, and where such a key is spelled as the conversion gives it.
    private var places: [Place: String] = [:]

    var isEmpty: Bool { keys.isEmpty }

    init(_ document: JSONDocument) {
        var names = KeyNames(.convertFromSnakeCase)
        var known: [String: String] = [:]
        func modelKey(_ text: String) -> String {
            if let key = known[text] { return key }
            let key = SnakeCase.camelCase(text)
            known[text] = key
            if names.name(of: PositionKey(stringValue: key), path: []) != text { keys[key] = text }
            return key
        }
        Self.visit(document) { _, text in modelKey(text) }
        guard !keys.isEmpty else { return }
        Self.visit(document) { parent, text in
            let key = modelKey(text)
            if keys[key] != nil { places[Place(parent: parent, key: key)] = text }
            return key
        }
    }

    /// Calls `body` with every key and the model's key of its object; it returns the model's key.
    private static func visit(_ document: JSONDocument, _ body: (_ parent: String, _ text: String) -> String) {
        var open = [(parent: "", value: JSONValue(document))]
        while let (parent, value) = open.popLast() {
            switch value.content {
            case .object(let members): for (text, value) in members { open.append((body(parent, text), value)) }
            case .array(let elements): for element in elements { open.append((parent, element)) }
            case .null, .bool, .number, .string: break
            }
        }
    }

    /// The key as it is in the text; nil if the conversion gives it.
    func text(of key: any CodingKey, in parent: String) -> String? {
        places[Place(parent: parent, key: key.stringValue)] ?? keys[key.stringValue]
    }
}
