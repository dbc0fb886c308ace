import EndpointKit
import JSONText

/// Finds the types of values.
///
/// Values of one place are looked at together, level by level, so that the cost is linear in their text.
struct Inference {
    /// Values inside of more objects and lists than this are `JSONValue`, because nobody reads so many types.
    private static let deepestLevel = 32
    /// Lists inside of more lists than this are `JSONValue`. The compiler takes long for `[[[[[[[Int]]]]]]].self`.
    private static let deepestNesting = 6
    /// An object with more keys is a dictionary.
    static let mostFields = DictionaryRule.mostFields
    /// The number of models with the same keys that a new one is compared with. Objects with the same keys but other types
    /// are rare.
    private static let mostCompared = 4

    /// A value of an object, to be found again.
    struct Slot: Hashable {
        let document: ObjectIdentifier
        let slot: Int
    }

    /// Where values are in the samples. The path is safe to print on a terminal: its keys are cut and quoted.
    struct SampleLocation {
        var path = "$"
        /// The last key on the way.
        var key = ""
        var level = 0
        /// How many lists and dictionaries are around it, without an object.
        var nesting = 0

        func element(_ key: String? = nil) -> SampleLocation {
            let step = key.map { JSONPathComponent.key(String($0.unicodeScalars.prefix(40))).text } ?? "[*]"
            return SampleLocation(
                path: path + step, key: key ?? self.key, level: level + 1, nesting: key == nil ? nesting + 1 : 0)
        }
    }

    private let hasISODates: Bool
    /// Whether names of keys tell more than the samples do: a price is a `Double` although only integers were seen.
    private let readsNames: Bool
    private let maps: Set<Slot>
    private let structures: Set<Slot>
    private(set) var models: [InferredModel] = []
    private(set) var notes: [String] = []
    /// The starts of the keys of properties that are optional because of their names only, safe for a terminal.
    private(set) var optionalKeys: Set<String> = []
    /// Whether a model got other types than those of its own values, because it is also the model of other objects with
    /// the same keys. Its values may not fit these types.
    private(set) var hasMergedTypes = false
    private var known: [InferredModel.Form: InferredModel] = [:]
    /// Structures by their sorted keys.
    private var byKeys: [[String]: [InferredModel]] = [:]

    /// Prepares the inference of types for samples.
    ///
    /// - Parameters:
    ///   - coding: How the API codes dates.
    ///   - maps: The objects that are dictionaries, whatever their keys look like.
    ///   - structures: The objects that are structures.
    ///   - readsNames: Whether names of keys tell more than the samples do.
    init(_ coding: Coding, maps: Set<Slot>, structures: Set<Slot>, readsNames: Bool = true) {
        hasISODates = if case .iso8601 = coding.dates { true } else { false }
        self.readsNames = readsNames
        self.maps = maps
        self.structures = structures
    }

    /// Returns the type of values that are at one place.
    mutating func type(of values: [JSONValue], at place: SampleLocation) -> InferredType {
        let kinds = Dictionary(grouping: values, by: \.kind)
        var types: [InferredType] = []
        if kinds[.boolean] != nil { types.append(.bool) }
        if let numbers = kinds[.number] { types.append(number(numbers.compactMap(\.number), at: place)) }
        if let strings = kinds[.string] { types.append(string(strings.compactMap(\.string))) }
        if let lists = kinds[.array] { types.append(array(lists.flatMap { $0.elements ?? [] }, at: place)) }
        if let objects = kinds[.object] { types.append(object(objects, at: place)) }
        let type: InferredType
        switch types.count {
        case 0: return .optional(.unknown("only null was seen"))
        case 1: type = types[0]
        case 2...3: type = union(types, hasList: kinds[.array] != nil, hasObject: kinds[.object] != nil)
        default: type = .json("values of more than three kinds were seen")
        }
        return kinds[.null] == nil ? type : type.orNull
    }

    /// Returns an enum of values of several kinds. If one of them has fractions, all numbers may have some.
    ///
    /// - Parameters:
    ///   - types: The types of the kinds. An object comes last, and a list before it.
    ///   - hasList: Whether one of the kinds is a list.
    ///   - hasObject: Whether one of the kinds is an object.
    private mutating func union(_ types: [InferredType], hasList: Bool, hasObject: Bool) -> InferredType {
        var types = types
        // If only empty lists or objects came, their type is unknown.
        let objectIndex = types.count - 1
        if hasObject, types[objectIndex].isUnknown { types[objectIndex] = .dictionary(types[objectIndex]) }
        let listIndex = hasObject ? objectIndex - 1 : objectIndex
        if hasList, types[listIndex].isUnknown { types[listIndex] = .array(types[listIndex]) }
        if types.contains(where: { $0.leaf == .double }) { types = types.map(\.withFractions) }
        return intern(.union(types.map { .init(type: $0) }))
    }

    // MARK: Scalars

    /// Last words of names whose values have fractions sooner or later.
    private static let fractions: Set<String> = [
        "average", "avg", "confidence", "cost", "distance", "lat", "latitude", "lng", "lon", "longitude", "mean",
        "median", "percent", "percentage", "popularity", "price", "probability", "rate", "rating", "ratio", "score",
        "temperature", "weight",
    ]

    /// Returns the type of numbers, by their texts.
    private mutating func number(_ texts: [String], at place: SampleLocation) -> InferredType {
        let fractions = texts.filter { $0.utf8.contains { UInt8(ascii: ".") == $0 || $0 | 0x20 == UInt8(ascii: "e") } }
        let large = texts.first { Int64($0) == nil }
        if fractions.isEmpty, let large {
            guard texts.allSatisfy({ $0.utf8.count <= 38 }) else { return double(texts) }
            addNote(place, "Decimal, because \(large) does not fit an Int")
            return .decimal
        }
        if fractions.isEmpty {
            guard readsNames, let word = SwiftNames.words(place.key).last, Self.fractions.contains(word) else {
                return .integer
            }
            addNote(place, "Double by its name, although only integers were seen")
            return .double
        }
        if fractions.allSatisfy({ Int(exactly: Double($0) ?? .nan) != nil }) {
            addNote(place, "Double, because \(fractions[0].prefix(40)) came")
        }
        return double(texts)
    }

    private func double(_ texts: [String]) -> InferredType {
        texts.allSatisfy { Double($0)?.isFinite == true } ? .double : .json("a number was seen that no type can hold")
    }

    /// Returns the type of strings: `Date` if all of them are times.
    ///
    /// A day alone is a `String`, because it would be another day in another time zone.
    private func string(_ texts: [String]) -> InferredType {
        hasISODates && texts.allSatisfy { $0.utf8.count > 10 && DateText.parse($0) != nil } ? .date : .string
    }

    private mutating func array(_ elements: [JSONValue], at place: SampleLocation) -> InferredType {
        if elements.isEmpty { return .unknown("only [] was seen") }
        return typeOfDeepValues(place) ?? .array(type(of: elements, at: place.element()))
    }

    /// Returns the type of values that are nested too deeply for a type of their own; nil for others.
    private func typeOfDeepValues(_ place: SampleLocation) -> InferredType? {
        let isTooDeep = place.level >= Self.deepestLevel || place.nesting >= Self.deepestNesting
        return isTooDeep ? .unknown("it is nested too deeply") : nil
    }

    // MARK: Objects

    /// Words of keys that many objects lack, although the samples may have them.
    private static let oftenMissing: Set<String> = [
        "alt", "avatar", "backdrop", "barcode", "bio", "body", "caption", "closed", "company", "completed", "cursor",
        "deleted", "description", "draft", "email", "error", "expires", "homepage", "image", "language", "level",
        "license", "merged", "next", "notes", "official", "opening", "parent", "phone", "photo", "photos", "poster",
        "prev", "previous", "published", "rank", "rating", "ratings", "release", "sku", "subtitle", "suffix", "summary",
        "tagline", "thumbnail", "website",
    ]

    /// The values of a key in several objects, and in how many of them it is: an object may have it twice.
    typealias Member = (key: String, values: [JSONValue], count: Int)

    /// Returns the members of several objects by their keys, in the order in which they are first seen.
    private static func members(_ objects: [JSONValue]) -> [Member] {
        var members: [Member] = []
        var indices: [String: Int] = [:]
        /// The number of the last object that has each member.
        var lastObjects: [Int] = []
        for (number, object) in objects.enumerated() {
            for (key, value) in object.members ?? [] {
                let index = indices[key] ?? members.count
                if index == members.count {
                    indices[key] = index
                    members.append((key, [], 0))
                    lastObjects.append(-1)
                }
                members[index].values.append(value)
                if lastObjects[index] == number { continue }
                lastObjects[index] = number
                members[index].count += 1
            }
        }
        return members
    }

    /// Returns the type of objects at one place: a dictionary, an enum of kinds, or a structure.
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - isKind: Whether they are of one kind of an enum, so that they are not divided again.
    ///   - place: The place.
    private mutating func object(
        _ objects: [JSONValue], isKind: Bool = false, at place: SampleLocation
    ) -> InferredType {
        let members = Self.members(objects)
        if members.isEmpty { return .unknown("only {} was seen") }
        if let type = typeOfDeepValues(place) { return type }
        if let rule = DictionaryRule(members, choice: choice(of: objects)) {
            addNote(place, "a dictionary, because \(rule.reason)")
            return dictionary(members, at: place)
        }
        if !isKind, let tagged = TaggedObjects(objects, members) { return union(tagged, at: place) }
        let tree = NestedTree(objects, members)
        return tree.keys.isEmpty
            ? structure(members.map { field($0, count: objects.count, at: place) }) : structure(tree, at: place)
    }

    /// Returns whether options say that objects are dictionaries; nil if they say nothing.
    private func choice(of objects: [JSONValue]) -> Bool? {
        let slots = objects.lazy.map(\.inferenceSlot)
        if !maps.isEmpty, slots.contains(where: maps.contains) { return true }
        if !structures.isEmpty, slots.contains(where: structures.contains) { return false }
        return nil
    }

    /// Returns the type of a dictionary. Many values that differ would be many types, and are JSON of any kind.
    private mutating func dictionary(_ members: [Member], at place: SampleLocation) -> InferredType {
        let values = members.flatMap(\.values)
        let objects = values.lazy.filter { $0.kind == .object }
        guard members.count <= Self.mostFields || objects.isEmpty || DictionaryRule.haveOneShape(objects) else {
            return .dictionary(.json("its values differ"))
        }
        return .dictionary(type(of: values, at: place.element()))
    }

    /// Returns an enum whose cases are the kinds of objects.
    private mutating func union(_ tagged: TaggedObjects, at place: SampleLocation) -> InferredType {
        let kinds = tagged.groups.map { group in
            InferredModel.Alternative(tag: group.tag, type: object(group.objects, isKind: true, at: place))
        }
        addNote(place, "an enum by its \(SwiftLiteral.string(tagged.key))")
        let alternatives = kinds.filter { $0.type.model != nil }
        InferredModel.shareFractions(alternatives.compactMap(\.type.model))
        return intern(.union(alternatives, key: tagged.key))
    }

    /// Returns a structure that holds itself in lists.
    private mutating func structure(_ tree: NestedTree, at place: SampleLocation) -> InferredType {
        let model = add(.structure([]))
        model.fields = Self.members(tree.objects).map { member in
            let isNested = tree.keys.contains(member.key)
            // The nested objects are among those of the tree already.
            let values = isNested ? [] : member.values
            var field = field((member.key, values, member.count), count: tree.objects.count, at: place)
            if isNested { field.type = .array(.model(model)) }
            return field
        }
        byKeys[model.fields.map(\.key).sorted(), default: []].append(model)
        return .model(model)
    }

    /// Returns the property for a member of `count` objects.
    private mutating func field(_ member: Member, count: Int, at place: SampleLocation) -> InferredModel.Property {
        let place = place.element(member.key)
        let (type, isNull) = type(of: member.values, at: place).unwrapped
        let isKnown = isNull && !member.values.isEmpty || member.count < count
        let isLikely = readsNames && !Self.oftenMissing.isDisjoint(with: SwiftNames.words(member.key))
        if isLikely, !isKnown {
            optionalKeys.insert(TerminalText.escaped(String(member.key.unicodeScalars.prefix(40))))
        }
        return .init(key: member.key, type: type, isOptional: isKnown || isLikely, path: place.path)
    }

    /// Returns a known structure with the same keys that can have these types too, or a new one.
    private mutating func structure(_ fields: [InferredModel.Property]) -> InferredType {
        let others = Dictionary(uniqueKeysWithValues: fields.map { ($0.key, $0) })
        let keys = others.keys.sorted()
        for model in byKeys[keys, default: []].prefix(Self.mostCompared) {
            let merged = model.fields.compactMap { $0.merged(with: others[$0.key]) }
            let areMergeable = merged.count == fields.count
            guard areMergeable, !InferredModel.lead(merged.compactMap(\.type.model), to: model) else { continue }
            let areEqual = model.fields.allSatisfy { $0.type == others[$0.key]?.type }
            if !areEqual { hasMergedTypes = true }
            model.fields = merged
            return .model(model)
        }
        let model = add(.structure(fields))
        byKeys[keys, default: []].append(model)
        return .model(model)
    }

    /// Returns the model of a form that is no structure. Equal forms share a model.
    private mutating func intern(_ form: InferredModel.Form) -> InferredType {
        let model = known[form] ?? add(form)
        known[form] = model
        return .model(model)
    }

    private mutating func add(_ form: InferredModel.Form) -> InferredModel {
        models.append(InferredModel(form))
        return models[models.count - 1]
    }

    /// Adds a note about the values at a place.
    private mutating func addNote(_ place: SampleLocation, _ text: String) { notes.append("\(place.path): \(text)") }
}

extension InferredModel.Property {
    /// Returns the field that has the values of this field and of another one with the same key; nil if no type has the
    /// values of both.
    fileprivate func merged(with other: InferredModel.Property?) -> InferredModel.Property? {
        guard let other, let type = type.merged(with: other.type) else { return nil }
        var merged = self
        merged.type = type
        merged.isOptional = isOptional || other.isOptional
        return merged
    }
}

extension JSONValue {
    /// The place of the value among several documents.
    var inferenceSlot: Inference.Slot { .init(document: ObjectIdentifier(document), slot: slot) }
}
