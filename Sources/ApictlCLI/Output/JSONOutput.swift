import EndpointKit
import JSONText

extension JSONValue {
    /// Makes a JSON string of a text that need not be UTF-8. A byte that is not UTF-8 is written like `\xFF`, because
    /// JSON can't contain it.
    init(shown text: String) { self.init(text.escapingRawBytes) }

    /// Makes an object with the members whose values are not nil: `["a": 1, "b": nil]` becomes `{"a": 1}`.
    init(members: KeyValuePairs<String, (any JSONConvertible)?>) {
        var present: JSONMembers = []
        for (key, value) in members {
            if let value { present.append((key, value.json)) }
        }
        self.init(present)
    }

    /// The members of an object in their order; empty for any other value.
    var pairs: JSONMembers {
        guard let members else { return [] }
        return members.map { ($0.key, $0.value) }
    }
}

/// The members of a JSON object in their order.
typealias JSONMembers = [(String, JSONValue)]

/// A value with one JSON representation, whatever the ``Coding`` of an API.
protocol JSONConvertible {
    var json: JSONValue { get }
}

extension JSONValue: JSONConvertible { var json: JSONValue { self } }
extension String: JSONConvertible { var json: JSONValue { JSONValue(self) } }
extension Int: JSONConvertible { var json: JSONValue { JSONValue(self) } }
extension Bool: JSONConvertible { var json: JSONValue { JSONValue(self) } }
extension Array: JSONConvertible where Element: JSONConvertible {
    var json: JSONValue { JSONValue(map(\.json)) }
}
