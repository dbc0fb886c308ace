import EndpointKit
import JSONText

/// The values at a path in a document.
struct PathValues {
    var values: [JSONValue] = []
    /// Whether a name of the path walks through a list, so that there may be any number of values.
    var walksThroughList = false
}

extension JSONValue {
    /// Returns the values at a path of names and indexes. A name after a list stands for the members of that name in
    /// all elements. In `{"a": [{"b": 1}, {"b": 2}]}`:
    ///
    ///     a, b      →  1 and 2
    ///     a, 0, b   →  1
    ///
    /// - Parameter path: The names and indexes that lead from this value to others; empty for the value itself.
    /// - Returns: The values; none if there is no such member or element.
    func values(at path: ArraySlice<String>) -> PathValues {
        guard let name = path.first else { return PathValues(values: [self]) }
        let remainingPath = path.dropFirst()
        if let member = self[name] { return member.values(at: remainingPath) }
        guard let elements else { return PathValues() }
        if let index = Int(name) {
            guard elements.indices.contains(index) else { return PathValues() }
            return elements[index].values(at: remainingPath)
        }
        let values = elements.flatMap { $0.values(at: path).values }
        return PathValues(values: values, walksThroughList: true)
    }

    /// The value on one line, without white space.
    var compact: String { get throws { String(decoding: try Coding().encode(self), as: UTF8.self) } }
}
