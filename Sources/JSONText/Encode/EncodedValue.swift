/// A JSON value that is being encoded: an encoder and its containers add parts to it.
final class EncodedValue {
    enum Kind { case undecided, single, array, object }

    /// An element, a member's value or the only value.
    enum Part {
        /// JSON text: a number, `true`, `false` or `null`.
        case text(String)
        /// The text of a string, without quotes and escapes.
        case string(String)
        case json(JSONValue)
        /// A value that may still be filled.
        case value(EncodedValue)
    }

    private(set) var kind = Kind.undecided
    /// The elements of an array, the values of an object, or the only value.
    private(set) var parts: [Part] = []
    /// The keys of an object, one for each of ``parts``.
    private var names: [String] = []
    /// The index of each name in ``names``. It is empty as long as there are few names.
    private var indexByName: [String: Int] = [:]
    /// Up to this many names, looking at each one takes less time than hashing.
    private static let maxSearchedNames = 24

    /// Decides the kind of the value, unless it has been decided before: the first decision stays.
    ///
    /// - Returns: Whether the value is of that kind. It is false if another kind was decided before.
    func decideKind(_ kind: Kind) -> Bool {
        if self.kind == .undecided { self.kind = kind }
        return self.kind == kind
    }

    /// Adds an element to an array, or sets the value of which the whole consists.
    func append(_ part: Part) { parts.append(part) }

    /// Adds a member to an object. If there is one with the same name, its value is replaced, and it keeps its
    /// position.
    ///
    /// - Parameter part: The encoded value of the member.
    func setMember(_ name: String, to part: Part) {
        if let index = index(of: name) {
            parts[index] = part
            return
        }
        // An object with few members has no table: their names are compared one by one.
        let isTableInUse = !indexByName.isEmpty
        if isTableInUse { indexByName[name] = parts.count }
        names.append(name)
        parts.append(part)
    }

    /// Returns the index of the member with a name, or nil if there is none.
    ///
    /// Few names are compared one by one. Many are looked up in a table, which the first such call makes.
    private func index(of name: String) -> Int? {
        if names.count <= Self.maxSearchedNames { return names.firstIndex(of: name) }
        if indexByName.isEmpty { indexByName = Dictionary(uniqueKeysWithValues: zip(names, names.indices)) }
        return indexByName[name]
    }

    /// Returns the array or object that a member holds, so that more can be added to it.
    ///
    /// A model may ask for the same nested container twice, and both times adds to the same value.
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - kind: The kind of container.
    /// - Returns: The container, or nil if there is no such member, or if its value is of another kind.
    func container(named name: String, of kind: Kind) -> EncodedValue? {
        guard let index = index(of: name), case .value(let value) = parts[index], value.kind == kind else { return nil }
        return value
    }

    /// Appends the JSON text of the value to `text`: one value, or an array or object with brackets around its parts.
    private func write(to text: inout [UInt8]) {
        switch kind {
        case .single:
            if let part = parts.first { Self.write(part, to: &text) }
        case .array:
            text.append(UInt8(ascii: "["))
            writeParts(to: &text)
            text.append(UInt8(ascii: "]"))
        case .object, .undecided:
            // A value to which nothing was added is an empty object.
            text.append(UInt8(ascii: "{"))
            writeParts(to: &text)
            text.append(UInt8(ascii: "}"))
        }
    }

    /// Appends the elements of an array, or the members of an object with their names, with commas between them.
    private func writeParts(to text: inout [UInt8]) {
        for (index, part) in parts.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            if kind == .object {
                JSONQuoting.append(names[index], to: &text)
                text.append(UInt8(ascii: ":"))
            }
            Self.write(part, to: &text)
        }
    }

    /// Appends the JSON text of an element, of a member's value or of the only value to `text`.
    static func write(_ part: Part, to text: inout [UInt8]) {
        switch part {
        case .text(let json): text += json.utf8
        case .string(let string): JSONQuoting.append(string, to: &text)
        case .json(let value):
            do {
                // The value is written with the white space of its document, which has to go.
                let line: [UInt8] = try JSONFormatter(style: .compact).formatted(value.written)
                let lineWithoutLineFeed = line.dropLast()
                text += lineWithoutLineFeed
            } catch {
                preconditionFailure("the text of a JSON value is not JSON: \(error)")
            }
        case .value(let value): value.write(to: &text)
        }
    }
}
