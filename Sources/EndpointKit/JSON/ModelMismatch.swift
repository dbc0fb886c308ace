import JSONText

/// JSON text that is valid but does not fit the model.
public struct ModelMismatch: Error, Sendable, Equatable, CustomStringConvertible {
    /// The Swift name of the model.
    public let model: String
    /// The path of the value from the root: `$.results[3].id`.
    public let path: String
    /// What is wrong with it: `expected integer, found string "x"`.
    public let problem: String
    /// The line of the value in the text, from 1; nil if the value is not in the text.
    public let line: Int?
    /// The column in Unicode scalars, from 1; nil if ``line`` is.
    public let column: Int?

    /// A mismatch; the texts are not escaped for a terminal.
    public init(model: String, path: String, problem: String, line: Int?, column: Int?) {
        self.model = model
        self.path = path
        self.problem = problem
        self.line = line
        self.column = column
    }

    init(_ model: String, _ mismatch: JSONMismatch) {
        self.init(
            model: model, path: mismatch.path.pathText, problem: mismatch.problem,
            line: mismatch.line, column: mismatch.column)
    }

    public var description: String {
        let place = line.flatMap { line in column.map { " (line \(line), column \($0))" } } ?? ""
        return "\(path): \(problem)\(place)"
    }
}
