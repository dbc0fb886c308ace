import EndpointKit

extension OperationNote {
    /// The note as a sentence: `callbacks are left out (#/paths/~1pets/post/callbacks)`.
    var sentence: String {
        switch reason {
        case .callbacks: "callbacks are left out (\(pointer))"
        case .links: "links are left out (\(pointer))"
        case .undefinedStyle(let parameter, let style, let location):
            "the style \(style.rawValue) is not defined for '\(parameter)' in the \(location.rawValue) (\(pointer))"
        case .severalMediaTypes(let parameter):
            "of several media types of '\(parameter)', the first one is used (\(pointer))"
        case .unreadable(let error): "\(error)"
        }
    }
}

/// Sentences about parts of a document that are left out.
enum OmissionSentences {
    /// The most sentences about security schemes, and about servers. A longer list would be hard to read.
    fileprivate static let maxCount = 20

    /// Returns a sentence about each security scheme that is required, but that the document does not describe.
    ///
    /// - Parameter names: The names of the schemes. The result has at most ``maxCount`` sentences.
    static func unknownSchemes(_ names: [String]) -> [String] {
        names.prefix(maxCount).map { "there is no security scheme '\($0)' that can be read" }
    }
}

extension DocumentServers {
    /// Sentences about the servers that can't be used.
    var problemSentences: [String] { problems.prefix(OmissionSentences.maxCount).map(\.description) }
}

extension SchemaNote {
    /// The note as a sentence: `the keyword pattern is not checked (#/components/schemas/Pet)`.
    var sentence: String {
        switch reason {
        case .unresolved(let expected, let found): "expected \(expected), found \(found) (\(pointer))"
        case .noSchema: "expected a schema, which is an object or a boolean (\(pointer))"
        case .nothingAllowed: "no value matches this schema, so any is accepted (\(pointer))"
        case .unknownType: "the type is unknown, so any value is accepted (\(pointer))"
        case .ignoredKeyword(let keyword): "the keyword \(keyword) is not checked (\(pointer))"
        case .furtherKeywords: "further keywords are not checked, from here on (\(pointer))"
        case .tooDeep: "nested too deeply, so any value is accepted (\(pointer))"
        case .tooManyAlternatives: "too many alternatives, so any value is accepted (\(pointer))"
        case .tooManyMembers: "too many members, so some are left out (\(pointer))"
        case .invalidBounds: "the bounds contradict each other or are no numbers (\(pointer))"
        case .holdsItself: "part of its own allOf, which is left out (\(pointer))"
        }
    }
}
