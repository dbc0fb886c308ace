/// Lets a decoding continue after errors, for an observer that is notified of everything.
///
/// A value that does not fit is reported and replaced by a placeholder. Before that, each value is attempted strictly:
/// the first error ends the attempt. So a type that tries one form after the other gets the form that fits.
///
/// A value around one that is known not to fit is not attempted. So each value is decoded three times at most, however
/// deep it is nested: once in an attempt that fails, once in an attempt that succeeds, and once to continue after the
/// error.
final class DecodingRecovery {
    /// The session owns this object, and so outlives it.
    private unowned let session: DecodingSession
    private let observer: any DecodingObserver

    /// Whether a value is being attempted: then each error is thrown, and none is reported.
    private(set) var isAttempting = false
    /// The innermost value that threw the error on its way out of an attempt, or nil while there is no such error.
    private var failureOrigin: Int?
    /// The error of the last attempt that failed, until it is reported.
    private var attemptError: (any Error)?
    /// A value that is known not to fit, so that no value around it has to be attempted.
    private var failedSlot: Int?
    /// The value whose error was reported last, so that it is not reported again.
    private var reportedSlot: Int?

    init(_ session: DecodingSession, _ observer: any DecodingObserver) {
        self.session = session
        self.observer = observer
    }

    // MARK: Values

    /// Decodes a value through its type's `init(from:)`, unless the observer asks to skip or replace it.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - place: The slot of the value, and the path to it. The value may be made up, in place of one that is missing.
    /// - Returns: The value, or a placeholder if it does not fit.
    /// - Throws: ``SkippedByObserver`` if the observer does not want the value, ``NoPlaceholder`` if the value does not
    ///   fit and nothing can stand for it, and any error that stops the decoding. Inside an attempt, which the first
    ///   error ends, also the error of the value.
    func decodeValue<T: Decodable>(_ type: T.Type, at place: ValuePlace) throws -> T {
        switch observer.willDecode(type, at: place) {
        case .decode:
            return try decodeAndNotify(type, at: place)
        case .skip:
            throw SkippedByObserver()
        case .placeholder:
            // Without a value that can stand for it, the value is skipped.
            guard let placeholder = knownPlaceholder(for: type) else { throw SkippedByObserver() }
            return placeholder
        }
    }

    /// Decodes a value through its type's `init(from:)`, and then notifies the observer, also after an error.
    ///
    /// The value is first attempted strictly: any error inside ends the attempt. If that fails, the value is decoded
    /// again. This time each value inside that does not fit is reported and replaced by a placeholder, so that the
    /// observer learns of all errors.
    ///
    /// - Returns: The value, or a placeholder if it does not fit.
    private func decodeAndNotify<T: Decodable>(_ type: T.Type, at place: ValuePlace) throws -> T {
        var isComplete = false
        defer { observer.didDecode(type, at: place, completed: isComplete) }
        if place.isInDocument, let value = try attemptDecoding(type, at: place) {
            isComplete = true
            return value
        }
        // Decoding again attempts values inside this one, which may fail too and change `failedSlot`.
        let failedSlotOfThisAttempt = failedSlot
        defer { failedSlot = failedSlotOfThisAttempt }
        try reportAttemptError(at: place)
        do {
            let value = try session.decodeModel(type, at: place)
            isComplete = true
            keepAsPlaceholder(value, isInDocument: place.isInDocument)
            return value
        } catch {
            return try reportAndSubstitute(type, at: place, for: error)
        }
    }

    /// Decodes the value of an optional property, which can be nil instead of a placeholder.
    ///
    /// - Returns: The value, or nil if it does not fit and there is no placeholder for it.
    func decodeOptionalValue<T: Decodable>(_ type: T.Type, at place: ValuePlace) throws -> T? {
        do {
            return try session.decodeValue(type, at: place)
        } catch let error where error is SkippedByObserver || error is NoPlaceholder {
            return nil
        }
    }

    /// Attempts to decode a value strictly: the first error inside ends the attempt, and nothing is reported.
    ///
    /// A value is not attempted if one inside it is known not to fit. Otherwise each level of a deep nesting would
    /// decode everything inside it again. After an attempt that failed, ``attemptError`` is its error, and
    /// ``failedSlot`` the innermost value that threw it.
    ///
    /// - Returns: The value, or nil if it does not fit.
    /// - Throws: An error that is not about a value, such as one of the model's own or one that stops the decoding.
    ///   Inside another attempt, any error.
    private func attemptDecoding<T: Decodable>(_ type: T.Type, at place: ValuePlace) throws -> T? {
        let isInsideAnotherAttempt = isAttempting
        if isInsideAnotherAttempt { return try decodeTracingFailure(type, at: place) }
        let slotsOfValue = place.slot..<session.document.next(after: place.slot)
        if let failedSlot, slotsOfValue.contains(failedSlot) { return nil }
        isAttempting = true
        // `decodeTracingFailure` sets this.
        failureOrigin = nil
        defer { isAttempting = false }
        do {
            return try decodeTracingFailure(type, at: place)
        } catch let error where Self.canContinue(after: error) {
            failedSlot = failureOrigin
            attemptError = error
            return nil
        }
    }

    /// Returns whether an error says that a value does not fit, so that decoding can continue after it. Other errors,
    /// such as that of a cancelled call, stop the decoding.
    private static func canContinue(after error: any Error) -> Bool {
        error is DecodingError || error is UnfitScalar || error is SkippedByObserver || error is NoPlaceholder
    }

    /// Decodes a value as part of an attempt, and notes in ``failureOrigin`` which value an error comes from.
    ///
    /// An error passes through all values around the one that threw it. The innermost value sees it first, and sets
    /// ``failureOrigin``. The values around it leave that as it is.
    private func decodeTracingFailure<T: Decodable>(_ type: T.Type, at place: ValuePlace) throws -> T {
        do {
            let value = try session.decodeModel(type, at: place)
            // If a value inside has thrown, the type has caught the error.
            failureOrigin = nil
            keepAsPlaceholder(value, isInDocument: true)
            return value
        } catch {
            if failureOrigin == nil { failureOrigin = place.slot }
            throw error
        }
    }

    // MARK: Reports

    /// Reports to the observer that a value does not fit, or that a key is missing.
    ///
    /// A made-up value is not reported, because the missing key that leads to it has been.
    ///
    /// - Parameters:
    ///   - error: The error that decoding the value has thrown.
    ///   - place: The slot of the value, and the path to it.
    /// - Throws: `error` itself while attempting, or if decoding cannot continue after it.
    func report(_ error: any Error, at place: ValuePlace) throws {
        guard place.isInDocument else { return }
        if isAttempting { throw error }
        let wasReported = place.slot == reportedSlot && DecodingFailure.isAboutValue(error)
        if wasReported { return }
        // Any other error, such as that of a cancelled call, stops the decoding.
        guard let refusal = DecodingFailure.decodingError(of: error) else { throw error }
        observer.didRefuse(session.addingCaseNames(to: refusal, at: place), at: place)
    }

    /// Reports the error of the attempt that has just failed, if it is about the value at `place` itself.
    ///
    /// An error about a value inside is left: it is reported when the value at `place` is decoded again. That second
    /// decoding may also throw another error about the value at `place`. Because ``reportedSlot`` is set here,
    /// ``report(_:at:)`` ignores it.
    private func reportAttemptError(at place: ValuePlace) throws {
        guard place.isInDocument, let error = attemptError else { return }
        let isAboutThisValue =
            DecodingFailure.isAboutValue(error) && DecodingFailure.slot(of: error) == place.slot
        guard isAboutThisValue else { return }
        try report(error, at: place)
        reportedSlot = place.slot
        attemptError = nil
    }

    // MARK: Placeholders

    /// Reports a scalar that does not fit, and returns the placeholder with which decoding continues. The observer is
    /// notified of the placeholder as if it had been decoded.
    ///
    /// - Parameters:
    ///   - placeholder: The placeholder, such as 0 or an empty text.
    ///   - error: The reason why the scalar does not fit.
    ///   - place: The slot of the scalar, and the path to it.
    /// - Throws: `error` while attempting, or if the observer refuses the placeholder.
    func reportAndReplace<Value>(with placeholder: Value, for error: any Error, at place: ValuePlace) throws -> Value {
        try report(error, at: place)
        // A type that tries several forms, such as a string or else a number, would always get a placeholder for the
        // first one. To see the others too, an observer of the model's shape may refuse the placeholder.
        let isRefused = session.isMadeUpForShape(place.slot) && observer.countFormAndDecideRefusal(at: place)
        if isRefused { throw error }
        observer.didDecodeScalar(Value.self, at: place)
        return placeholder
    }

    /// Reports a value that does not fit, unless that has been done, and returns a placeholder for it.
    ///
    /// The placeholder is the last value of the type that did fit, or else the first case of a `CaseIterable` type, or
    /// else the value that the type decodes from an empty object or array.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - place: The slot of the value that does not fit, and the path to it.
    ///   - error: The reason why it does not fit.
    /// - Throws: ``NoPlaceholder`` if there is no such value, or `error` if decoding cannot continue after it.
    private func reportAndSubstitute<T: Decodable>(
        _ type: T.Type, at place: ValuePlace, for error: any Error
    ) throws -> T {
        // These two errors come from a value inside: it has been reported, or the observer does not want it.
        let wasReported = error is SkippedByObserver || error is NoPlaceholder
        if !wasReported { try report(error, at: place) }
        if let placeholder = knownPlaceholder(for: type) { return placeholder }
        // If the value is a made-up empty container already, another one would lead to the same error.
        let isMadeUpEmpty = place.slot == ValuePlace.empty
        let emptyPlace = ValuePlace(slot: ValuePlace.empty, path: place.path)
        guard !isMadeUpEmpty, let emptyValue = try? session.decodeModel(type, at: emptyPlace) else {
            throw NoPlaceholder(cause: error)
        }
        return emptyValue
    }

    /// Returns the first case of a type, or nil if it has none.
    private static func firstCase<T: CaseIterable>(of type: T.Type) -> Any? { type.allCases.first }

    /// Returns a placeholder for values of a type: the last one that did fit, or else the first case of a
    /// `CaseIterable` type. For an enum, which refuses all made-up text, there is no other way to get a value.
    ///
    /// - Returns: The placeholder, or nil if no value has fitted yet and the type does not list its cases.
    private func knownPlaceholder<T>(for type: T.Type) -> T? {
        if let lastFitting = observer.fitting.values[ObjectIdentifier(type)] as? T { return lastFitting }
        guard let cases = type as? any CaseIterable.Type else { return nil }
        return Self.firstCase(of: cases) as? T
    }

    /// Keeps a value that fits as a placeholder for later values of its type that do not fit.
    ///
    /// A value of the document replaces an earlier one. A made-up value is kept only if there is no other.
    private func keepAsPlaceholder<T>(_ value: T, isInDocument: Bool) {
        let type = ObjectIdentifier(T.self)
        let hasPlaceholder = observer.fitting.values[type] != nil
        if isInDocument || !hasPlaceholder { observer.fitting.values[type] = value }
    }
}

extension DecodingSession {
    /// Returns whether the slot stands for a value that is not in the document and is decoded as if it were, to show
    /// the shape of a model.
    func isMadeUpForShape(_ slot: Int) -> Bool { slot == ValuePlace.absent && showsShape }

    /// Returns whether a member that an object lacks is decoded as if it were there, to show the shape of a model.
    ///
    /// An object that is made up as empty (``ValuePlace/empty``) stays without members.
    func makesUpMembers(of object: ValuePlace) -> Bool { showsShape && object.slot != ValuePlace.empty }

    /// Reports a value that should be an object or array and is not, and returns the place of a made-up container for
    /// it.
    ///
    /// To show the shape of a model, the made-up container has one element or member, and a null is not reported.
    /// Otherwise the container is empty.
    ///
    /// - Parameters:
    ///   - type: The type of the container, for the error: a dictionary or an array.
    ///   - place: The slot of the value, and the path to it.
    /// - Throws: The mismatch, if decoding does not continue after errors.
    func reportMismatchedContainer(_ type: Any.Type, at place: ValuePlace) throws -> ValuePlace {
        guard let recovery else { throw mismatchError(type, at: place) }
        // A value that is not in the document is a made-up container already.
        guard place.isInDocument else { return place }
        let isAccepted = showsShape && document.isNull(place.slot)
        if !isAccepted { try recovery.report(mismatchError(type, at: place), at: place) }
        return ValuePlace(slot: showsShape ? ValuePlace.absent : ValuePlace.empty, path: place.path)
    }

    /// Reports a key that an object does not have, and returns the slot of a made-up value for it.
    ///
    /// - Parameters:
    ///   - key: The missing key.
    ///   - place: The slot of the object, and the path to it.
    /// - Returns: ``ValuePlace/absent`` if the shape of the model is shown (``makesUpMembers(of:)``): it is decoded as
    ///   if the member were there. Otherwise ``ValuePlace/empty``, which stands for an empty value.
    /// - Throws: The error for the missing key, if decoding does not continue after errors.
    @inline(never)
    func reportMissingKey(_ key: any CodingKey, in place: ValuePlace) throws -> Int {
        let error = missingKeyError(key, in: place)
        guard let recovery else { throw error }
        try recovery.report(error, at: place)
        return makesUpMembers(of: place) ? ValuePlace.absent : ValuePlace.empty
    }
}

/// The observer does not want the value to be decoded.
struct SkippedByObserver: Error {}

/// No value can replace one that does not fit and has been reported.
package struct NoPlaceholder: Error {
    package let cause: any Error
}
