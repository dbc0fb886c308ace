import EndpointKit
import EndpointTools

/// The words of a command line, sorted by their meaning: the values of the command's options, its operands, and the
/// call that it is about.
struct CommandWords<Options: CommandOptions>: Sendable {
    /// The values of the command's options.
    var options = Options()
    /// All words of the command line, as they were typed.
    var all: [String] = []
    /// The words that are not options, in their order.
    var operands: [SourcedText] = []
    /// The endpoint and its parameters; nil unless the command is about a call and an endpoint is named.
    var call: CallWords?
    let registry: APIRegistry
    let commands: [any Command.Type]

    /// Begins the call of the endpoint or URL that ``operands`` name, and stores it in ``call``. If there are no such
    /// words, it does nothing.
    ///
    /// - Parameter mayBeURL: Whether the first word may be a URL.
    /// - Returns: The endpoint; nil for a URL, and if there are no words.
    /// - Throws: ``UsageError`` if there is no such endpoint, or if the URL can't be used.
    @discardableResult
    mutating func beginCall(mayBeURL: Bool = false) throws -> EndpointDeclaration? {
        if mayBeURL, let word = operands.first, CalledURL.isURL(word.text) {
            call = CallWords(try CallRequest(CalledURL(word)))
            return nil
        }
        guard let name = try registry.joinedName(operands) else { return nil }
        let declaration = try registry.endpoint(name)
        call = CallWords(CallRequest(declaration))
        return declaration
    }

    /// Checks that at most `count` words are not options.
    ///
    /// - Throws: ``UsageError`` about the first word that is too many.
    func requireAtMost(_ count: Int) throws(UsageError) {
        if operands.count > count { throw .unexpectedArgument(operands[count]) }
    }
}
