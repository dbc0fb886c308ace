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
    case model(InferredModel)

    /// Whether it may be null, and the type without that.
    var unwrapped: (type: InferredType, isOptional: Bool) {
        if case .optional(let type) = self { (type, true) } else { (self, false) }
    }

    var isEnum: Bool { if case .values? = model?.form { true } else { false } }

    /// The same, also null.
    var orNull: InferredType { .optional(unwrapped.type) }

    /// What the values in lists and dictionaries are in the end.
    var leaf: InferredType {
        switch self {
        case .optional(let type), .array(let type), .dictionary(let type): type.leaf
        default: self
        }
    }

    /// The model that a value is, if it is one.
    var model: InferredModel? { if case .model(let model) = unwrapped.type { model } else { nil } }

    /// What has the values of both; nil if nothing has but an enum or `JSONValue`.
    func merged(with other: InferredType) -> InferredType? {
        switch (self, other) {
        case _ where self == other: return self
        case (.optional(let one), _): return one.merged(with: other.unwrapped.type)?.orNull
        case (_, .optional): return other.merged(with: self)
        case (.json, _), (_, .unknown): return self
        case (_, .json), (.unknown, _): return other
        case (.array(let one), .array(let other)): return one.merged(with: other).map { .array($0) }
        case (.dictionary(let one), .dictionary(let other)): return one.merged(with: other).map { .dictionary($0) }
        case _ where jsonKind == .string && other.jsonKind == .string: return .string
        case (.model(let model), _) where model.jsonKind == .number: return InferredType.integer.merged(with: other)
        case (_, .model(let model)) where model.jsonKind == .number: return merged(with: .integer)
        case (.integer, .decimal), (.decimal, .integer): return .decimal
        case (.integer, .double), (.double, .integer), (.decimal, .double), (.double, .decimal): return .double
        default: return nil
        }
    }

    /// Whether a value has a text.
    var isScalar: Bool {
        switch self {
        case .bool, .integer, .decimal, .double, .string, .date: true
        case .model(let model): model.isListed
        default: false
        }
    }

    /// Whether a command line has a word for each value, or for each element.
    var isPlain: Bool { if case .array(let element) = self { element.isPlain } else { isScalar && self != .decimal } }

    /// The kind of JSON that its values are; nil if they are of several, or may be null.
    var jsonKind: JSONDocument.Kind? {
        switch self {
        case .bool: .boolean
        case .integer, .decimal, .double: .number
        case .string, .date: .string
        case .array: .array
        case .dictionary: .object
        case .model(let model): model.jsonKind
        case .json, .unknown, .optional: nil
        }
    }

    /// Why it, or what is in it, is `JSONValue`; nil if it is not.
    var reasonForJSON: String? {
        switch leaf {
        case .unknown(let reason), .json(let reason): reason
        default: nil
        }
    }

    /// The module of a type in it that is not Swift's.
    var module: String? {
        switch leaf {
        case .unknown, .json: "EndpointKit"
        case .decimal, .date: "Foundation"
        default: nil
        }
    }

    /// The type as it is written; `isOpen` if an enum may get values that are added later.
    func text(isOpen: Bool = true) -> String {
        switch self {
        case .unknown, .json: "JSONValue"
        case .bool: "Bool"
        case .integer: "Int"
        case .decimal: "Decimal"
        case .double: "Double"
        case .string: "String"
        case .date: "Date"
        case .optional(let type): type.text(isOpen: isOpen) + "?"
        case .array(let type): "[\(type.text(isOpen: isOpen))]"
        case .dictionary(let type): "[String: \(type.text(isOpen: isOpen))]"
        case .model(let model): isOpen && model.isListed ? "Open<\(model.name)>" : model.name
        }
    }
}

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

    /// Makes the fields in a type wide enough for its samples: a field of which nothing was known may have got the type of others.
    static func widen(_ type: InferredType, for samples: [JSONDocument]) {
        var open = samples.map { (value: JSONValue($0), type: type, field: (model: InferredModel, index: Int)?.none) }
        while let (value, type, field) = open.popLast() {
            switch type {
            case .unknown, .json: break
            case .optional(let inner): if !value.isNull { open.append((value, inner, field)) }
            case .model(let model) where model.fields.isEmpty:
                guard case .union(let all, let key) = model.form else { break }
                let tag = key.flatMap { value[$0]?.string } ?? ""
                let own = all.filter { $0.tag == tag && (key != nil || $0.type.jsonKind == value.kind) }
                open += own.map { (value, $0.type, field) }
            case _ where type.jsonKind != value.kind, .integer where Int64(value.number ?? "") == nil,
                .date where value.string.flatMap(DateText.parse) == nil:
                field?.model.fields[field?.index ?? 0].type = .json("its values differ")
            case .array(let element): open += (value.elements ?? []).map { ($0, element, field) }
            case .dictionary(let element): open += (value.members ?? []).map { ($0.value, element, field) }
            case .model(let model):
                let members = Dictionary((value.members ?? []).map { ($0.key, $0.value) }) { $1 }
                for (index, own) in model.fields.enumerated() {
                    if let member = members[own.key], !member.isNull {
                        open.append((member, own.type, (model, index)))
                    } else if !own.isOptional {
                        model.fields[index].isOptional = true
                    }
                }
            default: break
            }
        }
    }

    /// Visits models, and those that they lead to, as far as they are new.
    static func visit(
        _ models: [InferredModel], to next: (InferredModel) -> [InferredModel] = \.held,
        where isNew: (InferredModel) -> Bool
    ) {
        var open = models
        while let model = open.popLast() { if isNew(model) { open += next(model) } }
    }

    /// Returns the models that hold themselves, directly or through others, but not in an array or dictionary.
    ///
    /// These are the strongly connected components of the graph of models, found as Kosaraju does: in linear time, and
    /// without recursion, because a document chooses the depth.
    static func recursive(among models: [InferredModel]) -> Set<InferredModel> {
        let order = finishingOrder(models)
        var holders: [InferredModel: [InferredModel]] = [:]
        for model in order {
            for held in model.direct { holders[held, default: []].append(model) }
        }
        var result = Set(order.filter { $0.direct.contains($0) })
        var visited: Set<InferredModel> = []
        for model in order.reversed() {
            var component: [InferredModel] = []
            visit([model], to: { holders[$0] ?? [] }) { model in
                guard visited.insert(model).inserted else { return false }
                component.append(model)
                return true
            }
            if component.count > 1 { result.formUnion(component) }
        }
        return result
    }

    /// Returns models, and those that they hold directly, in the order in which a depth-first search leaves them.
    private static func finishingOrder(_ models: [InferredModel]) -> [InferredModel] {
        enum Step {
            case enter(InferredModel)
            case leave(InferredModel)
        }
        var order: [InferredModel] = []
        var seen: Set<InferredModel> = []
        var steps = models.map(Step.enter)
        while let step = steps.popLast() {
            switch step {
            case .leave(let model): order.append(model)
            case .enter(let model):
                guard seen.insert(model).inserted else { continue }
                steps.append(.leave(model))
                steps += model.direct.map(Step.enter)
            }
        }
        return order
    }

    /// Whether one of `models` may be or hold that model other than in an array or dictionary.
    static func lead(_ models: [InferredModel], to model: InferredModel) -> Bool {
        var seen: Set<InferredModel> = []
        visit(models, to: \.direct) { !seen.contains(model) && seen.insert($0).inserted }
        return seen.contains(model)
    }
}
