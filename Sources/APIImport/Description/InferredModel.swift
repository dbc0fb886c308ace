import JSONText

/// A type that is declared.
final class InferredModel: Hashable {
    /// A member of an object, as it is declared in a structure.
    struct Property: Hashable {
        /// In JSON.
        let key: String
        /// Without null.
        var type: InferredType
        var isOptional: Bool
        /// Where it was first seen.
        var path = ""
        /// What it is for, in a sentence.
        var summary = ""
        /// Whether it is the content of a file.
        var isFile = false
        /// Whether only responses have it.
        var isReadOnly = false
        /// Whether it may be null, which in a change is something else than absent.
        var isNullable = false
        /// Whether it must be there, and be it null.
        var isRequired = false
        /// Whether the document says that it will be removed.
        var isDeprecated = false
        /// What it is in an example, if the document has one.
        var example: JSONValue?
    }

    struct Alternative: Hashable {
        /// The text that tells it apart.
        var tag = ""
        let type: InferredType
    }

    enum Form: Hashable {
        case structure([Property])
        /// Values told apart by the text of the member with that key; without one, by what can be decoded first.
        case union([Alternative], key: String? = nil)
        /// One of these texts, or integers.
        case values([String], areIntegers: Bool = false)
    }

    var form: Form
    /// The type of an object's other members, which are none of the fields; nil if there are none.
    var others: InferredType?
    /// The names that a document gives to the values of an enum, in their order; empty if it names none.
    var valueNames: [String] = []
    var name = "JSONValue"
    /// Those of its name, if a document gives it one.
    var words: [String]?
    /// The words of its name if another model has the name with ``words``; nil if there are no others.
    var longWords: [String]?
    /// The Swift names of its fields, alternatives or texts, in their order.
    var labels: [String] = []
    /// What it is, in a sentence.
    var summary = ""
    /// Whether it is part of requests, so that people make values of it.
    var isSent = false
    /// Whether it is part of responses, whose enums may get values that are added later.
    var isReceived = false
    /// Whether it is a change, of which a field that is null is removed and one that is absent stays.
    var isChange = false

    init(_ form: Form) { self.form = form }

    static func == (one: InferredModel, other: InferredModel) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Those of a structure.
    var fields: [Property] {
        get { if case .structure(let fields) = form { fields } else { [] } }
        set { form = .structure(newValue) }
    }

    /// Whether a field of it is `Nullable`.
    func sendsNull(_ field: Property) -> Bool {
        field.isNullable && (isSent && !field.isOptional || isChange && !isReceived)
    }

    /// Whether its values are listed.
    var isListed: Bool { if case .values = form { true } else { false } }

    /// The kind of JSON that its values are.
    var jsonKind: JSONDocument.Kind {
        if case .values(_, let areIntegers) = form { areIntegers ? .number : .string } else { .object }
    }

    /// What its values hold.
    var parts: [InferredType] {
        switch form {
        case .structure(let fields): fields.map(\.type) + (others.map { [.dictionary($0)] } ?? [])
        case .union(let all, _): all.map(\.type)
        case .values: []
        }
    }

    /// The models that its values are made of.
    var held: [InferredModel] { parts.compactMap(\.leaf.model) }
    /// The same without those in arrays and dictionaries.
    var direct: [InferredModel] { parts.compactMap(\.model) }
}
