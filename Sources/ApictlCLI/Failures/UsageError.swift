import JSONText

/// The error that a command line is wrong, or a file that a person has written for this tool.
struct UsageError: Error, Equatable, CustomStringConvertible {
    /// A sentence that names the word that is wrong, its position and the nearest valid word.
    let problem: String
    /// The command that shows the valid choices; nil for the help of the command itself.
    let see: String?
    /// The place of the problem in a file; nil if it is on the command line.
    let location: SourceLocation?

    /// The problem, after its place if it is in a file.
    var text: String {
        guard let location else { return problem }
        return "\(location): \(problem)"
    }

    var description: String { text }

    init(_ problem: String, see: String? = nil, at location: SourceLocation? = nil) {
        self.problem = problem
        self.see = see
        self.location = location
    }

    /// Makes the error that a value is wrong. If it is a value of a file, the error has its place there.
    init(_ problem: String, see: String? = nil, from source: ValueSource) {
        self.init(problem, see: see ?? source.file?.help, at: source.file?.location)
    }
}

// MARK: - Words of the command line

extension UsageError {
    /// Returns the error that no option has a name.
    ///
    /// - Parameter hint: The text after the message, such as a question about the nearest option.
    static func unknownOption(_ word: SourcedText, _ hint: String) -> UsageError {
        UsageError("unknown option \(word.shown)\(hint)", from: word.source)
    }

    /// Returns the error that there is a word too many.
    ///
    /// - Parameter suggestion: The words that were probably meant; nil if that is not known.
    static func unexpectedArgument(_ word: SourcedText, _ suggestion: String? = nil) -> UsageError {
        let question = suggestion.map { "; did you mean \($0)?" } ?? ""
        return UsageError("unexpected argument \(word.shown)" + question, from: word.source)
    }

    /// Returns the error that an option has another value than it can have: `expected a number, got 'x'`.
    static func invalidValue(option: String, value: String, expected: String, source: ValueSource) -> UsageError {
        unusableValue(option: option, problem: "expected \(expected), got '\(value)'", source: source)
    }

    /// Returns the error that the value of an option can't be used. The value is not shown.
    static func unusableValue(option: String, problem: String, source: ValueSource) -> UsageError {
        UsageError("\(option)\(source.suffix): \(problem)", from: source)
    }

    /// Returns the error that two options can't be used together.
    static func conflict(_ option: String, _ other: String) -> UsageError {
        UsageError("\(option) and \(other) can't be used together")
    }

    /// Returns the error that an option lacks its value.
    static func valueExpected(_ option: String, _ placeholder: String, _ source: ValueSource) -> UsageError {
        UsageError("\(option)\(source.suffix) needs a value: \(option) \(placeholder)", from: source)
    }

    /// Returns the error that an option has a value, but takes none.
    static func noValueTaken(_ option: String, _ value: String, _ source: ValueSource) -> UsageError {
        UsageError("\(option)\(source.suffix) takes no value, but was given '\(value)'", from: source)
    }

    /// Returns the error that a header can't be sent.
    static func invalidHeader(name: String, problem: String, source: ValueSource) -> UsageError {
        UsageError("header '\(name)': \(problem)", from: source)
    }
}

// MARK: - Files

extension UsageError {
    /// Returns the error that a file is wrong at a line and column.
    static func invalidFile(
        _ name: String, line: Int, column: Int, problem: String, see: String? = nil
    ) -> UsageError {
        UsageError(problem, see: see, at: SourceLocation(file: name, line: line, column: column))
    }

    /// Returns the error that a file is not one JSON document.
    ///
    /// - Parameter hint: The text after the message.
    static func notJSON(_ error: any Error, in name: String, hint: String = "") -> UsageError {
        guard let error = error as? JSONSyntaxError else { return UsageError("\(name): \(error)") }
        return invalidFile(name, line: error.line, column: error.column, problem: error.problem + hint)
    }
}
