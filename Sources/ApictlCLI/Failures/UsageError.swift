import EndpointKit
import JSONText

/// The error that the command line is wrong, or a file that a person has written for this tool.
struct UsageError: Error, Equatable, CustomStringConvertible {
    /// A sentence that says what is wrong. It names the word, its position and the nearest valid word.
    let problem: String
    /// The command that shows the valid choices, such as `list`, for the line `See 'apictl list'.` after the message.
    /// Nil stands for the help of the command that was given.
    let see: String?
    /// The place of the problem in a file; nil if it is on the command line.
    let location: SourceLocation?

    /// The problem, after its place if it is in a file.
    var text: String {
        guard let location else { return problem }
        return "\(location): \(problem)"
    }

    var description: String { text }

    /// Makes the error of a problem.
    ///
    /// - Parameters:
    ///   - problem: A sentence that says what is wrong.
    ///   - see: The command that shows the valid choices; nil is the help of the command that was given.
    ///   - location: The place of the problem in a file; nil if it is on the command line.
    init(_ problem: String, see: String? = nil, at location: SourceLocation? = nil) {
        self.problem = problem
        self.see = see
        self.location = location
    }

    /// Makes the error that a value is wrong. If a file holds the value, the message starts with the place in the file.
    ///
    /// - Parameters:
    ///   - problem: A sentence that says what is wrong.
    ///   - see: The command that shows the valid choices. Nil stands for the help about the file, or about the command
    ///     that was given if the value is not from a file.
    ///   - source: The place of the value.
    init(_ problem: String, see: String? = nil, from source: ValueSource) {
        self.init(problem, see: see ?? source.file?.help, at: source.file?.location)
    }
}

// MARK: - Words of the command line

extension UsageError {
    /// Returns the error that there is no option of a name: `unknown option '--pgae' (argument 2); did you mean
    /// '--page'?`
    ///
    /// - Parameters:
    ///   - word: The option as it was given.
    ///   - hint: The end of the message, such as a question about the nearest option; empty if there is none.
    static func unknownOption(_ word: SourcedText, hint: String) -> UsageError {
        UsageError("unknown option \(word.shown)\(hint)", from: word.source)
    }

    /// Returns the error that there is a word too many: `unexpected argument '550' (argument 3); did you mean --id
    /// 550?`
    ///
    /// - Parameters:
    ///   - word: The word.
    ///   - suggestion: The words that were probably meant; nil if that is not known.
    static func unexpectedArgument(_ word: SourcedText, suggestion: String? = nil) -> UsageError {
        let question = suggestion.map { "; did you mean \($0)?" } ?? ""
        return UsageError("unexpected argument \(word.shown)" + question, from: word.source)
    }

    /// Returns the error that there is a word too many, with the rule that it breaks: `unexpected argument 'list'
    /// (argument 2); a command line has one command`.
    static func unexpectedArgument(_ word: SourcedText, because rule: String) -> UsageError {
        UsageError("unexpected argument \(word.shown); \(rule)", from: word.source)
    }

    /// Returns the error that the value of an option is not a valid one: `--page (argument 3): expected an integer, got
    /// 'x'`.
    ///
    /// - Parameters:
    ///   - option: The option with its dashes, or another name of what the value is for.
    ///   - value: The value, which is shown. For a value that may be secret, use
    ///     ``unusableValue(option:problem:source:)``.
    ///   - expected: A description of valid values, such as `an integer`.
    ///   - source: The place of the value.
    static func invalidValue(option: String, value: String, expected: String, source: ValueSource) -> UsageError {
        unusableValue(option: option, problem: "expected \(expected), got '\(value)'", source: source)
    }

    /// Returns the error that the value of an option can't be used. The value is not shown, because it may be secret.
    ///
    /// - Parameters:
    ///   - option: The option with its dashes, or another name of what the value is for.
    ///   - problem: What is wrong with the value.
    ///   - source: The place of the value.
    static func unusableValue(option: String, problem: String, source: ValueSource) -> UsageError {
        UsageError("\(option)\(source.suffix): \(problem)", from: source)
    }

    /// Returns the error that two options can't be used together: `--raw and --table can't be used together`.
    static func conflict(_ option: String, _ other: String) -> UsageError {
        UsageError("\(option) and \(other) can't be used together")
    }

    /// Returns the error that an option lacks its value: `--page (argument 3) needs a value: --page INTEGER`.
    ///
    /// - Parameters:
    ///   - option: The option as it was given.
    ///   - placeholder: The name of the value in help, such as `INTEGER`.
    ///   - source: The place of the option.
    static func valueExpected(option: String, placeholder: String, source: ValueSource) -> UsageError {
        UsageError("\(option)\(source.suffix) needs a value: \(option) \(placeholder)", from: source)
    }

    /// Returns the error that a switch was given a value: `--raw (argument 3) takes no value, but was given 'x'`.
    ///
    /// - Parameters:
    ///   - option: The switch as it was given.
    ///   - value: The value.
    ///   - source: The place of the switch.
    static func noValueTaken(option: String, value: String, source: ValueSource) -> UsageError {
        UsageError("\(option)\(source.suffix) takes no value, but was given '\(value)'", from: source)
    }

    /// Returns the error that a header can't be sent.
    static func invalidHeader(name: String, problem: String, source: ValueSource) -> UsageError {
        UsageError("header '\(name)': \(problem)", from: source)
    }
}

// MARK: - Files

extension UsageError {
    /// Returns the error that a file is wrong at a line and column: `config.json:3:7: unknown key 'proxi'`.
    ///
    /// - Parameters:
    ///   - name: The path of the file.
    ///   - line: The number of the line, counted from 1.
    ///   - column: The number of the character in the line, counted from 1.
    ///   - problem: What is wrong. It may quote a value of the file: secrets in it are not shown.
    ///   - see: The command that shows the valid choices; nil is the help of the command that was given.
    static func invalidFile(
        _ name: String, line: Int, column: Int, problem: String, see: String? = nil
    ) -> UsageError {
        UsageError(SecretRules.redacted(problem), see: see, at: SourceLocation(file: name, line: line, column: column))
    }

    /// Returns the error that a file is not one JSON document.
    ///
    /// - Parameters:
    ///   - error: The error of the parser. Only a `JSONSyntaxError` says at which line and column the file is wrong.
    ///   - name: The path of the file.
    ///   - hint: The text after the message.
    static func notJSON(_ error: any Error, in name: String, hint: String = "") -> UsageError {
        guard let error = error as? JSONSyntaxError else { return UsageError("\(name): \(error)") }
        return invalidFile(name, line: error.line, column: error.column, problem: error.problem + hint)
    }
}
