import EndpointKit
import JSONText

/// A value of the configuration file, with its place there.
struct Setting<Value: Sendable>: Sendable {
    let value: Value
    let place: JSONPlace
}

/// Each function reads the value at the place, and throws ``UsageError`` for a value of another kind.
extension JSONPlace {
    /// Reads a string.
    func string() throws -> String {
        guard let text = json.string else { throw error("expected a string") }
        return text
    }

    /// Reads a string that must follow a rule.
    ///
    /// - Parameter problem: Returns what is wrong with a text; nil for a valid one.
    func string(problem: (String) -> String?) throws -> String {
        let text = try string()
        if let problem = problem(text) { throw error(problem) }
        return text
    }

    /// Reads a boolean.
    func bool() throws -> Bool {
        guard let value = json.bool else { throw error("expected true or false") }
        return value
    }

    /// Reads an integer that is not negative.
    func nonNegativeInteger() throws -> Int {
        guard let value = json.integer(Int.self), value >= 0 else { throw error("expected 0 or a higher number") }
        return value
    }

    /// Reads a duration in the notation of the command line (`"500ms"`), or a number of seconds.
    func duration() throws -> Duration {
        guard let text = json.string ?? json.number, let duration = DurationText.parse(text) else {
            throw error("expected " + DurationText.expectation)
        }
        return duration
    }

    /// Reads a string that is the raw value of an enum's case.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(of type: Choice.Type) throws -> Choice {
        guard let choice = json.string.flatMap(Choice.init(rawValue:)) else {
            throw error("expected one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// Reads a string, a number or a boolean as the text that is sent: `20` → `"20"`, `true` → `"true"`.
    func text() throws -> String {
        switch json.content {
        case .string(let text), .number(let text): return text
        case .bool(let value): return "\(value)"
        case .null, .array, .object: throw error("expected a string, a number, true or false")
        }
    }

    /// The places of the elements of a list. A value that is not a list counts as a list of one.
    var elements: [JSONPlace] { json.list.map(inner) }
}
