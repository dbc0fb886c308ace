import EndpointKit
import EndpointTools

/// The words of a command line, checked against the command's options.
struct CommandWords<Options: CommandOptions>: Sendable {
    var options = Options()
    /// All words of the command line.
    var all: [String] = []
    /// The words that are not options.
    var others: [SourcedText] = []
    /// The endpoint and its parameters; nil unless the command is about a call and an endpoint is named.
    var call: CallWords?
    let registry: APIRegistry
    let commands: [any Command.Type]

    /// Begins the call of the endpoint or URL that the words other than options name, and keeps it in ``call``.
    ///
    /// Without such words, it does nothing.
    ///
    /// - Parameter mayBeURL: Whether the first word may be a URL.
    /// - Returns: The endpoint; nil for a URL, and without other words.
    /// - Throws: ``UsageError`` if there is no such endpoint, or if the URL can't be used.
    @discardableResult
    mutating func beginCall(mayBeURL: Bool = false) throws -> EndpointDeclaration? {
        if mayBeURL, let word = others.first, CalledURL.isURL(word.text) {
            call = CallWords(try CallRequest(CalledURL(word)))
            return nil
        }
        guard let name = try registry.joinedName(others) else { return nil }
        let declaration = try registry.endpoint(name)
        call = CallWords(CallRequest(declaration))
        return declaration
    }

    /// Checks the number of words that are not options.
    ///
    /// - Throws: ``UsageError`` if there are more than `count`.
    func requireAtMost(_ count: Int) throws(UsageError) {
        if others.count > count { throw .unexpectedArgument(others[count]) }
    }
}
