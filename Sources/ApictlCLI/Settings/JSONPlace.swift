import JSONText

/// A place in a JSON file that a person has written, and the value that stands there.
struct JSONPlace: Sendable {
    /// The path of the file.
    let file: String
    let json: JSONValue
    /// The command that shows what the file may have; nil for the help of the command that reads it.
    let help: String?

    init(file: String, json: JSONValue, help: String? = nil) {
        self.file = file
        self.json = json
        self.help = help
    }

    /// The line and column of the place.
    ///
    /// They are counted from the start of the file, so only an error or a listing should ask for them.
    var location: SourceLocation {
        let document = json.document
        let position = document.position(of: document.range(of: json.slot).lowerBound)
        return SourceLocation(file: file, line: position.line, column: position.column)
    }

    /// Returns the error that the value at this place is wrong.
    func error(_ problem: String) -> UsageError {
        UsageError(problem, see: help, at: location)
    }

    /// The place of the key whose value stands at this place, which must be a member of an object.
    var key: JSONPlace {
        // A document keeps a member's key in the slot before its value.
        inner(JSONValue(json.document, slot: json.slot - 1))
    }

    /// Returns the place of a value inside the value at this place.
    func inner(_ json: JSONValue) -> JSONPlace { JSONPlace(file: file, json: json, help: help) }
}

extension JSONPlace: Equatable {
    static func == (one: JSONPlace, other: JSONPlace) -> Bool {
        one.file == other.file && one.json.document === other.json.document && one.json.slot == other.json.slot
    }
}
