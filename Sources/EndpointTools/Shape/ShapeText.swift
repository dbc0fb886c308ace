import EndpointKit
import JSONText

/// A word of a shape's name.
package struct ShapeWord: Sendable, Equatable {
    package let text: String
    /// Whether the word is the name of a model, so that documentation can link to it.
    package let isModel: Bool

    fileprivate init(_ text: String, isModel: Bool = false) {
        self.text = text
        self.isModel = isModel
    }
}

extension Shape {
    /// The most values that the name of an enum lists. A list of all currencies would fill a screen.
    private static let maxValues = 20

    /// The name of the shape, such as `[Movie] or null`.
    package var name: String { words.map(\.text).joined() }

    /// The name of the shape in words, of which some are names of models: `[`, `Movie`, `]`, ` or null`.
    package var words: [ShapeWord] {
        switch self {
        case .scalar(.url): [ShapeWord("URL")]
        case .scalar(.uuid): [ShapeWord("UUID")]
        case .scalar(.data): [ShapeWord("Base64 string")]
        case .scalar(let scalar): [ShapeWord(scalar.name)]
        case .values(let values): [ShapeWord(Self.textListing(values))]
        case .array(let element): [ShapeWord("[")] + element.words + [ShapeWord("]")]
        case .dictionary(let element): [ShapeWord("[string: ")] + element.words + [ShapeWord("]")]
        case .object, .open, .variants: [ShapeWord("object")]
        case .model(let name): [ShapeWord(name, isModel: true)]
        case .nullable(let shape): shape.words + [ShapeWord(" or null")]
        case .alternatives(let shapes): Array(shapes.map(\.words).joined(separator: [ShapeWord(" or ")]))
        case .null: [ShapeWord("null")]
        case .any: [ShapeWord("any JSON")]
        }
    }

    /// Returns the values of an enum as they are shown at a terminal, strings without quotes: `small | large`.
    private static func textListing(_ values: [JSONValue]) -> String {
        var texts = values.prefix(maxValues).map { TerminalText.escaped($0.string ?? $0.description) }
        if values.count > maxValues { texts.append("…") }
        return texts.joined(separator: " | ")
    }

    /// The expected value of a parameter in the words of a sentence, with an article: `an integer`.
    package var phrase: String {
        switch self {
        case .scalar(.boolean): "true or false"
        case .scalar(.integer): "an integer"
        case .scalar(.number): "a number"
        case .scalar(.string): "text"
        case .scalar(.data): "Base64"
        case .scalar(.url): "a URL"
        case .scalar(.uuid): "a UUID"
        case .scalar(.date): "an ISO 8601 date such as 2026-11-21 or 2026-11-21T09:30:00Z"
        case .values: "one of " + (choices ?? []).joined(separator: ", ")
        case .array(let element): element.phrase
        case .dictionary: "KEY=VALUE, or a JSON object"
        case .object, .open, .variants: "a JSON object"
        case .nullable(let shape): shape.phrase + ", or null"
        case .model, .alternatives, .null, .any: "JSON"
        }
    }

    /// The bounds of an integer, such as `-128 to 127`; nil if only the bounds of 64 bits are known.
    package var bounds: String? {
        guard case .scalar(.integer(let range?)) = self else { return nil }
        let lower = Double(range.lowerBound)
        // `Int.max` means that there is no upper limit.
        let hasUpperLimit = range.upperBound != .max
        let upper = hasUpperLimit ? Double(range.upperBound) : .infinity
        // The text of the bounds does not depend on the rule's parameter, so that has no name.
        return ParameterRule.range("", lower...upper).bounds
    }

    /// The values of an enum as they are typed on a command line; nil if the shape is no enum.
    package var choices: [String]? { if case .values(let values) = self { values.map(\.text) } else { nil } }
}
