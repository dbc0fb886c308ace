/// What an encoder or container has been given so far, and may still be given.
final class EncodedValue {
    enum Kind { case undecided, single, array, object }

    /// A value that is complete, or may still be filled.
    enum Part {
        /// JSON text.
        case text(String)
        case string(String)
        case json(JSONValue)
        case value(EncodedValue)
    }

    private(set) var kind = Kind.undecided
    /// The elements of an array, the values of an object, or the only value.
    private(set) var parts: [Part] = []
    /// The keys of an object, one for each of ``parts``.
    private var names: [String] = []
    /// Where each name is in ``names``, once there are many.
    private var places: [String: Int] = [:]
    /// Up to here looking at each name takes less time than hashing.
    private static let fewNames = 24

    /// Decides what the value is; false if it is something else already.
    func become(_ kind: Kind) -> Bool {
        if self.kind == .undecided { self.kind = kind }
        return self.kind == kind
    }

    func append(_ part: Part) { parts.append(part) }

    /// Adds a member, or replaces the one with the same name at its place.
    func set(_ name: String, _ part: Part) {
        if let place = place(name) {
            parts[place] = part
        } else {
            if !places.isEmpty { places[name] = parts.count }
            names.append(name)
            parts.append(part)
        }
    }

    private func place(_ name: String) -> Int? {
        if names.count <= Self.fewNames { return names.firstIndex(of: name) }
        if places.isEmpty { places = Dictionary(uniqueKeysWithValues: zip(names, names.indices)) }
        return places[name]
    }

    /// The container for the member of that name, if it is one of that kind.
    func container(_ name: String, _ kind: Kind) -> EncodedValue? {
        guard let place = place(name), case .value(let value) = parts[place], value.kind == kind else { return nil }
        return value
    }

    /// Appends the text. Something that was given nothing is an empty object.
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
