import EndpointKit
import JSONText

/// Notes what a model asks of a document, separately for each type that asks.
///
/// The decoder makes up every value that the document lacks, so that a model decodes itself from a document of `null`
/// and asks for all its keys on the way. For example:
///
///     struct Movie: Decodable {
///         var title: String
///         var cast: [Actor]?
///     }
///
/// | call of the decoder                       | what the recorder notes                                    |
/// |-------------------------------------------|------------------------------------------------------------|
/// | `willDecode(Movie)` at `$`                | the root is a `Movie`; what follows belongs to this type   |
/// | `didAsk(for: title)` of `$`               | `Movie` is an object with a field `title`                  |
/// | `didDecodeScalar(String)` at `$.title`    | `title` is a string                                        |
/// | `didAsk(for: cast, isOptional)` of `$`    | a field `cast` that may be absent                          |
/// | `willDecode([Actor])` at `$.cast`         | `cast` is an `[Actor]`; what follows belongs to that type  |
/// | `didDecode([Actor])`, `didDecode(Movie)`  | the types are complete; their fields were asked for once   |
///
/// ``ShapeResolver`` then makes `[Movie: .object([title: string, cast: [Actor], optional])]` of these notes.
///
/// A type asks the same at every place, so its draft is shared by all places. A type that comes again is not decoded
/// again: a placeholder, which is a value that was decoded earlier, takes its place. That is why models that hold
/// themselves come to an end.
///
/// A *form* of a type is one of the ways in which its `init(from:)` tries to decode itself, such as first as an `Int`
/// and then as a `String`.
final class ShapeRecorder: DecodingObserver {
    /// A type that is decoded alone, as the element of a list that is made up.
    struct LoneType {
        let type: Any.Type
        /// The number of forms that the decoder refuses, so that the type tries the next one.
        let skippedForms: Int
    }

    /// A type that is being decoded.
    private struct TypeInProgress {
        let draft: TypeDraft
        /// The number of forms that the type has tried.
        var triedForms = 0
        /// The number of coding keys that lead to the type's value.
        let depth: Int32
        /// The fields that the type has asked for.
        var askedFields: [FieldDraft] = []
    }

    /// The most types that are decoded. Without a limit, generic types such as `Node<Node<…>>`, each of which leads to
    /// a new one, would have no end.
    private static let maxTypes = 10_000
    /// The most types around a type that is decoded, for the same reason.
    private static let maxLevel = 256
    /// The most types that are decoded inside each other. Deeper ones are decoded alone, to save the thread's stack.
    private static let maxDepth = 24
    /// The most times that a type is decoded alone because it failed. Types that lead to each other may need three.
    private static let maxAttempts = 3

    let observation: Observation
    private let document: JSONDocument
    private let coding: Coding
    private let drafts: ShapeDrafts
    /// The type that is decoded alone; nil if a whole model is decoded.
    private let loneType: LoneType?
    /// The draft of the list that is made up around the lone type, which nobody reads.
    private let draftAroundLoneType = ShapeDraft()
    /// The types that are being decoded, the innermost last.
    private var typesInProgress: [TypeInProgress] = []
    /// Whether a type was met for which there is no placeholder yet, because it was too deep or leads to itself.
    private var isUnfinished = false

    /// Creates a recorder of one decoding.
    ///
    /// - Parameters:
    ///   - document: The document that is decoded.
    ///   - coding: How the API writes keys, dates and numbers.
    ///   - observation: Tells the decoder which values to make up.
    ///   - drafts: The notes on types that were decoded before, to which those of this decoding are added.
    ///   - loneType: The type that is decoded alone; nil if a model is decoded, which is the last root of the drafts.
    init(
        _ document: JSONDocument, coding: Coding, observation: Observation, drafts: ShapeDrafts,
        loneType: LoneType? = nil
    ) {
        self.document = document
        self.coding = coding
        self.observation = observation
        self.drafts = drafts
        self.loneType = loneType
    }

    var fitting: FittingValues { drafts.fitting }

    // MARK: Types

    /// Notes that a type is about to decode itself at a place, and tells the decoder whether to let it.
    ///
    /// A value that is in the document is always decoded, and so is the ``LoneType``. Any other value is made up by the
    /// decoder. It need not be decoded if its type is known already, and must not be if too many types are around it.
    ///
    /// A *draft* collects what is known of a place or a type. The type is noted in the draft of the place, and a new
    /// type gets a draft of its own and is queued. If the type is to be decoded, it also becomes the innermost of
    /// ``typesInProgress``, until ``didDecode(_:at:completed:)``.
    ///
    /// - Parameters:
    ///   - type: The type, which has an `init(from:)`.
    ///   - place: The place of the value, such as `$.cast`.
    /// - Returns: `.decode`, or what the decoder does in place of decoding.
    func willDecode(_ type: any Decodable.Type, at place: ValuePlace) -> DecodingChoice {
        placeDraft(at: place).noteType(type)
        let isNew = drafts.types[ObjectIdentifier(type)] == nil
        let typeDraft = findOrAddDraft(of: type)
        let isInDocument = place.knownSlot != nil
        let isAlwaysDecoded = isInDocument || isLoneTypeItself(type)
        if !isAlwaysDecoded, let substitute = chooseSubstitute(for: typeDraft, isNew: isNew, at: place) {
            return substitute
        }
        // The document shows the value in one form. A new type may read others too, so it is decoded alone later. The
        // made-up list around a lone type is no type to learn.
        if isInDocument, isNew, loneType == nil { typeDraft.mustBeDecodedAlone = true }
        typesInProgress.append(TypeInProgress(draft: typeDraft, depth: PathNode.depth(place.path)))
        return .decode
    }

    /// Whether a type that is about to decode itself is the one that is decoded alone, and not the same type at a place
    /// inside of it.
    ///
    /// A type that is decoded alone is the element of a made-up list. So no other type than that list is in progress
    /// around it.
    private func isLoneTypeItself(_ type: any Decodable.Type) -> Bool {
        let isOutermostOrInList = typesInProgress.count <= 1
        return isOutermostOrInList && loneType?.type == type
    }

    /// Returns the draft of a type, which has the notes on what the type asks for at all places. A new type gets a new
    /// draft and is queued.
    ///
    /// A type that is decoded alone is the element of a made-up list. That list gets a draft that nobody reads.
    private func findOrAddDraft(of type: any Decodable.Type) -> TypeDraft {
        let isListAroundLoneType = loneType != nil && typesInProgress.isEmpty
        if isListAroundLoneType { return TypeDraft(type, level: 0) }
        let outerLevel = typesInProgress.last?.draft.level ?? 0
        return drafts.findOrAddDraft(of: type, level: outerLevel + 1)
    }

    /// Decides whether the decoder uses a substitute for a made-up value, in place of decoding it.
    ///
    /// The substitute is a placeholder, which is a value of the same type that was decoded earlier. A type gets one if
    /// it has been met before, or if it is beyond the limits for the number and the depth of types.
    ///
    /// If there is no placeholder yet, the type around this one fails. ``isUnfinished`` is then set until this decoding
    /// ends, so that the outer type is decoded again. A type that is only too deep is marked to be decoded alone later.
    ///
    /// - Parameters:
    ///   - draft: The notes on the value's type.
    ///   - isNew: Whether the type has not been met before.
    ///   - place: The place of the value.
    /// - Returns: `.skip` to refuse a form, which is one of the ways in which the type around the value tries to decode
    ///   itself; `.placeholder` to use a substitute; nil if the value is to be decoded.
    private func chooseSubstitute(for draft: TypeDraft, isNew: Bool, at place: ValuePlace) -> DecodingChoice? {
        let isRefusedForm = countFormAndDecideRefusal(at: place)
        if isRefusedForm { return .skip }
        if !isNew {
            let hasPlaceholder = draft.timesCompleted > 0 && !draft.mustBeDecodedAlone
            if !hasPlaceholder { isUnfinished = true }
            return .placeholder
        }
        // A type beyond these limits is never decoded. So there is nothing to finish later: `isUnfinished` is not set.
        if drafts.types.count >= Self.maxTypes || draft.level >= Self.maxLevel { return .placeholder }
        if typesInProgress.count >= Self.maxDepth {
            isUnfinished = true
            draft.mustBeDecodedAlone = true
            return .placeholder
        }
        return nil
    }

    /// Notes that the innermost type in progress was decoded or threw an error.
    ///
    /// The fields that it asked for are counted if it was decoded to its end. Otherwise it is queued to be decoded
    /// again alone, if that may help.
    ///
    /// - Parameters:
    ///   - type: The type, which is the innermost one in progress.
    ///   - place: The place of its value.
    ///   - completed: Whether the type was decoded to its end; false if it threw.
    func didDecode(_ type: Any.Type, at place: ValuePlace, completed: Bool) {
        let endedType = typesInProgress.removeLast()
        let draft = endedType.draft
        // A decoding stops at the first form that the decoder accepts, so a later one may try more forms.
        draft.formCount = max(draft.formCount, endedType.triedForms)
        if completed {
            draft.timesCompleted += 1
            for field in endedType.askedFields { field.countAsked(inDecoding: draft.timesCompleted) }
        } else if mayCompleteLater(draft, at: place) {
            // The types inside it were queued when they were met. So they are decoded before it, and there are
            // placeholders for them when its turn comes.
            draft.mustBeDecodedAlone = true
            drafts.queue.append(draft)
        }
    }

    /// Whether a type that threw may be decoded to its end later.
    ///
    /// A type throws if a type inside it has no placeholder yet, which is a value that was decoded earlier. Later there
    /// may be one. Any other error would come again.
    ///
    /// - Parameters:
    ///   - draft: The notes on the type that threw.
    ///   - place: The place of its value.
    private func mayCompleteLater(_ draft: TypeDraft, at place: ValuePlace) -> Bool {
        let lackedPlaceholder = isUnfinished
        let isMadeUp = place.knownSlot == nil
        guard lackedPlaceholder, isMadeUp else { return false }
        let isQueuedAlready = draft.mustBeDecodedAlone
        if isQueuedAlready { return false }
        // Without a limit, types that always throw would be decoded for ever.
        return draft.attempts < Self.maxAttempts
    }

    /// Counts a form that the innermost type in progress tries, and decides whether the decoder refuses it.
    ///
    /// A *form* is one of the ways in which a type tries to decode itself. For example, a type that first tries an
    /// `Int` and then a `String` has two forms. Only the form that the decoder accepts can be learned, so the type is
    /// decoded once for each form, with all forms before it refused. The type is then the ``LoneType``, and the types
    /// inside it are not refused anything.
    ///
    /// - Parameter place: The place of the value that is about to be decoded. If it is the place of the innermost type,
    ///   the value is a form of that type. A value with a key or a position is only a part of the type's value.
    /// - Returns: Whether the decoder throws, so that the type tries its next form.
    func countFormAndDecideRefusal(at place: ValuePlace) -> Bool {
        // Types are made to try other forms only while values are made up, which is what `.shape` stands for.
        guard case .shape = observation, let innermost = typesInProgress.last else { return false }
        let isForm = PathNode.depth(place.path) == innermost.depth
        if !isForm { return false }
        typesInProgress[typesInProgress.count - 1].triedForms += 1
        guard let loneType, isInnermost(loneType) else { return false }
        // `innermost` is a copy from before this form was counted.
        let earlierForms = innermost.triedForms
        return earlierForms < loneType.skippedForms
    }

    /// Whether the innermost type in progress is the one that is decoded alone, and not a type inside it.
    private func isInnermost(_ loneType: LoneType) -> Bool {
        // The lone type is decoded as the only element of a list. If more than these two types are in progress, the
        // innermost one is inside the lone type, even if it is the same type: a tree has trees inside it.
        let onlyListAndElement = typesInProgress.count == 2
        return onlyListAndElement && typesInProgress.last?.draft.type == loneType.type
    }

    /// Chooses the case that the decoder makes up for the enum with associated values that is being decoded, and counts
    /// it in the enum's draft.
    ///
    /// The first call for an enum returns 0, the next one 1, and so on. From `caseCount` on, the decoder starts at the
    /// first case again.
    ///
    /// - Parameter caseCount: The number of the enum's cases. It is noted in the enum's draft, which tells later
    ///   whether all cases have been made up.
    func chooseCase(of caseCount: Int) -> Int {
        // Nothing is counted without a type in progress.
        guard let enumDraft = typesInProgress.last?.draft else { return 0 }
        enumDraft.caseCount = caseCount
        let caseNumber = enumDraft.casesMadeUp
        enumDraft.casesMadeUp += 1
        return caseNumber
    }

    // MARK: Values

    /// Notes that a type is read as a text, a number or a boolean at a place. ``JSONValue`` reads any other JSON too.
    func didDecodeScalar(_ type: Any.Type, at place: @autoclosure () -> ValuePlace) {
        let draft = placeDraft(at: place())
        if type is JSONValue.Type {
            draft.takesAnything = true
        } else {
            draft.noteScalarType(type) { ScalarShapes.kindsOfValues(readBy: type, coding: coding) }
        }
    }

    /// Notes that a type asks whether its value is null, as `Optional` and `Nullable` do.
    func didAskForNull(at place: @autoclosure () -> ValuePlace) { placeDraft(at: place()).takesNull = true }

    /// Notes that the type being decoded asks for a field of an object.
    ///
    /// The note goes into a draft, which collects what is known of one place. A field that was asked for as optional
    /// once stays optional.
    ///
    /// - Parameters:
    ///   - key: The model's coding key. The key in the text may differ, because the coding may convert keys.
    ///   - isOptional: Whether the type accepts that the field is absent.
    ///   - object: The place of the object.
    ///   - member: The index of the member's value in the document; nil if the document lacks the member.
    func didAsk(for key: any CodingKey, isOptional: Bool, of object: ValuePlace, member: Int?) {
        let objectDraft = placeDraft(at: object)
        // The keys of a dictionary are data, except those that the type had asked for before it asked for all keys.
        let isDataKey = objectDraft.isDictionary && !objectDraft.hasField(key.stringValue)
        if isDataKey { return }
        objectDraft.isObject = true
        let field = objectDraft.findOrAddField(key.stringValue)
        if isOptional { field.isOptional = true }
        // The key that the document really has wins over the one that the coding would write.
        if let member, let documentKey = document.string(at: document.keyIndex(ofMember: member)) {
            field.name = documentKey
        } else if field.name == nil {
            field.name = coding.name(of: key, path: object.codingPath)
        }
        noteInnermostTypeAsked(for: field)
    }

    /// Notes that the innermost type in progress has asked for a field. When the type is decoded to its end,
    /// ``didDecode(_:at:completed:)`` counts the field.
    private func noteInnermostTypeAsked(for field: FieldDraft) {
        if typesInProgress.isEmpty { return }
        typesInProgress[typesInProgress.count - 1].askedFields.append(field)
    }

    /// Notes that a type asks for all keys of an object.
    ///
    /// If the keys are data, the object is a dictionary. Otherwise it is an enum with associated values, whose keys are
    /// its cases, or a structure that also looks at keys without a field.
    func didAskForAllKeys(of object: ValuePlace, areData: Bool) {
        let objectDraft = placeDraft(at: object)
        if areData {
            objectDraft.isDictionary = true
        } else {
            // A type that has asked for single keys before is a structure, which now looks at its other keys too.
            if objectDraft.fields.isEmpty { objectDraft.hasCases = true }
            objectDraft.isObject = true
        }
    }

    /// Notes that a type reads an array.
    func didOpenArray(_ array: ValuePlace) { placeDraft(at: array).isArray = true }

    /// Returns the draft of a place, which has the notes on what the innermost type reads there. It is made if it is
    /// new.
    ///
    /// For example, while a `Movie` at `$.results[0]` is being decoded, the draft for `$.results[0].title` is the field
    /// `title` of the draft of `Movie`.
    private func placeDraft(at place: ValuePlace) -> ShapeDraft {
        guard let innermost = typesInProgress.last else {
            // Around all types there is only the model itself, or the made-up list of a lone type.
            let isWholeModel = loneType == nil
            return isWholeModel ? drafts.roots[drafts.roots.count - 1] : draftAroundLoneType
        }
        return placeDraft(atEndOf: place.path, inside: innermost)
    }

    /// Returns the draft of a place inside the value of a type, which is made if it is new.
    ///
    /// - Parameters:
    ///   - path: The path from the top of the document to the place; nil for the top.
    ///   - type: A type whose value is at the place or around it.
    private func placeDraft(atEndOf path: PathNode?, inside type: TypeInProgress) -> ShapeDraft {
        guard let path, path.depth > type.depth else { return type.draft.valueDraft }
        let outerDraft = placeDraft(atEndOf: path.parent, inside: type)
        return outerDraft.findOrAddChild(path.key ?? PositionKey(intValue: path.index))
    }
}
