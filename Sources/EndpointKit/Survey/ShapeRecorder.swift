import JSONText

extension ModelShape {
    /// The shape of what a model decodes.
    ///
    /// - Parameter sample: A JSON text that fits, for types that refuse made-up values, or that choose what to read by a value. One
    ///   that does not fit adds nothing.
    package static func of<Model: Decodable>(
        _ model: Model.Type, sample: [UInt8]? = nil, coding: Coding = Coding()
    ) -> ModelShape { all([(model, sample)], coding: coding)[0] }

    /// The shapes of what several models decode; each type in them is learned once.
    static func all(_ models: [(any Decodable.Type, sample: [UInt8]?)], coding: Coding) -> [ModelShape] {
        let drafts = ShapeDrafts()
        func learn<Model: Decodable>(_ model: Model.Type, _ sample: [UInt8]?) {
            drafts.roots.append(ShapeDraft())
            let made = Self.learn(model, from: Array("null".utf8), .shape, coding, into: drafts)
            if let sample {
                // Values of types that refuse made-up ones.
                if made == nil { Self.learn(model, from: sample, .mismatches, coding, into: drafts) }
                // Fields that the sample lacks, in places that only the sample leads to.
                Self.learn(model, from: sample, .shape, coding, into: drafts)
            }
        }
        for (model, sample) in models { learn(model, sample) }
        return ShapeResolver.shapes(drafts, coding)
    }

    /// The shape of what an API's enum decodes from calls, where what they lack is made up, and the call that the first of them gives; nil
    /// if a type refuses made-up values.
    static func learned<A: API>(
        _ api: A.Type, from calls: [JSONValue], coding: Coding
    ) -> (shape: ModelShape, call: (any API)?) {
        let drafts = ShapeDrafts()
        drafts.roots = [ShapeDraft()]
        // The calls have its cases: it is not decoded alone.
        drafts.types[ObjectIdentifier(api)] = TypeDraft(api, level: 0)
        let values = calls.map { learn(api, from: Array($0.written), .shape, coding, into: drafts) }
        return (ShapeResolver.shapes(drafts, coding)[0], values.first ?? nil)
    }

    /// Each case of an enum with values, and each form that a type tries, takes a decoding of its own; what is beyond that many is not learned.
    private static let maxDecodings = 100

    @discardableResult
    private static func learn<Model: Decodable>(
        _ model: Model.Type, from text: [UInt8], _ observation: Observation, _ coding: Coding, into drafts: ShapeDrafts
    ) -> Model? {
        guard let document = try? JSONDocument(text) else { return nil }
        let recorder = ShapeRecorder(coding: coding, observation, into: drafts, document)
        // An error does not matter: the shape is what the model requested before it.
        let value = try? JSONTextDecoder(coding: coding).decode(model, from: document, observer: recorder)
        if case .shape = observation {
            while let draft = drafts.queue.popFirst() { decodeAlone(draft, coding, drafts) }
        }
        return value
    }

    /// Decodes a type that was met before as often as it has forms and cases.
    private static func decodeAlone(_ draft: TypeDraft, _ coding: Coding, _ drafts: ShapeDrafts) {
        guard let document = try? JSONDocument(Array("null".utf8)) else { return }
        func decode<Model: Decodable>(_ type: Model.Type, skipping skipped: Int) {
            let recorder = ShapeRecorder(coding: coding, .shape, into: drafts, document)
            (recorder.target, recorder.skipped) = (type, skipped)
            // It is the element of a list that is made up.
            _ = try? JSONTextDecoder(coding: coding).decode([Model].self, from: document, observer: recorder)
        }
        if draft.isPending {
            (draft.isPending, draft.attempts) = (false, draft.attempts + 1)
            decode(draft.type, skipping: 0)
        }
        for _ in 0..<maxDecodings where draft.casesMadeUp < draft.caseCount { decode(draft.type, skipping: 0) }
        while draft.formsLearned < min(draft.forms, maxDecodings) {
            draft.formsLearned += 1
            decode(draft.type, skipping: draft.formsLearned)
        }
    }
}

extension EndpointDeclaration {
    /// What JSON the response model reads; nil if it is not JSON. The endpoint's sample helps to learn it.
    package var responseShape: ModelShape? {
        endpoint.response.shape(sample: endpoint.sample?.bytes, coding: api.coding)
    }

    /// Those of endpoints of one API, and at the end that of its errors.
    package static func responseShapes(of declarations: [EndpointDeclaration]) -> [ModelShape?] {
        guard let api = declarations.first?.api else { return [] }
        let own = declarations.map { ($0.endpoint.response, sample: $0.endpoint.sample?.bytes) }
        let all = own + [(api.errorModel.map { ResponseModel($0) } ?? ResponseModel(EmptyResponse.self), nil)]
        let models = all.filter { $0.0.kind == .json }.map { ($0.0.model, $0.sample) }
        var shapes = ModelShape.all(models, coding: api.coding)[...]
        return all.map { $0.0.kind == .json ? shapes.popFirst() : nil }
    }
}

/// Notes what a model asks of a document, by the types that ask.
///
/// The same type asks the same of every place, so each is noted once: models that hold themselves come to an end.
final class ShapeRecorder: DecodingObserver {
    /// How many types get placeholders, and how many are in each other: generic types may go on for ever.
    private static let (maxTypes, maxLevel) = (10_000, 256)
    /// Types that are nested more deeply are decoded on their own.
    private static let maxDepth = 24

    let observation: Observation
    private let document: JSONDocument
    private let coding: Coding
    private let drafts: ShapeDrafts
    /// The types that are being decoded, the innermost last.
    private var open: [OpenType] = []
    /// Whether a type was met before it had a placeholder: it was too deep, or it leads to itself.
    private var isUnfinished = false

    /// The type that is decoded on its own, and how many of the forms that it tries are skipped.
    fileprivate var (target, skipped): (Any.Type?, Int) = (nil, 0)
    /// Of what is around that type.
    private let outside = ShapeDraft()

    private struct OpenType {
        let draft: TypeDraft
        /// How many forms it has tried.
        var forms = 0
        /// How many coding keys lead to it.
        let depth: Int32
        var asked: [FieldDraft] = []
    }

    init(coding: Coding, _ observation: Observation, into drafts: ShapeDrafts, _ document: JSONDocument) {
        self.document = document
        self.coding = coding
        self.observation = observation
        self.drafts = drafts
    }

    var fitting: FittingValues { drafts.fitting }

    /// The draft for a place, which is one of the innermost type or inside it.
    private func draft(_ place: ValuePlace) -> ShapeDraft {
        guard let last = open.last else { return target == nil ? drafts.roots[drafts.roots.count - 1] : outside }
        /// The draft of what a step from `last` leads to.
        func draft(_ node: PathNode?) -> ShapeDraft {
            guard let node, node.depth > last.depth else { return last.draft.value }
            return draft(node.parent).child(node.key ?? PositionKey(intValue: node.index))
        }
        return draft(place.path)
    }

    func willDecode(_ type: any Decodable.Type, at place: ValuePlace) -> DecodingChoice {
        let id = ObjectIdentifier(type)
        let draft = draft(place)
        if !draft.types.contains(id) { draft.types.append(id) }
        let known = drafts.types[id]
        let level = (open.last?.draft.level ?? 0) + 1
        let isAround = target != nil && open.isEmpty
        let own = isAround ? TypeDraft(type, level: 0) : drafts.draft(of: type, level)
        if place.knownSlot == nil, open.count > 1 || target != type {
            if skipsForm(at: place) { return .skip }
            if let known {
                isUnfinished = isUnfinished || known.isPending || known.timesCompleted == 0
                return .placeholder
            }
            if drafts.types.count >= Self.maxTypes || level >= Self.maxLevel { return .placeholder }
            if open.count >= Self.maxDepth {
                (isUnfinished, own.isPending) = (true, true)
                return .placeholder
            }
        } else if target == nil, known == nil {
            // A form that the text has hides the others.
            own.isPending = true
        }
        open.append(OpenType(draft: own, depth: PathNode.depth(place.path)))
        return .decode
    }

    func didDecode(_ type: Any.Type, at place: ValuePlace, completed: Bool) {
        let last = open.removeLast()
        last.draft.forms = max(last.draft.forms, last.forms)
        guard completed else {
            // Again when what is in it has been decoded.
            if isUnfinished, place.knownSlot == nil, !last.draft.isPending, last.draft.attempts < 3 {
                last.draft.isPending = true
                drafts.queue.append(last.draft)
            }
            return
        }
        last.draft.timesCompleted += 1
        for field in last.asked where field.lastTime != last.draft.timesCompleted {
            field.timesAsked += 1
            field.lastTime = last.draft.timesCompleted
        }
    }

    func skipsForm(at place: ValuePlace) -> Bool {
        // What has a key or a position is a part of the value, not a form of it.
        guard case .shape = observation, let last = open.last, PathNode.depth(place.path) == last.depth else {
            return false
        }
        open[open.count - 1].forms += 1
        return open.count == 2 && target == last.draft.type && last.forms < skipped
    }

    func didDecodeScalar(_ type: Any.Type, at place: @autoclosure () -> ValuePlace) {
        let draft = draft(place())
        if draft.lastScalar == ObjectIdentifier(type) { return }
        draft.lastScalar = ObjectIdentifier(type)
        if type is JSONValue.Type { return draft.takesAnything = true }
        for scalar in scalars(type) where !draft.scalars.contains(scalar) { draft.scalars.append(scalar) }
    }

    private func scalars(_ type: Any.Type) -> [Shape.Scalar] {
        switch type {
        case is Bool.Type: return [.boolean]
        case is String.Type: return [.string]
        case is Int.Type: return [.integer(nil)]
        case is Double.Type, is Float.Type:
            if case .strings = coding.floats { return [.number(nil), .string] }
            return [.number(nil)]
        case is Decimal.Type: return [.number(nil)]
        case is URL.Type: return [.url]
        case is UUID.Type: return [.uuid]
        case is Data.Type: return [.data]
        case is Date.Type:
            if case .iso8601 = coding.dates { return [.date] }
            return [.string]
        // After the others, because it searches through all conformances.
        case let type as any FixedWidthInteger.Type: return [.integer(Self.bounds(type))]
        default: return [.string]
        }
    }

    private static func bounds<Integer: FixedWidthInteger>(_ type: Integer.Type) -> ClosedRange<Int>? {
        if type.bitWidth < Int.bitWidth { return Int(type.min)...Int(type.max) }
        return type.isSigned ? nil : 0...Int.max
    }

    func didAskForNull(at place: @autoclosure () -> ValuePlace) { draft(place()).takesNull = true }

    func didAsk(for key: any CodingKey, isOptional: Bool, of object: ValuePlace, member: Int?) {
        let draft = draft(object)
        guard !draft.isDictionary else { return }
        draft.isObject = true
        let field = draft.field(key.stringValue)
        if isOptional { field.isOptional = true }
        if let member, let text = document.string(at: member - 1) {
            field.name = text
        } else if field.name == nil {
            field.name = coding.name(of: key, path: object.codingPath)
        }
        if !open.isEmpty { open[open.count - 1].asked.append(field) }
    }

    func didAskForAllKeys(of object: ValuePlace, areData: Bool) {
        let draft = draft(object)
        if areData {
            draft.isDictionary = true
        } else {
            if draft.fields.isEmpty { draft.hasCases = true }
            draft.isObject = true
        }
    }

    func chooseCase(of count: Int) -> Int {
        guard let type = open.last?.draft else { return 0 }
        type.caseCount = count
        defer { type.casesMadeUp += 1 }
        return type.casesMadeUp
    }

    func didOpenArray(_ array: ValuePlace) { draft(array).isArray = true }
}

// MARK: What has been noted

/// Everything that is known of a model and the types in it while its shape is learned.
final class ShapeDrafts {
    /// Of each model that is learned, the last one is being decoded.
    fileprivate(set) var roots: [ShapeDraft] = []
    fileprivate(set) var types: [ObjectIdentifier: TypeDraft] = [:]
    /// The types that may have more forms or cases than have been decoded.
    fileprivate var queue: ArraySlice<TypeDraft> = []
    fileprivate let fitting = FittingValues()

    fileprivate func draft(of type: any Decodable.Type, _ level: Int) -> TypeDraft {
        if let known = types[ObjectIdentifier(type)] { return known }
        let draft = TypeDraft(type, level: level)
        types[ObjectIdentifier(type)] = draft
        queue.append(draft)
        return draft
    }
}

/// The values that a type has read at one place so far.
final class ShapeDraft {
    fileprivate(set) var scalars: [Shape.Scalar] = []
    /// The type that was last read there.
    fileprivate var lastScalar: ObjectIdentifier?
    /// The types that decode themselves there.
    fileprivate(set) var types: [ObjectIdentifier] = []
    fileprivate(set) var fields: [FieldDraft] = []
    /// The elements of an array or the values of a dictionary.
    private(set) lazy var element: ShapeDraft = ShapeDraft()
    fileprivate(set) var (takesAnything, takesNull) = (false, false)
    fileprivate(set) var (isArray, isDictionary, isObject) = (false, false, false)
    /// Whether the object is an enum with values: the fields are its cases, of which one is there.
    fileprivate(set) var hasCases = false
    private var nextField = 0

    /// Whether it is a text, a number or a boolean, and read by no other type.
    var isScalar: Bool { !scalars.isEmpty && types.isEmpty && !(takesNull || isArray || isDictionary || isObject) }

    /// The field of that key, which is made if it is new.
    fileprivate func field(_ key: String) -> FieldDraft {
        // A type asks for the same keys in the same order each time.
        let isNext = nextField < fields.count && fields[nextField].key == key
        let place = isNext ? nextField : fields.firstIndex { $0.key == key } ?? fields.count
        if place == fields.count { fields.append(FieldDraft(key: key)) }
        nextField = place + 1 < fields.count ? place + 1 : 0
        return fields[place]
    }

    /// The draft of what a coding key leads to.
    fileprivate func child(_ key: any CodingKey) -> ShapeDraft {
        isDictionary || isArray && key.intValue != nil ? element : field(key.stringValue).value
    }
}

/// A field of an object of which a ``ShapeDraft`` is made.
final class FieldDraft {
    /// The model's key.
    fileprivate let key: String
    /// As it is in the text.
    fileprivate(set) var name: String?
    /// Whether it was asked for as one that may be absent.
    fileprivate(set) var isOptional = false
    /// How often it was asked for while its type was decoded to the end, each time counted once, and the number of the last of these times.
    fileprivate(set) var timesAsked = 0
    fileprivate var lastTime = 0
    let value = ShapeDraft()

    fileprivate init(key: String) { self.key = key }
}

/// The fields seen so far of one type with keyed decoding.
final class TypeDraft {
    let type: any Decodable.Type
    let value = ShapeDraft()
    /// How often it was decoded to the end.
    fileprivate(set) var timesCompleted = 0
    /// Of an enum with values: how many cases it has, and how many of them were made up.
    fileprivate var (caseCount, casesMadeUp) = (0, 0)
    /// How many forms it tries, and the last that was learned.
    fileprivate var (forms, formsLearned) = (0, 0)
    /// How many types are around it where it was first met.
    fileprivate let level: Int
    /// Whether it has yet to be decoded alone, and how often it has been.
    fileprivate var (isPending, attempts) = (false, 0)

    fileprivate init(_ type: any Decodable.Type, level: Int) {
        self.type = type
        self.level = level
    }
}
