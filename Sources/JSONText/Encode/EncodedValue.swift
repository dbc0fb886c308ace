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
    /// The index of each name in ``names``, once there are many.
    private var indices: [String: Int] = [:]
    /// Up to this many names, looking at each one takes less time than hashing.
    private static let maxSearchedNames = 24

    /// Decides the kind of the value.
    ///
    /// - Returns: Whether the value is of that kind; false if another kind was decided before.
    func decide(_ kind: Kind) -> Bool {
        if self.kind == .undecided { self.kind = kind }
        return self.kind == kind
    }

    /// Adds an element, or the only value.
    func append(_ part: Part) { parts.append(part) }

    /// Adds a member. If there is one with the same name, it is replaced, and keeps its position.
    func set(_ name: String, _ part: Part) {
        if let index = index(of: name) {
            parts[index] = part
        } else {
            if !indices.isEmpty { indices[name] = parts.count }
            names.append(name)
            parts.append(part)
        }
    }

    private func index(of name: String) -> Int? {
        if names.count <= Self.maxSearchedNames { return names.firstIndex(of: name) }
        if indices.isEmpty { indices = Dictionary(uniqueKeysWithValues: zip(names, names.indices)) }
        return indices[name]
    }

    /// Returns the value of the member with a name, if it is of that kind and may still be filled.
    ///
    /// A model may ask for the same nested container twice, and both times adds to the same value.
    func container(_ name: String, _ kind: Kind) -> EncodedValue? {
        guard let index = index(of: name), case .value(let value) = parts[index], value.kind == kind else { return nil }
        return value
    }

    /// Appends the JSON text of the value.
    ///
    /// An array, an object or a single value is written as such. A value whose kind is still undecided, because nothing
    /// was added to it, is an empty object.
    private func write(to text: inout [UInt8]) {
        if kind == .single {
            if let part = parts.first { Self.write(part, to: &text) }
            return
        }
        text.append(UInt8(ascii: kind == .array ? "[" : "{"))
        for (index, part) in parts.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            if kind == .object {
                JSONQuoting.append(names[index], to: &text)
                text.append(UInt8(ascii: ":"))
            }
            Self.write(part, to: &text)
        }
        text.append(UInt8(ascii: kind == .array ? "]" : "}"))
    }

    /// Appends the JSON text of a part.
    static func write(_ part: Part, to text: inout [UInt8]) {
        switch part {
        case .text(let json): text += json.utf8
        case .string(let string): JSONQuoting.append(string, to: &text)
        case .json(let value):
            do {
                // As it is written, without white space outside of strings.
                let line: [UInt8] = try JSONFormatter(style: .compact).formatted(value.written)
                text += line[..<(line.count - 1)]
            } catch {
                preconditionFailure("the text of a JSON value is not JSON: \(error)")
            }
        case .value(let value): value.write(to: &text)
        }
    }
}
