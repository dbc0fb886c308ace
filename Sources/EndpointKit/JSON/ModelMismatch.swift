import JSONText

/// JSON text that is valid but does not fit the model.
public struct ModelMismatch: Error, Sendable, Equatable, CustomStringConvertible {
    /// The Swift name of the model.
    public let model: String
    /// Where, as a path from the root: `$.results[3].id`.
    public let path: String
    /// What is wrong there: `expected integer, found string "x"`.
    public let problem: String
    /// The line and column of that place in the text, from 1; nil if the path leads nowhere.
    public let line: Int?
    /// Unicode scalars, not bytes, from the start of the line; nil with ``line``.
    public let column: Int?

    /// A mismatch in these words, which are not made safe for a terminal here.
    public init(model: String, path: String, problem: String, line: Int?, column: Int?) {
        self.model = model
        self.path = path
        self.problem = problem
        self.line = line
        self.column = column
    }

    init(_ model: any Any.Type, _ mismatch: JSONMismatch) {
        self.init(
            model: TypeName.text(of: model), path: JSONLocator.text(of: mismatch.path), problem: mismatch.problem,
            line: mismatch.line, column: mismatch.column)
    }

    public var description: String {
        let place = line.flatMap { line in column.map { " (line \(line), column \($0))" } } ?? ""
        return "\(path): \(problem)\(place)"
    }
}
