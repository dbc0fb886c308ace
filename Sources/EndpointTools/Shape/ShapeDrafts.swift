import EndpointKit
import JSONText

/// Everything that is known of models and the types in them while their shapes are learned.
///
/// A draft collects what a type asks for, decoding by decoding. ``ShapeResolver`` makes shapes of the drafts in the
/// end.
final class ShapeDrafts {
    /// One draft for each model to learn. The last one is being decoded.
    var roots: [ShapeDraft] = []
    var types: [ObjectIdentifier: TypeDraft] = [:]
    /// The types that may have more cases, or more ways to decode themselves, than have been decoded.
    var queue: ArraySlice<TypeDraft> = []
    /// A value of each type that was decoded. It takes the place of other values of the type in all decodings.
    let fitting = FittingValues()

    /// Returns the draft of a type, which collects what the type asks for.
    ///
    /// A new type gets a new draft. It is also queued, because it may have more cases, or more ways to decode itself,
    /// than one decoding shows.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - level: The number of types around the type. It is only used for a new draft.
    func findOrAddDraft(of type: any Decodable.Type, level: Int) -> TypeDraft {
        if let existingDraft = types[ObjectIdentifier(type)] { return existingDraft }
        let draft = TypeDraft(type, level: level)
        types[ObjectIdentifier(type)] = draft
        queue.append(draft)
        return draft
    }
}

/// The kinds of values that a type has read at one place so far.
final class ShapeDraft {
    /// The kinds of texts, numbers and booleans.
    private(set) var scalars: [Shape.Scalar] = []
    /// The Swift type of a text, number or boolean that was noted last.
    private var lastScalarType: ObjectIdentifier?
    /// The types that decode themselves at this place.
    private(set) var types: [ObjectIdentifier] = []
    private(set) var fields: [FieldDraft] = []
    /// The draft of the elements of an array, or of the values of a dictionary.
    private(set) lazy var element: ShapeDraft = ShapeDraft()
    var takesAnything = false
    var takesNull = false
    var isArray = false
    var isDictionary = false
    var isObject = false
    /// Whether the object is an enum with associated values: the fields are its cases, of which one is there.
    var hasCases = false
    /// The index of the field that is probably asked for next.
    private var expectedField = 0

    /// Whether the place holds only texts, numbers or booleans, which no type with an `init(from:)` of its own reads.
    var isScalar: Bool {
        if scalars.isEmpty || !types.isEmpty { return false }
        return !takesNull && !isArray && !isDictionary && !isObject
    }

    /// Notes that a type decodes itself at this place.
    func noteType(_ type: any Decodable.Type) {
        let id = ObjectIdentifier(type)
        if !types.contains(id) { types.append(id) }
    }

    /// Notes that a scalar type was read at this place.
    ///
    /// - Parameters:
    ///   - type: The Swift type.
    ///   - kindsOfValues: Returns the kinds of values that the type reads. It is only called if the type is not the one
    ///     noted last.
    func noteScalarType(_ type: Any.Type, kindsOfValues: () -> [Shape.Scalar]) {
        // Most places read the same type again and again.
        guard lastScalarType != ObjectIdentifier(type) else { return }
        lastScalarType = ObjectIdentifier(type)
        for scalar in kindsOfValues() where !scalars.contains(scalar) { scalars.append(scalar) }
    }

    /// Returns the field with a key, which is added if it is new.
    func findOrAddField(_ key: String) -> FieldDraft {
        // A type asks for the same keys in the same order each time, so note where the search for the next one starts.
        let index = findOrAddFieldIndex(key)
        let isLast = index == fields.count - 1
        expectedField = isLast ? 0 : index + 1
        return fields[index]
    }

    /// Returns the index of the field with a key, which is added if it is new.
    private func findOrAddFieldIndex(_ key: String) -> Int {
        // Mostly this is the field after the one that was asked for last, so a search is rarely needed.
        if expectedField < fields.count, fields[expectedField].key == key { return expectedField }
        if let index = fields.firstIndex(where: { $0.key == key }) { return index }
        fields.append(FieldDraft(key: key))
        return fields.count - 1
    }

    /// Whether a type has asked for a field with a key.
    func hasField(_ key: String) -> Bool { fields.contains { $0.key == key } }

    /// Returns the draft of the value that a coding key leads to from here.
    ///
    /// All elements of an array share a draft, and so do the values of a dictionary. Any other key is that of a field,
    /// which is added if it is new.
    func findOrAddChild(_ key: any CodingKey) -> ShapeDraft {
        let isElementOfArray = isArray && key.intValue != nil
        let isValueOfDictionary = isDictionary && !hasField(key.stringValue)
        if isElementOfArray || isValueOfDictionary { return element }
        return findOrAddField(key.stringValue).valueDraft
    }
}

/// A field of an object, as far as it is known.
final class FieldDraft {
    /// The key of the model.
    let key: String
    /// The key in the text, which the coding may have converted.
    var name: String?
    /// Whether the type asked for the field as one that may be absent.
    var isOptional = false
    /// The number of complete decodings of its type in which the field was asked for.
    private(set) var timesAsked = 0
    /// The number of the last decoding in ``timesAsked``, so that each counts once.
    private var lastDecoding = 0
    let valueDraft = ShapeDraft()

    init(key: String) { self.key = key }

    /// Counts that a decoding asked for the field. A decoding that asks for it twice is counted once.
    func countAsked(inDecoding number: Int) {
        guard lastDecoding != number else { return }
        lastDecoding = number
        timesAsked += 1
    }
}

/// A type that decodes itself, as far as it is known.
final class TypeDraft {
    let type: any Decodable.Type
    let valueDraft = ShapeDraft()
    /// The number of types around it where it was met first.
    let level: Int
    /// The number of times that the type was decoded to the end.
    var timesCompleted = 0

    /// The number of cases of an enum with associated values.
    var caseCount = 0
    /// The number of the cases that have been made up.
    var casesMadeUp = 0
    /// The number of forms that the type tries in turn, such as two for `Int`, then `String`.
    var formCount = 0
    /// The number of the last form that was decoded with the forms before it skipped.
    var formsLearned = 0

    /// Whether the type has yet to be decoded alone.
    var mustBeDecodedAlone = false
    /// The number of times that the type was decoded alone because of ``mustBeDecodedAlone``.
    var attempts = 0

    init(_ type: any Decodable.Type, level: Int) {
        self.type = type
        self.level = level
    }
}
