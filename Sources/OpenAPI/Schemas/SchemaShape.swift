import EndpointTools
import JSONText

/// The shape of a schema's values, with notes about what the shape does not say.
package struct SchemaShape: Sendable {
    /// The shape of the whole value.
    package let root: Shape
    /// The models that ``Shape/model(_:)`` names: named objects, and named schemas that hold themselves or are large.
    package let models: [ModelShape.Model]
    /// The parts of the schema that were not understood, in the order in which they were met.
    package let notes: [SchemaNote]

    /// The shape without the notes.
    package var modelShape: ModelShape { ModelShape(root: root, models: models) }
}

/// Whether a value is sent or received (`readOnly` and `writeOnly`).
package enum SchemaDirection: Sendable {
    case request, response

    /// The keyword of values that are not sent, or not received.
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
        /// A reference that leads nowhere.
        case unresolved(expected: String, found: String)
        /// A schema that is neither an object nor a boolean.
        case noSchema
        /// The schema `false`, which no value matches.
        case nothingAllowed
        /// A `type` that JSON Schema does not know.
        case unknownType
        /// A keyword that is ignored, so that the shape accepts more than the schema.
        case ignoredKeyword(String)
        /// More ignored keywords than have notes, beginning with those of this schema.
        case furtherKeywords
        /// A schema with more schemas inside than are read.
        case tooDeep
        /// A schema with more alternatives than are told apart.
        case tooManyAlternatives
        /// A schema whose `allOf` brings together more members than are read.
        case tooManyMembers
        /// A lower bound above the upper bound, or a bound that is no number.
        case invalidBounds
        /// A schema that is part of its own `allOf`.
        case holdsItself
    }

    package let reason: Reason
    /// The schema that the note is about.
    let place: JSONValue

    /// Makes a note about a schema, or about a part of it.
    init(_ reason: Reason, _ place: JSONValue) {
        self.reason = reason
        self.place = place
    }

    /// Whether the shape is that of the schema without a keyword.
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

    /// The pointer to the schema. It is made when it is asked for, because that takes time.
    package var pointer: String { JSONPointer.text(of: place) }
}
