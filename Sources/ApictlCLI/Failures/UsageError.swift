import JSONText

/// A command line, or a file that a person has written for this tool, is wrong.
struct UsageError: Error, Equatable, CustomStringConvertible {
    /// A sentence that names the word that is wrong, its position and the nearest valid word.
    let problem: String
    /// The command that shows the valid choices; nil is the help of what the command line is about.
    let see: String?
    /// Where the problem is, if it is in a file.
    let location: SourceLocation?

    /// The problem after its place in a file.
    var text: String { (location.map { "\($0): " } ?? "") + problem }
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

/// Errors that are found in several places.
extension UsageError {
    static func unknownOption(_ word: SourcedText, _ hint: String) -> UsageError {
        UsageError("unknown option \(word.shown)\(hint)", from: word.source)
    }

    static func unexpectedArgument(_ word: SourcedText, _ suggestion: String? = nil) -> UsageError {
        let question = suggestion.map { "; did you mean \($0)?" } ?? ""
        return UsageError("unexpected argument \(word.shown)" + question, from: word.source)
    }

    static func invalidValue(option: String, value: String, expected: String, source: ValueSource) -> UsageError {
        unusableValue(option: option, problem: "expected \(expected), got '\(value)'", source: source)
    }

    /// An invalid value that must not be shown, or need not be.
    static func unusableValue(option: String, problem: String, source: ValueSource) -> UsageError {
        UsageError("\(option)\(source.suffix): \(problem)", from: source)
    }

    static func conflict(_ one: String, _ other: String) -> UsageError {
        UsageError("\(one) and \(other) can't be used together")
    }

    static func valueExpected(_ option: String, _ placeholder: String, _ source: ValueSource) -> UsageError {
        UsageError("\(option)\(source.suffix) needs a value: \(option) \(placeholder)", from: source)
    }

    static func noValueTaken(_ option: String, _ value: String, _ source: ValueSource) -> UsageError {
        UsageError("\(option)\(source.suffix) takes no value, but was given '\(value)'", from: source)
    }

    /// Checks that at most one of these words reads stdin.
    static func check(readers words: [SourcedText]) throws(UsageError) {
        let readers = words.filter(\.isStdin).sorted { $0.source.position ?? 0 < $1.source.position ?? 0 }
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

    static func invalidHeader(name: String, problem: String, source: ValueSource) -> UsageError {
        UsageError("header '\(name)': \(problem)", from: source)
    }
}
