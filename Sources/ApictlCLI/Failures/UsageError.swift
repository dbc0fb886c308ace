import JSONText

/// A command line, or a file that a person has written for this tool, is wrong.
struct UsageError: Error, Equatable, CustomStringConvertible {
    /// A sentence that names the word that is wrong, its position and the nearest valid word.
    let problem: String
    /// The command that shows the valid choices; nil is the help of what the command line is about.
    let see: String?
    /// Where the problem is, if it is in a file.
    let location: SourceLocation?
    /// The keys that lead to what is wrong in a case of `check --cases`; none if it is the case.
    var place: [String] = []

    /// The problem after its place in a file.
    var text: String { (location.map { "\($0): " } ?? "") + problem }
    var description: String { text }

    init(_ problem: String, see: String? = nil, at location: SourceLocation? = nil) {
        self.problem = problem
        self.see = see
        self.location = location
    }
}

/// Errors that are found in several places.
extension UsageError {
    /// Returns this error as one about what these keys of a case lead to.
    func at(_ place: String...) -> UsageError {
        var copy = self
        copy.place = place
        return copy
    }

    static func unknownOption(_ word: CommandLineWord, _ hint: String) -> UsageError {
        UsageError("unknown option \(word.shown)\(hint)")
    }

    static func unexpectedArgument(_ word: CommandLineWord, _ suggestion: String? = nil) -> UsageError {
        UsageError("unexpected argument \(word.shown)" + (suggestion.map { "; did you mean \($0)?" } ?? ""))
    }

    static func invalidValue(option: String, value: String, expected: String, position: Int?) -> UsageError {
        UsageError("\(option)\(CommandLineWord.at(position)): expected \(expected), got '\(value)'")
    }

    /// An invalid value that must not be shown, or need not be.
    static func unusableValue(option: String, problem: String, position: Int?) -> UsageError {
        UsageError("\(option)\(CommandLineWord.at(position)): \(problem)")
    }

    static func conflict(_ one: String, _ other: String) -> UsageError {
        UsageError("\(one) and \(other) can't be used together")
    }

    static func valueExpected(_ option: String, _ placeholder: String, _ position: Int) -> UsageError {
        UsageError("\(option)\(CommandLineWord.at(position)) needs a value: \(option) \(placeholder)")
    }

    static func noValueTaken(_ option: String, _ value: String, _ position: Int) -> UsageError {
        UsageError("\(option)\(CommandLineWord.at(position)) takes no value, but was given '\(value)'")
    }

    /// Checks that at most one of these words reads stdin.
    static func check(readers words: [CommandLineWord]) throws(UsageError) {
        let readers = words.filter(\.isStdin).sorted { $0.position < $1.position }
        if readers.count > 1 { throw UsageError("\(readers[1].shown) would read stdin a second time") }
    }

    /// Checks that no two options name the same file to write, and none a file in the directory of `--record`.
    static func check(
        outputs: [(option: String, path: String?)], record: String? = nil, _ files: any FileSystem
    ) throws(UsageError) {
        func realDirectory(_ path: String) -> String {
            files.realPath(path.isEmpty ? "." : path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
        }
        var owners: [String: String] = [:]
        for case (let option, let path?) in outputs {
            let words = "--\(option) \(path)"
            let place = files.realPath(path == "-" ? "/dev/stdout" : path)
            if let other = owners.updateValue(words, forKey: place) { throw conflict(other, words) }
            if let record, realDirectory(FilePlace.directory(of: place)) == realDirectory(record) {
                throw conflict("--record \(record)", words)
            }
        }
    }

    /// Returns the error that a file is wrong at that place.
    static func invalidFile(
        _ name: String, line: Int, column: Int, problem: String, see: String? = nil
    ) -> UsageError {
        UsageError(problem, see: see, at: SourceLocation(file: name, line: line, column: column))
    }

    /// A file is not one JSON document; `hint` is added to what the text has in place of JSON.
    static func notJSON(_ error: any Error, in name: String, hint: String = "") -> UsageError {
        guard let error = error as? JSONSyntaxError else { return UsageError("\(name): \(error)") }
        return invalidFile(name, line: error.line, column: error.column, problem: error.problem + hint)
    }

    static func invalidHeader(name: String, problem: String) -> UsageError {
        UsageError("header '\(name)': \(problem)")
    }
}
