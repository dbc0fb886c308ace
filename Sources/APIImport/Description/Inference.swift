import EndpointKit
import JSONText

/// Infers the Swift types of JSON values from samples.
///
/// The values at one place of all samples are looked at together, such as all prices in a list of products. Each level
/// of the samples is read once, so that the time grows with the size of the samples only.
struct Inference {
    /// Values inside of more objects and lists than this are `JSONValue`, because nobody reads so many types.
    private static let deepestLevel = 32
    /// Lists inside of more lists than this are `JSONValue`. The compiler takes long for `[[[[[[[Int]]]]]]].self`.
    private static let deepestNesting = 6
    /// An object with more keys is a dictionary.
    static let mostFields = DictionaryRule.mostFields
    /// The number of structures with the same keys that a new one is compared with. Samples rarely have more of them.
    private static let mostCompared = 4
    /// The most characters of a key or number in paths and notes. A hostile server could send very long ones.
    private static let maxShownLength = 40

    /// The identity of a value in the samples: its document, and its position there.
    struct Slot: Hashable {
        let document: ObjectIdentifier
        let slot: Int
    }

    /// A place in the samples, such as `$.results[*].price`.
    struct SampleLocation {
        /// The path in JSONPath. It is safe to print on a terminal, because its keys are cut and quoted.
        var path = "$"
        /// The last key in the path.
        var key = ""
        /// The number of objects and lists around the values.
        var level = 0
        /// The number of lists and dictionaries around the values up to the next object.
        var nesting = 0

        /// Returns the location of the values under a key: `$.pet` → `$.pet.name`.
        func member(_ key: String) -> SampleLocation {
            let shownKey = String(key.unicodeScalars.prefix(maxShownLength))
            let pathOfMember = path + JSONPathComponent.key(shownKey).text
            return SampleLocation(path: pathOfMember, key: key, level: level + 1, nesting: 0)
        }

        /// The location of the elements of a list, or of the values of a dictionary: `$.pets` → `$.pets[*]`.
        var elements: SampleLocation {
            SampleLocation(path: path + "[*]", key: key, level: level + 1, nesting: nesting + 1)
        }
    }

    /// Whether texts such as `2026-01-31T12:00:00Z` are dates.
    private let hasISODates: Bool
    /// Whether names of keys tell more than the samples do: a price is a `Double` although only integers were seen.
    private let readsNames: Bool
    /// The objects that are dictionaries, whatever their keys look like.
    private let maps: Set<Slot>
    /// The objects that are structures, whatever their keys look like.
    private let structures: Set<Slot>
    private(set) var models: [InferredModel] = []
    /// Remarks about types, for people to read: `$.price: Double by its name, although only integers were seen`.
    private(set) var notes: [String] = []
    /// The starts of the keys of properties that are optional because of their names only, safe for a terminal.
    private(set) var optionalKeys: Set<String> = []
    /// Whether a structure got types of other objects with the same keys. The values of the structure may not fit them.
    private(set) var hasMergedTypes = false
    /// The models of enums by their forms, so that equal enums are one model.
    private var enums: [InferredModel.Form: InferredModel] = [:]
    /// The structures by their sorted keys.
    private var structuresByKeys: [[String]: [InferredModel]] = [:]

    /// Prepares the inference of types for samples.
    ///
    /// - Parameters:
    ///   - coding: How the API codes dates.
    ///   - maps: The objects that are dictionaries, whatever their keys look like.
    ///   - structures: The objects that are structures, even if their keys look like those of a dictionary.
    ///   - readsNames: Whether names of keys tell more than the samples do: a `price` is a `Double` even if it was 5.
    init(_ coding: Coding, maps: Set<Slot>, structures: Set<Slot>, readsNames: Bool = true) {
        hasISODates = if case .iso8601 = coding.dates { true } else { false }
        self.readsNames = readsNames
        self.maps = maps
        self.structures = structures
    }

    /// Returns one type for all values at a place of the samples: `1`, `2.5` → `Double`.
    ///
    /// Values of two or three kinds of JSON, such as texts and numbers, become an enum with associated values. If some
    /// of the values are null, the type is optional.
    ///
    /// New models are added to ``models``, and remarks about types to ``notes``.
    mutating func inferType(of values: [JSONValue], at location: SampleLocation) -> InferredType {
        let types = typesOfKinds(of: values, at: location)
        let type: InferredType
        switch types.count {
        case 0: type = .unknown("only null was seen")
        case 1: type = types[0]
        case 2...3: type = typeOfSeveralKinds(types)
        default: type = .json("values of more than three kinds were seen")
        }
        // A list of no values is treated like null.
        let mayBeNull = types.isEmpty || values.contains(where: \.isNull)
        return mayBeNull ? type.orNull : type
    }

    /// Returns a type for each kind of JSON among values, without null: `1`, `"a"`, `2` → `Int`, `String`.
    private mutating func typesOfKinds(of values: [JSONValue], at location: SampleLocation) -> [InferredType] {
        let valuesByKind = Dictionary(grouping: values, by: \.kind)
        let hasSeveralKinds = valuesByKind.keys.count { $0 != .null } > 1
        var types: [InferredType] = []
        if valuesByKind[.boolean] != nil { types.append(.bool) }
        if let numbers = valuesByKind[.number] {
            types.append(typeOfNumbers(numbers.compactMap(\.number), at: location))
        }
        if let strings = valuesByKind[.string] { types.append(typeOfStrings(strings.compactMap(\.string))) }
        if let lists = valuesByKind[.array] {
            let elements = lists.flatMap { $0.elements ?? [] }
            let type = typeOfLists(with: elements, at: location)
            // Beside other kinds, `[]` is known to be a list at least.
            types.append(hasSeveralKinds && type.isUnknown ? .array(type) : type)
        }
        if let objects = valuesByKind[.object] {
            let type = typeOfObjects(objects, at: location)
            types.append(hasSeveralKinds && type.isUnknown ? .dictionary(type) : type)
        }
        return types
    }

    /// Returns the enum for values of several kinds of JSON, with a case for the type of each kind.
    ///
    /// If one of the types has fractions, all numbers may have some: `Double`, `[Int]` → `Double`, `[Double]`.
    private mutating func typeOfSeveralKinds(_ types: [InferredType]) -> InferredType {
        let haveFractions = types.contains { $0.leaf == .double }
        let alternatives = haveFractions ? types.map(\.withFractions) : types
        return typeOfEnum(.union(alternatives.map { .init(type: $0) }))
    }

    // MARK: Scalars

    /// The last words of names whose values have fractions sooner or later.
    private static let wordsForFractions: Set<String> = [
        "average", "avg", "confidence", "cost", "distance", "lat", "latitude", "lng", "lon", "longitude", "mean",
        "median", "percent", "percentage", "popularity", "price", "probability", "rate", "rating", "ratio", "score",
        "temperature", "weight",
    ]
    /// The most digits of a number that a `Decimal` holds exactly.
    private static let mostDecimalDigits = 38

    /// Returns one type for all numbers at a place of the samples.
    ///
    /// | Numbers | Type |
    /// |---|---|
    /// | `1`, `2` | `Int`, or `Double` if the name of the key is one such as `price` |
    /// | `1`, `2.5` | `Double` |
    /// | an integer that does not fit an `Int` | `Decimal`, or `Double` if it is too long |
    /// | a number beyond the range of a `Double`, such as `1e999` | `JSONValue` |
    ///
    /// - Parameters:
    ///   - texts: The numbers as they are written in the samples.
    ///   - location: The place of the numbers in the samples.
    private mutating func typeOfNumbers(_ texts: [String], at location: SampleLocation) -> InferredType {
        let fractions = texts.filter(Self.isFraction)
        if let firstFraction = fractions.first {
            // People may be surprised that `1.0` makes a `Double`.
            let areWholeNumbers = fractions.allSatisfy { Int(exactly: Double($0) ?? .nan) != nil }
            if areWholeNumbers {
                addNote(location, "Double, because \(firstFraction.prefix(Self.maxShownLength)) came")
            }
            return typeOfFractions(texts)
        }
        if let largeInteger = texts.first(where: { Int64($0) == nil }) {
            let fitDecimal = texts.allSatisfy { $0.utf8.count <= Self.mostDecimalDigits }
            if !fitDecimal { return typeOfFractions(texts) }
            addNote(location, "Decimal, because \(largeInteger) does not fit an Int")
            return .decimal
        }
        if readsNames, let lastWord = SwiftNames.words(location.key).last, Self.wordsForFractions.contains(lastWord) {
            addNote(location, "Double by its name, although only integers were seen")
            return .double
        }
        return .integer
    }

    /// Whether a number is written with a decimal point or an exponent: `1.0`, `1e3`.
    private static func isFraction(_ text: String) -> Bool {
        text.utf8.contains { ".eE".utf8.contains($0) }
    }

    /// Returns the type of numbers with fractions: `Double`, or `JSONValue` if a number is too large for it.
    private func typeOfFractions(_ texts: [String]) -> InferredType {
        let areFinite = texts.allSatisfy { Double($0)?.isFinite == true }
        return areFinite ? .double : .json("a number was seen that no type can hold")
    }

    /// Returns the type of strings: `Date` if all of them are times.
    ///
    /// A day alone, such as `2026-01-31`, is a `String`, because it would be another day in another time zone.
    private func typeOfStrings(_ texts: [String]) -> InferredType {
        guard hasISODates else { return .string }
        let lengthOfDay = 10
        let areTimes = texts.allSatisfy { $0.utf8.count > lengthOfDay && DateText.parse($0) != nil }
        return areTimes ? .date : .string
    }

    /// Returns the type of lists: an array of the type that all of their elements have.
    private mutating func typeOfLists(with elements: [JSONValue], at location: SampleLocation) -> InferredType {
        if elements.isEmpty { return .unknown("only [] was seen") }
        return typeOfDeepValues(location) ?? .array(inferType(of: elements, at: location.elements))
    }

    /// Returns the type of values that are nested too deeply for a type of their own; nil for others.
    private func typeOfDeepValues(_ location: SampleLocation) -> InferredType? {
        let isTooDeep = location.level >= Self.deepestLevel || location.nesting >= Self.deepestNesting
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

    /// The values of one key in several objects.
    struct Member {
        let key: String
        var values: [JSONValue] = []
        /// The number of objects with the key. It differs from the number of values if an object has the key twice.
        private(set) var count = 0
        /// The index of the last object with the key; -1 before the first one.
        private var lastObjectIndex = -1

        init(key: String) { self.key = key }

        /// Adds a value of this key, and counts its object unless the object has been counted.
        ///
        /// - Parameters:
        ///   - value: The value.
        ///   - objectIndex: The index of the object with the value. Values are added in the order of their objects.
        mutating func add(_ value: JSONValue, ofObject objectIndex: Int) {
            values.append(value)
            if objectIndex != lastObjectIndex { count += 1 }
            lastObjectIndex = objectIndex
        }
    }

    /// Returns the members of several objects, one for each key, in the order in which the keys are first seen.
    ///
    ///     {"a": 1}, {"b": 2, "a": 3}    →    a: values 1 and 3 in 2 objects; b: value 2 in 1 object
    private static func collectMembers(of objects: [JSONValue]) -> [Member] {
        var members: [Member] = []
        var memberIndices: [String: Int] = [:]
        for (objectIndex, object) in objects.enumerated() {
            for (key, value) in object.members ?? [] {
                if let memberIndex = memberIndices[key] {
                    members[memberIndex].add(value, ofObject: objectIndex)
                } else {
                    var member = Member(key: key)
                    member.add(value, ofObject: objectIndex)
                    memberIndices[key] = members.count
                    members.append(member)
                }
            }
        }
        return members
    }

    /// Returns the type of objects at one place: a dictionary, an enum of several kinds of objects, or a structure.
    ///
    /// - Parameters:
    ///   - objects: The objects.
    ///   - isAlternative: Whether the objects are those of one case of an enum, so that they are not divided again.
    ///   - location: The place of the objects in the samples.
    private mutating func typeOfObjects(
        _ objects: [JSONValue], isAlternative: Bool = false, at location: SampleLocation
    ) -> InferredType {
        let members = Self.collectMembers(of: objects)
        if members.isEmpty { return .unknown("only {} was seen") }
        if let type = typeOfDeepValues(location) { return type }
        if let rule = DictionaryRule(members, choice: isChosenAsDictionary(objects)) {
            addNote(location, "a dictionary, because \(rule.reason)")
            return typeOfDictionary(members, at: location)
        }
        if !isAlternative, let tagged = TaggedObjects(objects, members: members) {
            return typeOfTaggedObjects(tagged, at: location)
        }
        // In a tree, lists hold objects of the same type, as the replies to a comment are comments.
        let tree = NestedTree(objects, members: members)
        if !tree.keys.isEmpty { return typeOfTree(tree, at: location) }
        return typeOfStructure(members.map { inferProperty(for: $0, objectCount: objects.count, at: location) })
    }

    /// Returns whether people chose by an option that objects are dictionaries (`--map`) or structures (`--struct`).
    ///
    /// - Returns: True for dictionaries, false for structures, nil without such an option.
    private func isChosenAsDictionary(_ objects: [JSONValue]) -> Bool? {
        let slots = objects.lazy.map(\.inferenceSlot)
        // The choice of one object holds for all of them, because they get one type.
        if !maps.isEmpty, slots.contains(where: maps.contains) { return true }
        if !structures.isEmpty, slots.contains(where: structures.contains) { return false }
        return nil
    }

    /// Returns the type of a dictionary with these members.
    ///
    /// The values are `JSONValue` if there are more than ``mostFields`` members, and their objects have different keys.
    /// No structure would fit such objects.
    private mutating func typeOfDictionary(_ members: [Member], at location: SampleLocation) -> InferredType {
        let values = members.flatMap(\.values)
        let objects = values.lazy.filter { $0.kind == .object }
        let isLarge = members.count > Self.mostFields
        if isLarge, !objects.isEmpty, !DictionaryRule.haveSimilarKeys(objects) {
            return .dictionary(.json("its values differ"))
        }
        return .dictionary(inferType(of: values, at: location.elements))
    }

    /// Returns an enum with a case for each tag, the text that tells kinds of objects apart: `point(Point)` for
    /// `{"type": "point"}`.
    ///
    /// Objects that become no model, such as dictionaries, have no case. If one case has fractions under a key, such as
    /// `coordinates`, the numbers under this key are `Double` in all cases.
    private mutating func typeOfTaggedObjects(_ tagged: TaggedObjects, at location: SampleLocation) -> InferredType {
        let alternatives = tagged.groups.map { group in
            let type = typeOfObjects(group.objects, isAlternative: true, at: location)
            return InferredModel.Alternative(tag: group.tag, type: type)
        }
        addNote(location, "an enum by its \(SwiftLiteral.string(tagged.key))")
        let modelAlternatives = alternatives.filter { $0.type.model != nil }
        InferredModel.unifyNumberTypes(of: modelAlternatives.compactMap(\.type.model))
        return typeOfEnum(.union(modelAlternatives, key: tagged.key))
    }

    /// Returns a structure that has lists of itself, such as a comment with a list of replies.
    private mutating func typeOfTree(_ tree: NestedTree, at location: SampleLocation) -> InferredType {
        // The structure is added before its fields are known, because one of them has its type.
        let model = add(.structure([]))
        let objectCount = tree.objects.count
        model.fields = Self.collectMembers(of: tree.objects).map { member in
            let isListOfBranches = tree.keys.contains(member.key)
            if !isListOfBranches { return inferProperty(for: member, objectCount: objectCount, at: location) }
            // The branches are among the objects of the tree, so their types need not be inferred here. The count
            // of the member stays, and tells whether the property is optional.
            var memberWithoutValues = member
            memberWithoutValues.values = []
            var listProperty = inferProperty(for: memberWithoutValues, objectCount: objectCount, at: location)
            listProperty.type = .array(.model(model))
            return listProperty
        }
        let sortedKeys = model.fields.map(\.key).sorted()
        structuresByKeys[sortedKeys, default: []].append(model)
        return .model(model)
    }

    /// Returns the property of a structure for a member of its objects.
    ///
    /// It is optional if an object lacks the member or has null there, or if APIs often leave out members of that name.
    ///
    /// - Parameters:
    ///   - member: The member, with its values in the objects.
    ///   - objectCount: The number of objects.
    ///   - location: The place of the objects in the samples.
    /// - Returns: The property. The start of its key is added to ``optionalKeys`` if only its name makes it optional.
    private mutating func inferProperty(
        for member: Member, objectCount: Int, at location: SampleLocation
    ) -> InferredModel.Property {
        let memberLocation = location.member(member.key)
        let (type, isNullable) = inferType(of: member.values, at: memberLocation).unwrapped
        // A member without values to look at has an optional type too, although it was not null.
        let wasNull = isNullable && !member.values.isEmpty
        let isOptionalInSamples = wasNull || member.count < objectCount
        let isOptionalByName = readsNames && !Self.oftenMissing.isDisjoint(with: SwiftNames.words(member.key))
        if isOptionalByName, !isOptionalInSamples {
            let shownKey = String(member.key.unicodeScalars.prefix(Self.maxShownLength))
            optionalKeys.insert(TerminalText.escaped(shownKey))
        }
        return .init(
            key: member.key, type: type, isOptional: isOptionalInSamples || isOptionalByName,
            path: memberLocation.path)
    }

    /// Returns a structure with these fields: a known one with the same keys if its types can be merged, or a new one.
    ///
    /// Types can be merged if each field has a common type: `Int` and `Double` become `Double`. The fields of the known
    /// structure get the common types. ``hasMergedTypes`` becomes true if the types of a field were different.
    private mutating func typeOfStructure(_ fields: [InferredModel.Property]) -> InferredType {
        let fieldsByKey = Dictionary(uniqueKeysWithValues: fields.map { ($0.key, $0) })
        let keys = fieldsByKey.keys.sorted()
        for knownModel in structuresByKeys[keys, default: []].prefix(Self.mostCompared) {
            let mergedFields = knownModel.fields.compactMap { $0.merged(with: fieldsByKey[$0.key]) }
            let areMergeable = mergedFields.count == fields.count
            // A new field may hold the known structure. In Swift, a structure can't contain itself.
            let wouldContainItself = InferredModel.isReachable(
                knownModel, from: mergedFields.compactMap(\.type.model))
            guard areMergeable, !wouldContainItself else { continue }
            let haveEqualTypes = knownModel.fields.allSatisfy { $0.type == fieldsByKey[$0.key]?.type }
            if !haveEqualTypes { hasMergedTypes = true }
            knownModel.fields = mergedFields
            return .model(knownModel)
        }
        let newModel = add(.structure(fields))
        structuresByKeys[keys, default: []].append(newModel)
        return .model(newModel)
    }

    /// Returns the enum with this form, which is new unless there is an equal one.
    private mutating func typeOfEnum(_ form: InferredModel.Form) -> InferredType {
        if let equalEnum = enums[form] { return .model(equalEnum) }
        let model = add(form)
        enums[form] = model
        return .model(model)
    }

    /// Adds a new model to ``models``, and returns it.
    private mutating func add(_ form: InferredModel.Form) -> InferredModel {
        let model = InferredModel(form)
        models.append(model)
        return model
    }

    /// Adds a note about the values at a place of the samples: `$.price: Decimal, because …`.
    private mutating func addNote(_ location: SampleLocation, _ text: String) {
        notes.append("\(location.path): \(text)")
    }
}

extension InferredModel.Property {
    /// Returns a field that has the values of this field and of another one with the same key.
    ///
    /// - Returns: The field; nil if no type has the values of both.
    fileprivate func merged(with other: InferredModel.Property?) -> InferredModel.Property? {
        guard let other, let type = type.merged(with: other.type) else { return nil }
        var merged = self
        merged.type = type
        merged.isOptional = isOptional || other.isOptional
        return merged
    }
}

extension JSONValue {
    /// The identity of the value in the samples.
    var inferenceSlot: Inference.Slot { .init(document: ObjectIdentifier(document), slot: slot) }
}
