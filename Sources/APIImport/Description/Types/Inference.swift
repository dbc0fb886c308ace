import EndpointKit
import JSONText

/// Finds the types of values. Values of one place are looked at together, level by level, so that the cost is linear in their text.
struct Inference {
    /// Deeper values are `JSONValue`: nobody reads so many types.
    private static let deepestLevel = 32
    /// As a list in so many others: the compiler takes long for `[[[[[[[Int]]]]]]].self`.
    private static let deepestNesting = 6
    /// An object with more keys is a dictionary.
    static let mostFields = 400
    /// So many values of one shape are a dictionary.
    private static let fewestOfOneShape = 20
    /// How many models with the same keys a new one is compared with.
    private static let mostCompared = 4
    /// How many keys are tried that may tell objects apart.
    private static let mostTags = 4

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

    /// The type of values, which are at one place.
    mutating func type(of values: [JSONValue], at place: SampleLocation) -> InferredType {
        let kinds = Dictionary(grouping: values, by: \.kind)
        var types: [InferredType] = kinds[.boolean] == nil ? [] : [.bool]
        if let numbers = kinds[.number] { types.append(number(numbers.compactMap(\.number), at: place)) }
        if let strings = kinds[.string] { types.append(string(strings.compactMap(\.string))) }
        let lists = types.count
        if let arrays = kinds[.array] { types.append(array(arrays.flatMap { $0.elements ?? [] }, at: place)) }
        if let objects = kinds[.object] { types.append(object(objects, at: place)) }
        let type: InferredType
        switch types.count {
        case 0: return .optional(.unknown("only null was seen"))
        case 1: type = types[0]
        case 2...3:
            // Of arrays and objects, only empty ones came.
            for index in types.indices[lists...] {
                guard case .unknown = types[index] else { continue }
                types[index] = index == lists && kinds[.array] != nil ? .array(types[index]) : .dictionary(types[index])
            }
            if types.contains(where: { $0.leaf == .double }) { types = types.map(\.withFractions) }
            type = intern(.union(types.map { .init(type: $0) }))
        default: type = .json("values of more than three kinds were seen")
        }
        return kinds[.null] == nil ? type : type.orNull
    }

    // MARK: Scalars

    /// Last words of names whose values have fractions sooner or later.
    private static let fractions: Set<String> = [
        "average", "avg", "confidence", "cost", "distance", "lat", "latitude", "lng", "lon", "longitude", "mean",
        "median", "percent", "percentage", "popularity", "price", "probability", "rate", "rating", "ratio", "score",
        "temperature", "weight",
    ]

    private mutating func number(_ texts: [String], at place: SampleLocation) -> InferredType {
        let fractions = texts.filter { $0.utf8.contains { UInt8(ascii: ".") == $0 || $0 | 0x20 == UInt8(ascii: "e") } }
        let large = texts.first { Int64($0) == nil }
        if fractions.isEmpty, let large {
            guard texts.allSatisfy({ $0.utf8.count <= 38 }) else { return double(texts) }
            note(place, "Decimal, because \(large) does not fit an Int")
            return .decimal
        }
        if fractions.isEmpty {
            guard readsNames, let word = SwiftNames.words(place.key).last, Self.fractions.contains(word) else {
                return .integer
            }
            note(place, "Double by its name, although only integers were seen")
            return .double
        }
        if fractions.allSatisfy({ Int(exactly: Double($0) ?? .nan) != nil }) {
            note(place, "Double, because \(fractions[0].prefix(40)) came")
        }
        return double(texts)
    }

    private func double(_ texts: [String]) -> InferredType {
        texts.allSatisfy { Double($0)?.isFinite == true } ? .double : .json("a number was seen that no type can hold")
    }

    /// A time is a `Date`, a day alone is none: the time zone would make another day of it.
    private func string(_ texts: [String]) -> InferredType {
        hasISODates && texts.allSatisfy { $0.utf8.count > 10 && DateText.parse($0) != nil } ? .date : .string
    }

    private mutating func array(_ elements: [JSONValue], at place: SampleLocation) -> InferredType {
        if elements.isEmpty { return .unknown("only [] was seen") }
        return isTooDeep(place) ?? .array(type(of: elements, at: place.element()))
    }

    private func isTooDeep(_ place: SampleLocation) -> InferredType? {
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

    private static func members(_ objects: [JSONValue]) -> [Member] {
        objects.enumerated()
            .flatMap { index, object in (object.members ?? []).map { (index: index, key: $0.key, value: $0.value) } }
            .grouped(by: \.key)
            .map { Member($0.key, $0.elements.map(\.value), Set($0.elements.map(\.index)).count) }
    }

    private mutating func object(_ objects: [JSONValue], isGroup: Bool = false, at place: SampleLocation)
        -> InferredType
    {
        let members = Self.members(objects)
        if members.isEmpty { return .unknown("only {} was seen") }
        if let type = isTooDeep(place) { return type }
        if let reason = reasonForDictionary(objects, members) {
            note(place, "a dictionary, because \(reason)")
            let all = members.flatMap(\.values)
            let inner = all.lazy.filter { $0.kind == .object }
            guard members.count <= Self.mostFields || inner.isEmpty || Self.haveOneShape(inner) else {
                return .dictionary(.json("its values differ"))
            }
            return .dictionary(type(of: all, at: place.element()))
        }
        if !isGroup, let (key, groups) = tagged(objects, members) {
            let all = groups.map { InferredModel.Alternative(tag: $0, type: object($1, isGroup: true, at: place)) }
            note(place, "an enum by its \(SwiftLiteral.string(key))")
            let alternatives = all.filter { $0.type.model != nil }
            InferredModel.shareFractions(alternatives.compactMap(\.type.model))
            return intern(.union(alternatives, key: key))
        }
        let tree = NestedTree(objects, members)
        if tree.keys.isEmpty {
            return structure(members.map { field($0, count: objects.count, at: place) })
        }
        let model = add(.structure([]))
        model.fields = Self.members(tree.objects).map { member in
            var field = field(
                tree.keys.contains(member.key) ? (member.key, [], member.count) : member, count: tree.objects.count,
                at: place)
            if tree.keys.contains(member.key) { field.type = .array(.model(model)) }
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

    /// A known structure with the same keys that can have these types too, or a new one.
    private mutating func structure(_ fields: [InferredModel.Property]) -> InferredType {
        let others = Dictionary(uniqueKeysWithValues: fields.map { ($0.key, $0) })
        let keys = others.keys.sorted()
        for model in byKeys[keys, default: []].prefix(Self.mostCompared) {
            let merged = model.fields.compactMap { field -> InferredModel.Property? in
                guard let other = others[field.key], let type = field.type.merged(with: other.type) else { return nil }
                var field = field
                field.type = type
                field.isOptional = field.isOptional || other.isOptional
                return field
            }
            guard merged.count == fields.count, !InferredModel.lead(merged.compactMap(\.type.model), to: model) else {
                continue
            }
            model.fields = merged
            return .model(model)
        }
        let model = add(.structure(fields))
        byKeys[keys, default: []].append(model)
        return .model(model)
    }

    private mutating func intern(_ form: InferredModel.Form) -> InferredType {
        let model = known[form] ?? add(form)
        known[form] = model
        return .model(model)
    }

    private mutating func add(_ form: InferredModel.Form) -> InferredModel {
        models.append(InferredModel(form))
        return models[models.count - 1]
    }

    private mutating func note(_ place: SampleLocation, _ text: String) { notes.append("\(place.path): \(text)") }
}

extension JSONValue {
    /// Where it is, among several documents.
    var inferenceSlot: Inference.Slot { .init(document: ObjectIdentifier(document), slot: slot) }
}

// MARK: Which objects are dictionaries, and which are told apart by a text in them

extension Inference {
    /// Why an object is a dictionary; nil if it is none.
    private func reasonForDictionary(_ objects: [JSONValue], _ members: [Member]) -> String? {
        let slots = objects.lazy.map(\.inferenceSlot)
        if !maps.isEmpty, slots.contains(where: maps.contains) { return "--map says so" }
        if !structures.isEmpty, slots.contains(where: structures.contains) { return nil }
        if let kind = Self.generatedKeys.first(where: { kind in members.allSatisfy { kind.matches($0.key) } })?.name {
            return "its keys are \(kind)"
        }
        if members.count > Self.mostFields { return "it has \(members.count) keys" }
        guard members.count >= Self.fewestOfOneShape else { return nil }
        let pattern = Self.pattern(members[0].key)
        let all = members.lazy.flatMap(\.values)
        let isDictionary =
            Self.haveOneShape(all)
            || members.allSatisfy { Self.pattern($0.key) == pattern } && all.allSatisfy { $0.kind == all.first?.kind }
        return isDictionary ? "it has \(members.count) keys whose values look alike" : nil
    }

    private static let generatedKeys: [(name: String, matches: @Sendable (String) -> Bool)] = [
        ("numbers", { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
        ("days", { pattern($0) == "0000-00-00" }),
        ("UUIDs", { $0.utf8.count == 36 && $0.split(separator: "-").map(\.utf8.count) == [8, 4, 4, 4, 12] }),
    ]

    /// The text with every letter and digit replaced by the first of its kind.
    private static func pattern(_ text: String) -> String {
        String(
            text.prefix(64).map { $0.isNumber ? "0" : $0.isLowercase ? "a" : $0.isUppercase ? "A" : $0 })
    }

    /// Whether all values are objects, each of which has at least half of the keys of all.
    private static func haveOneShape(_ values: some Sequence<JSONValue>) -> Bool {
        var keys: Set<String> = []
        var fewest = Int.max
        for value in values {
            guard let members = value.members else { return false }
            fewest = min(fewest, members.count)
            for (key, _) in members { keys.insert(key) }
            if keys.count > 2 * fewest { return false }
        }
        return !keys.isEmpty
    }

    private static let tagWords: Set<String> = [
        "action", "class", "event", "kind", "method", "object", "op", "operation", "tag", "type", "typename",
    ]

    /// Returns the keys of an object, each with the depth of the lists in it: `coordinates` of a point in GeoJSON has
    /// another form than that of a polygon.
    ///
    /// Lists whose depth is not known, because one of them is empty, have the form of their key alone.
    private static func forms(of object: JSONValue) -> Set<String> {
        Set(
            (object.members ?? []).map { key, value in
                var (depth, inner) = (0, Optional(value))
                while let list = inner?.elements {
                    inner = list.first
                    depth += 1
                }
                // A tab can't be part of a depth, and no key is confused with another one and its depth.
                return inner == nil || depth == 0 ? key : "\(depth)\t\(key)"
            })
    }

    /// The key whose texts tell objects apart, and the objects by its text: at least two kinds have keys of their own,
    /// or the same keys with lists of other depths, always.
    private func tagged(
        _ objects: [JSONValue], _ members: [Member]
    ) -> (key: String, groups: [(tag: String, objects: [JSONValue])])? {
        guard objects.count > 1 else { return nil }
        let found = members.lazy.filter { key, values, count in
            values.count == objects.count && count == objects.count
                && SwiftNames.words(key).last.map(Self.tagWords.contains) == true
                && values.allSatisfy { 1...64 ~= $0.string?.utf8.count ?? 0 }
        }
        for (key, values, _) in found.prefix(Self.mostTags) {
            let groups = zip(values.compactMap(\.string), objects).grouped(by: \.0)
                .map { (tag: $0.key, objects: $0.elements.map(\.1)) }
            guard 2...50 ~= groups.count else { continue }
            let forms = groups.map { $0.objects.map { Self.forms(of: $0) } }
            let owners = forms.flatMap { $0.reduce(into: Set<String>()) { $0.formUnion($1) } }.map { ($0, 1) }
            let counts = Dictionary(owners, uniquingKeysWith: +)
            let owning = forms.count { forms in
                forms.reduce(forms[0]) { $0.intersection($1) }.contains { counts[$0] == 1 }
            }
            if owning > 1 { return (key, groups) }
        }
        return nil
    }
}
