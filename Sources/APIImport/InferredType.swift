import JSONText

/// The Swift type of the values at a place.
indirect enum InferredType: Hashable {
    /// Nothing tells a type; why, such as "only null was seen".
    case unknown(String)
    /// `JSONValue`, for another reason.
    case json(String)
    case bool, integer, decimal, double, string, date
    /// Some of the values are null.
    case optional(InferredType)
    case array(InferredType)
    case dictionary(InferredType)
    /// The type at this index of ``Inference/models``.
    case model(Int)

    static var onlyNull: InferredType { .optional(.unknown("only null was seen")) }

    /// Whether it may be null, and the type without that.
    var unwrapped: (type: InferredType, isOptional: Bool) {
        if case .optional(let type) = self { (type, true) } else { (self, false) }
    }

    /// What has the values of both; nil if nothing has but an enum or `JSONValue`.
    func merged(with other: InferredType) -> InferredType? {
        switch (self, other) {
        case _ where self == other: return self
        case (.optional(let one), _):
            let (other, _) = other.unwrapped
            return one.merged(with: other).map { .optional($0) }
        case (_, .optional): return other.merged(with: self)
        case (.json, _), (_, .unknown): return self
        case (_, .json), (.unknown, _): return other
        case (.array(let one), .array(let other)): return one.merged(with: other).map { .array($0) }
        case (.dictionary(let one), .dictionary(let other)): return one.merged(with: other).map { .dictionary($0) }
        case (.string, .date), (.date, .string): return .string
        case (.integer, .decimal), (.decimal, .integer): return .decimal
        case (.integer, .double), (.double, .integer), (.decimal, .double), (.double, .decimal): return .double
        default: return nil
        }
    }

    /// The same, also null.
    var orNull: InferredType { .optional(unwrapped.type) }

    /// What it is made of, unless it is a model.
    private var inner: InferredType? {
        switch self {
        case .optional(let type), .array(let type), .dictionary(let type): type
        default: nil
        }
    }

    /// All models in it.
    var models: [Int] { if case .model(let model) = self { [model] } else { inner?.models ?? [] } }

    /// Whether a command line has a word for each value, or for each element.
    var isPlain: Bool {
        switch self {
        case .bool, .integer, .double, .string: true
        case .array(let element): element.isPlain
        default: false
        }
    }

    /// Whether it is neither a scalar nor a list.
    var holdsJSON: Bool {
        switch self {
        case .json, .unknown, .dictionary, .model: true
        default: false
        }
    }

    /// The model that a value is, if it is one.
    var model: Int? {
        switch self {
        case .model(let model): model
        case .optional(let type): type.model
        default: nil
        }
    }

    /// The kind of JSON that its values are; nil if they are of several, or may be null.
    func jsonKind(_ models: [InferredModel]) -> JSONDocument.Kind? {
        switch self {
        case .bool: .boolean
        case .integer, .decimal, .double: .number
        case .string, .date: .string
        case .array: .array
        case .dictionary: .object
        case .model(let model): models[model].isText ? .string : .object
        case .json, .unknown, .optional: nil
        }
    }

    /// Why it, or what is in it, is `JSONValue`; nil if it is not.
    var reasonForJSON: String? {
        switch self {
        case .unknown(let reason), .json(let reason): reason
        default: inner?.reasonForJSON
        }
    }

    /// The modules of the types that are not Swift's.
    var imports: Set<String> {
        switch self {
        case .unknown, .json: ["EndpointKit"]
        case .decimal, .date: ["Foundation"]
        default: inner?.imports ?? []
        }
    }

    /// The type as it is written, with the names of models.
    func text(_ name: (Int) -> String) -> String {
        switch self {
        case .unknown, .json: return "JSONValue"
        case .bool: return "Bool"
        case .integer: return "Int"
        case .decimal: return "Decimal"
        case .double: return "Double"
        case .string: return "String"
        case .date: return "Date"
        case .optional(let type): return type.text(name) + "?"
        case .array(let type): return "[\(type.text(name))]"
        case .dictionary(let type): return "[String: \(type.text(name))]"
        case .model(let model): return name(model)
        }
    }
}

/// A type that is declared.
struct InferredModel {
    struct Field: Hashable {
        /// As the API's coding gives it for the key in JSON.
        var key: String
        /// In JSON, as first seen.
        var sentKey: String
        var type: InferredType
        var isOptional: Bool
        /// Where it was first seen.
        var path: String
        /// What it is for, in a sentence.
        var summary = ""
        /// Whether only responses have it.
        var isReadOnly = false
        /// Whether it may be null, which in a change is something else than absent.
        var isNullable = false
    }

    /// Objects with a text.
    struct Tagged: Hashable {
        let tag: String
        let model: Int
    }

    enum Form: Hashable {
        case structure([Field])
        /// A value of one of several JSON kinds.
        case kinds([InferredType])
        /// Objects told apart by the text of a member, which is known by its key.
        case tagged(key: String, cases: [Tagged])
        /// One of these texts.
        case values([String])
    }

    var form: Form
    /// What it is, in a sentence.
    var summary = ""
    /// Whether it is part of requests, so that people make values of it.
    var isSent = false
    /// Whether it is part of responses, which may have texts in the place of enums that nobody knows yet.
    var isReceived = false
    /// Whether it is a change, of which a field that is null is removed and one that is absent stays.
    var isChange = false
    /// Whether it may hold itself, so that it must be a class.
    var holdsItself = false

    init(form: Form) { self.form = form }

    var fields: [Field] {
        get { if case .structure(let fields) = form { fields } else { [] } }
        set { form = .structure(newValue) }
    }

    /// Whether a field of it is `Nullable`.
    func sendsNull(_ field: Field) -> Bool { isChange && !isReceived && field.isNullable && field.isOptional }

    /// Whether its values are texts.
    var isText: Bool { if case .values = form { true } else { false } }

    /// The models that its values hold, other than in an array or dictionary.
    var direct: [Int] { parts.compactMap(\.model) }

    /// The same with the keys that a coding gives; of fields whose keys become equal, the first.
    func coded(by coding: Coding) -> InferredModel {
        guard case .structure(let fields) = form else { return self }
        var copy = self
        var keys: Set<String> = []
        copy.form = .structure(
            fields.compactMap { field in
                var field = field
                field.key = coding.modelKey(field.sentKey)
                return keys.insert(field.key).inserted ? field : nil
            })
        return copy
    }

    /// What its values hold.
    var parts: [InferredType] {
        switch form {
        case .structure(let fields): fields.map(\.type)
        case .kinds(let types): types
        case .tagged(_, let cases): cases.map { .model($0.model) }
        case .values: []
        }
    }
}

extension [InferredModel] {
    /// In how many models one is searched for.
    private static var mostSearched: Int { 200 }

    /// Whether values of a form may hold one of that model other than in an array or dictionary, which no structure can; of a form that holds too
    /// many, it is supposed.
    func holds(_ form: InferredModel.Form, _ model: Int) -> Bool {
        var open = InferredModel(form: form).direct
        var seen: Set<Int> = []
        while let next = open.popLast() {
            if next == model || seen.count >= Self.mostSearched { return true }
            if seen.insert(next).inserted { open += self[next].direct }
        }
        return false
    }
}
