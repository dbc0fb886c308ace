import EndpointTools
import JSONText

/// The shape of a schema's values, with notes about the parts of the schema that the shape leaves out.
package struct SchemaShape: Sendable {
    /// The shape of the whole value.
    package let root: Shape
    /// The models that ``Shape/model(_:)`` names: named objects, and named schemas that are recursive or large.
    package let models: [ModelShape.Model]
    /// The notes about the schema and its models, in the order in which they were made.
    package let notes: [SchemaNote]

    /// The shape without the notes.
    package var modelShape: ModelShape { ModelShape(root: root, models: models) }
}

/// Whether a value is sent or received.
package enum SchemaDirection: Sendable {
    case request, response

    /// The keyword that excludes a value from this direction. A `readOnly` value is not sent.
    var excludingKeyword: String {
        switch self {
        case .request: "readOnly"
        case .response: "writeOnly"
        }
    }
}

/// A part of a schema that was not understood.
package struct SchemaNote: Sendable {
    /// The reason why a part was not understood.
    package enum Reason: Sendable, Hashable {
        /// A `$ref` that can't be resolved.
        case unresolved(expected: String, found: String)
        /// A schema that is neither an object nor a boolean.
        case noSchema
        /// The schema `false`, which no value matches.
        case nothingAllowed
        /// A `type` that JSON Schema does not know.
        case unknownType
        /// A keyword that is ignored. The shape accepts more values than the schema.
        case ignoredKeyword(String)
        /// Further ignored keywords, from this schema on. Only a limited number of keywords get notes of their own.
        case furtherKeywords
        /// A schema inside of too many other schemas.
        case tooDeep
        /// A schema with too many alternatives.
        case tooManyAlternatives
        /// A schema whose `allOf` has too many members.
        case tooManyMembers
        /// A lower bound above the upper bound, or a bound that is not a number.
        case invalidBounds
        /// A schema that is part of its own `allOf`.
        case holdsItself
    }

    package let reason: Reason
    /// The schema that the note is about.
    let place: JSONValue

    /// Creates a note about a schema, or about a part of it.
    init(_ reason: Reason, about place: JSONValue) {
        self.reason = reason
        self.place = place
    }

    /// Whether the note is about an ignored keyword: the rest of the schema was understood.
    package var isIgnoredKeyword: Bool { if case .ignoredKeyword = reason { true } else { false } }

    /// The part of the schema that is not compared with values.
    var uncomparedPart: UncomparedPart {
        switch reason {
        case .ignoredKeyword(let keyword): UncomparedPart(.keyword(keyword), of: place)
        case .furtherKeywords: UncomparedPart(.furtherKeywords, of: place)
        case .unresolved, .noSchema, .nothingAllowed, .unknownType, .tooDeep, .tooManyAlternatives, .tooManyMembers,
            .invalidBounds, .holdsItself:
            UncomparedPart(.schema, of: place)
        }
    }

    /// The JSON pointer to the schema, such as `#/components/schemas/Pet`. It is found by a search of the document.
    package var pointer: String { JSONPointer.text(of: place) }
}
