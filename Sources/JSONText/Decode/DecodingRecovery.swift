/// Lets a decoding continue after errors, for an observer that is notified of everything.
///
/// A value that does not fit is reported and replaced by a placeholder. Before that, each value is attempted as without
/// an observer, so that a type that tries one form after the other gets the form that fits.
///
/// A value around one that is known not to fit is not attempted. So each value is decoded three times at most, however
/// deep it is nested: once in an attempt that fails, once in an attempt that succeeds, and once to continue after the
/// error.
final class DecodingRecovery {
    /// The session owns this object, and so outlives it.
    private unowned let session: DecodingSession
    private let observer: any DecodingObserver

    /// Whether a value is being attempted: then an error is thrown, as without an observer.
    private(set) var isAttempting = false
    /// The innermost value that threw the error on its way out of an attempt; nil while there is no such error.
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

    /// Decodes a value through its `init(from:)`, unless the observer asks to skip or replace it.
    ///
    /// The value is first attempted as without an observer. If that fails, the error is reported, and the value is
    /// decoded again: now decoding continues after each error inside, so that the observer learns of all of them.
    ///
    /// - Returns: The value, or a placeholder if it does not fit.
    /// - Throws: ``SkippedByObserver``, ``NoPlaceholder``, an error that is not about a value, or any error while
    ///   attempting.
    func value<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        switch observer.willDecode(type, at: place) {
        case .decode: break
        case .skip: throw SkippedByObserver()
        case .placeholder:
            guard let value = standIn(type) else { throw SkippedByObserver() }
            return value
        }
        var isComplete = false
        defer { observer.didDecode(type, at: place, completed: isComplete) }
        let isInText = place.isInDocument
        if isInText {
            let attempted: T? = isAttempting ? try tracedValue(type, place) : try attemptedValue(type, place)
            if let attempted {
                isComplete = true
                return attempted
            }
        }
        // The attempt has failed, or the value is made up: continue after errors from here on.
        let outerFailedSlot = failedSlot
        defer { failedSlot = outerFailedSlot }
        try reportAttempt(at: place)
        do {
            let value = try session.modelValue(type, place)
            isComplete = true
            remember(value, isInText: isInText)
            return value
        } catch {
            return try substitute(type, place, for: error)
        }
    }

    /// Decodes an optional value.
    ///
    /// - Returns: The value; nil if it does not fit and there is no placeholder.
    func optionalValue<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T? {
        do {
            return try session.value(type, place)
        } catch let error where error is SkippedByObserver || error is NoPlaceholder {
            return nil
        }
    }

    /// Attempts to decode a value as without an observer: the first error inside ends the attempt.
    ///
    /// A value is not attempted if one inside it is known not to fit. Otherwise each level of a deep nesting would
    /// decode everything inside it again. After an attempt that failed, ``attemptError`` is its error, and
    /// ``failedSlot`` the innermost value that threw it.
    ///
    /// - Returns: The value; nil if it does not fit.
    /// - Throws: An error that is not about a value, such as one of the model's own or one that stops the decoding.
    private func attemptedValue<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T? {
        let slotsOfValue = place.slot..<session.document.next(after: place.slot)
        if let failedSlot, slotsOfValue.contains(failedSlot) { return nil }
        isAttempting = true
        failureOrigin = nil
        defer { isAttempting = false }
        do {
            return try tracedValue(type, place)
        } catch let error where Self.isAboutValue(error) {
            failedSlot = failureOrigin
            attemptError = error
            return nil
        }
    }

    /// Whether an error says that a value does not fit, so that decoding can continue after it. Other errors stop the
    /// decoding.
    private static func isAboutValue(_ error: any Error) -> Bool {
        error is DecodingError || error is UnfitScalar || error is SkippedByObserver || error is NoPlaceholder
    }

    /// Decodes a value as part of an attempt, and notes in ``failureOrigin`` which value an error comes from.
    ///
    /// An error passes through all values around the one that threw it. The innermost value sees it first, and sets
    /// ``failureOrigin``; the values around it leave that as it is.
    private func tracedValue<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        do {
            let value = try session.modelValue(type, place)
            // If a value inside has thrown, the type has caught the error.
            failureOrigin = nil
            remember(value, isInText: true)
            return value
        } catch {
            if failureOrigin == nil { failureOrigin = place.slot }
            throw error
        }
    }

    // MARK: Reports

    /// Reports a value that does not fit, or a missing key. A place that is not in the document is not reported: the
    /// key that leads to it was.
    ///
    /// - Throws: `error` itself while attempting, or if the decoding cannot continue after it.
    func report(_ error: any Error, _ place: ValuePlace) throws {
        guard place.isInDocument else { return }
        if isAttempting { throw error }
        if place.slot == reportedSlot, DecodingFailure.isAboutValue(error) { return }
        guard let refusal = DecodingFailure.decodingError(of: error) else { throw error }
        observer.didRefuse(session.naming(casesIn: refusal, at: place), at: place)
    }

    /// Reports the error of the last attempt if it is about the value at `place` itself, and not about a value inside.
    ///
    /// For a type that tries several forms, this error is the one that would be thrown without an observer. Decoding
    /// then continues, and if it throws another error about the same value, that is not reported any more.
    private func reportAttempt(at place: ValuePlace) throws {
        guard place.isInDocument, let error = attemptError, DecodingFailure.isAboutValue(error),
            DecodingFailure.slot(of: error) == place.slot
        else { return }
        try report(error, place)
        reportedSlot = place.slot
        attemptError = nil
    }

    // MARK: Placeholders

    /// Returns a placeholder for a scalar that does not fit, which is reported.
    ///
    /// - Throws: `error` while attempting, or if the observer skips this form of the value.
    func placeholder<Value>(_ placeholder: Value, for error: any Error, _ place: ValuePlace) throws -> Value {
        try report(error, place)
        if session.decodesMissing(place.slot), observer.skipsForm(at: place) { throw error }
        observer.didDecodeScalar(Value.self, at: place)
        return placeholder
    }

    /// Returns a value in place of one that does not fit, and reports its error.
    ///
    /// The first of these that there is: the last value of the type that did fit, the first case of a `CaseIterable`
    /// type, or what the type makes of an empty object or array.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - place: The place of the value that does not fit.
    ///   - error: The reason why it does not fit. An error that says that it was reported before is not reported again.
    /// - Throws: ``NoPlaceholder`` if there is no such value, or `error` if decoding cannot continue after it.
    private func substitute<T: Decodable>(_ type: T.Type, _ place: ValuePlace, for error: any Error) throws -> T {
        let isReported = error is SkippedByObserver || error is NoPlaceholder
        if !isReported { try report(error, place) }
        if let value = standIn(type) { return value }
        // A place that is empty because it is made up is not made up again.
        guard place.slot != ValuePlace.empty,
            let value = try? session.modelValue(type, ValuePlace(slot: ValuePlace.empty, path: place.path))
        else { throw NoPlaceholder(cause: error) }
        return value
    }

    private static func firstCase<T: CaseIterable>(of type: T.Type) -> Any? { type.allCases.first }

    /// Returns a value that stands for others of its type: the last one that did fit, or else the first case of a
    /// `CaseIterable` type. An enum that refuses all made-up values has no other.
    private func standIn<T>(_ type: T.Type) -> T? {
        if let value = observer.fitting.values[ObjectIdentifier(type)] as? T { return value }
        guard let cases = type as? any CaseIterable.Type else { return nil }
        return Self.firstCase(of: cases) as? T
    }

    /// Keeps a value as a placeholder. A value of the text replaces an earlier one, a made-up value does not.
    private func remember<T>(_ value: T, isInText: Bool) {
        let type = ObjectIdentifier(T.self)
        if isInText || observer.fitting.values[type] == nil { observer.fitting.values[type] = value }
    }
}

extension DecodingSession {
    /// Whether a value is made up for a place that is not in the document.
    func decodesMissing(_ slot: Int) -> Bool { slot == ValuePlace.absent && synthesizesMissing }

    /// Returns the place of a made-up container that stands for a value that is not one. The value is reported, unless
    /// it is a null that shows the shape of a model.
    ///
    /// - Throws: An error if the decoding does not continue after it.
    func placeholderContainer(_ type: Any.Type, _ place: ValuePlace) throws -> ValuePlace {
        guard let recovery else { throw mismatch(type, place) }
        guard place.isInDocument else { return place }
        let showsShape = synthesizesMissing && document.isNull(place.slot)
        if !showsShape { try recovery.report(mismatch(type, place), place) }
        return ValuePlace(slot: synthesizesMissing ? ValuePlace.absent : ValuePlace.empty, path: place.path)
    }

    /// Returns the place of a made-up value for a key that the object at `place` does not have. The missing key is
    /// reported.
    ///
    /// - Returns: ``ValuePlace/absent`` if the shape of a model is to be seen; ``ValuePlace/empty`` otherwise, and
    ///   inside an object that is itself to be empty.
    /// - Throws: An error if the decoding does not continue after it.
    @inline(never)
    func missingSlot(_ key: any CodingKey, _ place: ValuePlace) throws -> Int {
        let error = missing(key, place)
        guard let recovery else { throw error }
        try recovery.report(error, place)
        return synthesizesMissing && place.slot != ValuePlace.empty ? ValuePlace.absent : ValuePlace.empty
    }
}

/// The observer does not want the value to be decoded.
struct SkippedByObserver: Error {}

/// No value can replace one that does not fit and has been reported.
package struct NoPlaceholder: Error {
    package let cause: any Error
}
