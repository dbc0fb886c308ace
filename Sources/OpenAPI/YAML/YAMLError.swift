/// An error in a YAML text, or a value in it that JSON does not have.
package struct YAMLError: Error, Equatable, CustomStringConvertible {
    /// The place of the error in the YAML text.
    package let place: TextPlace
    package let problem: Problem

    /// The reason why a text can't be converted to JSON.
    package enum Problem: Equatable, Sendable {
        /// The text is not YAML.
        ///
        /// - Parameters:
        ///   - problem: The problem in libyaml's words, such as `did not find expected key`.
        ///   - context: The construct in libyaml's words, such as `while parsing a block mapping`.
        ///   - contextStart: The place where that construct starts.
        case syntax(problem: String, context: String?, contextStart: TextPlace?)
        /// A tab stands where only spaces may be, such as at the start of a line.
        case tab
        /// The text has a control character, such as a zero byte.
        case controlCharacter
        /// The bytes are neither UTF-8 nor UTF-16.
        case encoding
        /// The text has no document: it is empty, or has only comments.
        case noDocument
        /// A second document starts here. The first one is at the place given.
        case severalDocuments(first: TextPlace)
        /// The text is longer than a JSON text may be.
        case tooLong(limit: Int)
        /// Collections are nested too deeply, aliases included.
        case tooDeep(limit: Int)
        /// Flow collections (`[…]`, `{…}`) are nested too deeply.
        case flowTooDeep(limit: Int)
        /// The text has too many `%TAG` directives.
        case tooManyTagDirectives(limit: Int)
        /// The values that aliases repeat are too large together.
        case repeatedTooOften(limit: Int)
        /// An alias has the name of no anchor before it.
        case unknownAnchor(String)
        /// An alias stands inside the node that it repeats.
        case aliasOfItself(String)
        /// A mapping has two equal keys. The first one is at the place given.
        case duplicateKey(String, first: TextPlace)
        /// A key is a sequence or a mapping.
        case keyNotScalar
        /// The value of the merge key `<<` is neither a mapping nor a sequence of mappings.
        case mergedNotMapping
        /// Infinity or "not a number", such as `.inf`.
        case notFinite(String)
        /// A hexadecimal or octal number has more than 64 bits.
        case integerTooLarge(String)
        /// The node is not of the type that its tag names.
        case tagMismatch(YAMLTag)
    }

    package var description: String { "\(place): \(message)" }

    /// The problem in words, without its place.
    package var message: String {
        switch problem {
        case .syntax(let problem, let context, let contextStart):
            Self.syntaxMessage(problem, context: context, contextStart: contextStart)
        case .tab: "expected spaces, found a tab"
        case .controlCharacter: "expected text, found a control character"
        case .encoding: "expected text in UTF-8 or UTF-16, found other bytes"
        case .noDocument: "the document is empty"
        case .severalDocuments(let first): "expected one document, found a second one; the first is at \(first)"
        case .tooLong(let limit): "the document is longer than \(limit) bytes"
        case .tooDeep(let limit): "expected at most \(limit) levels of nesting, found more"
        case .flowTooDeep(let limit): "expected at most \(limit) levels of nested [ ] and { }, found more"
        case .tooManyTagDirectives(let limit): "expected at most \(limit) %TAG directives, found more"
        case .repeatedTooOften(let limit): "the aliases up to here repeat more than \(limit) bytes"
        case .unknownAnchor(let name): "no anchor '&\(name)' stands before the alias '*\(name)'"
        case .aliasOfItself(let name): "the alias '*\(name)' stands inside the node that it repeats"
        case .duplicateKey(let key, let first): "the key \(key) is at \(first) already"
        case .keyNotScalar: "expected a scalar as key, found a sequence or mapping"
        case .mergedNotMapping: "expected a mapping, or a sequence of mappings, as the value of '<<'"
        case .notFinite(let text): "JSON has no number '\(text)'; quote it if it is a string"
        case .integerTooLarge(let text): "the number '\(text)' has more than 64 bits"
        case .tagMismatch(let tag): "expected a value that fits the tag '\(tag.rawValue)'"
        }
    }

    /// Returns a message such as
    /// `did not find expected key while parsing a block mapping that starts at line 3, column 5`.
    ///
    /// - Parameters:
    ///   - problem: The problem in libyaml's words.
    ///   - context: The construct in libyaml's words; nil if libyaml names none.
    ///   - contextStart: The place where the construct starts; nil if there is no construct.
    private static func syntaxMessage(_ problem: String, context: String?, contextStart: TextPlace?) -> String {
        guard let context else { return problem }
        guard let contextStart else { return "\(problem) \(context)" }
        return "\(problem) \(context) that starts at \(contextStart)"
    }
}
