import JSONText

/// A value in a JSON file that a person has written, with the place where it stands.
struct JSONPlace: Sendable {
    /// The path of the file.
    let file: String
    let json: JSONValue
    /// The help command that an error at this place recommends. Nil recommends the help of the command that reads the
    /// file.
    let help: String?

    init(file: String, json: JSONValue, help: String? = nil) {
        self.file = file
        self.json = json
        self.help = help
    }

    /// The line and column of the place.
    ///
    /// To find them, the file is read from its start. So only an error or a listing should ask for them.
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
    /// Whether both are the same place of the same document. Documents are not compared by their text.
    static func == (left: JSONPlace, right: JSONPlace) -> Bool {
        left.file == right.file && left.json.document === right.json.document && left.json.slot == right.json.slot
    }
}
