/// The values that a type has read at one place so far.
final class ShapeDraft {
    private(set) var scalars: [Shape.Scalar] = []
    /// The types that decode themselves there.
    private(set) var types: [ObjectIdentifier] = []
    private(set) var fields: [FieldDraft] = []
    private var fieldIndex: [String: Int] = [:]
    /// The elements of an array or the values of a dictionary.
    private(set) lazy var element: ShapeDraft = ShapeDraft()
    private(set) var takesAnything = false
    var isArray = false
    var isDictionary = false
    var isObject = false
    /// Whether the object is an enum with values: the fields are its cases, of which one is there.
    var hasCases = false
    var takesNull = false

    init() {}

    func add(_ scalar: Shape.Scalar) { if !scalars.contains(scalar) { scalars.append(scalar) } }
    func add(_ type: ObjectIdentifier) { if !types.contains(type) { types.append(type) } }
    func addAnything() { takesAnything = true }

    /// The field of that key, which is made if it is new.
    func field(_ key: String) -> FieldDraft {
        if let index = fieldIndex[key] { return fields[index] }
        let field = FieldDraft(name: key)
        fieldIndex[key] = fields.count
        fields.append(field)
        return field
    }

    /// The draft of what a coding key leads to.
    func child(_ key: any CodingKey) -> ShapeDraft {
        if isDictionary || isArray && key.intValue != nil { return element }
        return field(key.stringValue).value
    }
}

/// A field of an object of which a ``ShapeDraft`` is made.
final class FieldDraft {
    /// As it is in the text.
    var name: String
    var isNamed = false
    /// Whether it was asked for as one that may be absent.
    var isOptional = false
    /// How often it was asked for while its type was decoded to the end, each time counted once.
    var timesAsked = 0
    let value = ShapeDraft()

    init(name: String) { self.name = name }
}

/// The fields seen so far of one type with keyed decoding.
final class TypeDraft {
    let type: Any.Type
    /// The values of an enum that takes no others.
    let allowedValues: [Shape.AllowedValue]?
    let value = ShapeDraft()
    /// How often it was decoded to the end.
    var timesCompleted = 0
    /// Of an enum with values: how many cases it has, and how many of them were made up.
    var (caseCount, casesMadeUp) = (0, 0)

    init(_ type: Any.Type, allowedValues: [Shape.AllowedValue]?) {
        self.type = type
        self.allowedValues = allowedValues
        value.takesNull = type is any OptionalValue.Type
    }

    /// An enum with values, which has no raw values: to search for those takes a tenth of a millisecond.
    init(enumWithValues type: Any.Type) {
        self.type = type
        allowedValues = nil
    }
}

private protocol OptionalValue {}

extension Optional: OptionalValue {}
extension Nullable: OptionalValue {}
