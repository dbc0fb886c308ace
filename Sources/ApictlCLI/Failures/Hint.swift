/// A line after the message of a failure, which says where the problem is or what may help.
enum Hint: Sendable, Equatable {
    /// A text that is useful to everybody.
    case fact(String)
    /// Advice that names options of the command line, which agents don't have.
    case options(String)

    var text: String {
        switch self {
        case .fact(let text), .options(let text): text
        }
    }

    /// Whether agents get the hint. They can't use advice about options.
    var isForAgents: Bool { if case .fact = self { true } else { false } }

    /// Returns this hint with a changed text.
    ///
    /// - Parameter change: Returns the new text for the old one, such as one without secrets.
    func with(_ change: (String) -> String) -> Hint {
        switch self {
        case .fact(let text): .fact(change(text))
        case .options(let text): .options(change(text))
        }
    }
}
