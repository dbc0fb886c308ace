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
                return PositionKey(stringValue: exceptions.text(of: key, in: parent) ?? name(of: key, path: path.dropLast()))
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

    private var places: [Place: String] = [:]
    /// For objects under keys that are data, which the model has unchanged.
    private var keys: [String: String] = [:]

    var isEmpty: Bool { keys.isEmpty }

    init(_ document: JSONDocument) {
        var names = KeyNames(.convertFromSnakeCase)
        var known: [String: (key: String, isException: Bool)] = [:]
        var open = [(parent: "", value: JSONValue(document))]
        while let (parent, value) = open.popLast() {
            switch value.content {
            case .object(let members):
                for (text, value) in members {
                    let (key, isException) =
                        known[text]
                        ?? {
                            let key = SnakeCase.camelCase(text)
                            return (key, names.name(of: PositionKey(stringValue: key), path: []) != text)
                        }()
                    known[text] = (key, isException)
                    if isException {
                        places[Place(parent: parent, key: key)] = text
                        keys[key] = text
                    }
                    open.append((key, value))
                }
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
