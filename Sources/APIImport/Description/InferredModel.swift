import JSONText

/// A Swift type that an import declares: a structure, a class or an enum.
///
/// It is a class, so that types can refer to a model before its fields and its name are known.
final class InferredModel: Hashable {
    /// A member of an object, as it is declared in a structure.
    struct Property: Hashable {
        /// The key of the member in JSON.
        let key: String
        /// The type of the values other than null.
        var type: InferredType
        var isOptional: Bool
        /// The path to the member in the sample where it was first seen.
        var path = ""
        /// A sentence about the meaning of the member; empty if nothing tells it.
        var summary = ""
        /// Whether the value is the content of a file.
        var isFile = false
        /// Whether only responses have the member.
        var isReadOnly = false
        /// Whether only requests have the member.
        var isWriteOnly = false
        /// Whether the value may be null. In a change such as a merge patch, null and absence mean different things.
        var isNullable = false
        /// Whether the member must be there, even if its value is null.
        var isRequired = false
        /// Whether the document says that the member will be removed.
        var isDeprecated = false
        /// The value of the member in an example of the document; nil if there is none.
        var example: JSONValue?
    }

    /// A type that values of a union may have.
    struct Alternative: Hashable {
        /// The text that only values of this alternative have under the union's key: `cat` in `{"kind": "cat"}`.
        var tag = ""
        let type: InferredType
    }

    /// The kind of declaration that the model becomes.
    enum Form: Hashable {
        case structure([Property])
        /// An enum with an associated value for each of several types.
        ///
        /// The text under `key` tells which type a value has. Without a key, the value has the first type as which it
        /// can be decoded.
        case union([Alternative], key: String? = nil)
        /// An enum of listed values. The texts are integers if `areIntegers` is true.
        case values([String], areIntegers: Bool = false)
    }

    var form: Form
    /// The type of the members that are not among the fields; nil if there are no such members.
    var additionalProperties: InferredType?
    /// The names that a document gives to the values of an enum, in the order of the values; empty if there are no
    /// names.
    var valueNames: [String] = []
    var name = "JSONValue"
    /// The words of the name that a document gives to the model; nil if it gives none.
    var words: [String]?
    /// The words that are used instead of ``words`` if another model has that name; nil if there are none.
    var longWords: [String]?
    /// The Swift names of its fields, alternatives or listed values, in their order.
    var memberNames: [String] = []
    /// A sentence about the meaning of the model; empty if nothing tells it.
    var summary = ""
    /// Whether the model is part of requests, so that people make values of it.
    var isSent = false
    /// Whether the model is part of responses, whose enums may get values that are added later.
    var isReceived = false
    /// Whether the model is a change of a resource: a field that is null is removed, and one that is absent stays.
    var isChange = false

    init(_ form: Form) { self.form = form }

    static func == (one: InferredModel, other: InferredModel) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The fields of a structure; empty for another form.
    var fields: [Property] {
        get { if case .structure(let fields) = form { fields } else { [] } }
        set { form = .structure(newValue) }
    }

    /// Whether a field is declared as `Nullable`, so that null can be sent.
    ///
    /// It is in two cases: if the field must be sent and may be null, and in a change such as a merge patch, where null
    /// removes the field and absence keeps it.
    func sendsNull(_ field: Property) -> Bool {
        field.isNullable && (isSent && !field.isOptional || isChange && !isReceived)
    }

    /// Whether the model is an enum of listed values.
    var isListed: Bool { if case .values = form { true } else { false } }

    /// The kind of JSON of the model's values.
    var jsonKind: JSONDocument.Kind {
        if case .values(_, let areIntegers) = form { areIntegers ? .number : .string } else { .object }
    }

    /// The types of the model's fields and of its additional properties, or of its associated values.
    var containedTypes: [InferredType] {
        switch form {
        case .structure(let fields):
            fields.map(\.type) + [additionalProperties].compactMap(\.self).map(InferredType.dictionary)
        case .union(let alternatives, _): alternatives.map(\.type)
        case .values: []
        }
    }

    /// The models of ``containedTypes``, also those in arrays and dictionaries.
    var containedModels: [InferredModel] { containedTypes.compactMap(\.leaf.model) }
    /// The models of ``containedTypes``, without those in arrays and dictionaries.
    var inlineModels: [InferredModel] { containedTypes.compactMap(\.model) }
}
