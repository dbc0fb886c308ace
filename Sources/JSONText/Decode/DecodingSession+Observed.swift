// Decoding with an observer, which may continue after an error.

extension DecodingSession {
    /// Reports a value that does not fit. A place that is not in the document was reported as a missing key.
    func report(_ error: any Error, _ place: ValuePlace) throws {
        guard let observer, place.slot >= 0 else { return }
        if isStrict { throw error }
        if place.slot == reportedSlot, DecodingFailure.isOfValue(error) { return }
        guard let refusal = (error as? UnfitScalar)?.decodingError ?? error as? DecodingError else { throw error }
        observer.didRefuse(refusal, at: place)
    }

    /// Whether a placeholder is made for a place that is not in the text.
    func decodesMissing(_ slot: Int) -> Bool { slot == ValuePlace.absent && synthesizesMissing }

    /// Where a container is decoded from in place of a value that is not one.
    func placeholderContainer(_ type: Any.Type, _ place: ValuePlace) throws -> ValuePlace {
        guard isObserved else { throw mismatch(type, place) }
        guard place.slot >= 0 else { return place }
        let isUnknown = synthesizesMissing && document.isNull(place.slot)
        if !isUnknown { try report(mismatch(type, place), place) }
        return ValuePlace(slot: synthesizesMissing ? ValuePlace.absent : ValuePlace.empty, path: place.path)
    }

    /// Where to decode the value of a key from that is not in the object at `place`. Throws unless decoding goes on.
    @inline(never)
    func missingSlot(_ key: any CodingKey, _ place: ValuePlace) throws -> Int {
        guard isObserved else { throw missing(key, place) }
        try report(missing(key, place), place)
        return synthesizesMissing && place.slot != ValuePlace.empty ? ValuePlace.absent : ValuePlace.empty
    }

    /// An optional value: nil if it cannot be decoded and there is no placeholder.
    func optionalValue<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T? {
        do {
            return try value(type, place)
        } catch let error where error is SkippedByObserver || error is NoPlaceholder {
            return nil
        }
    }

    func observedValue<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        guard let observer else { return try ownValue(type, place) }
        let choice = observer.willDecode(type, at: place)
        guard choice == .decode else {
            if choice == .placeholder, let value = observer.fitting.values[ObjectIdentifier(type)] as? T {
                return value
            }
            throw SkippedByObserver()
        }
        var isComplete = false
        defer { observer.didDecode(type, at: place, completed: isComplete) }
        if place.slot >= 0 {
            if isStrict {
                let value = try strictValue(type, place)
                isComplete = true
                return value
            }
            if let value = try attempt(type, place) {
                isComplete = true
                return value
            }
        }
        let outerFailedSlot = failedSlot
        defer { failedSlot = outerFailedSlot }
        if place.slot >= 0, let error = attemptError, DecodingFailure.isOfValue(error),
            DecodingFailure.slot(of: error) == place.slot
        {
            // Of a type that tries several forms, this is what would be thrown without an observer.
            try report(error, place)
            reportedSlot = place.slot
            attemptError = nil
        }
        do {
            let value = try ownValue(type, place)
            isComplete = true
            keep(value, isInText: place.slot >= 0)
            return value
        } catch {
            if !(error is SkippedByObserver || error is NoPlaceholder) { try report(error, place) }
            if let value = observer.fitting.values[ObjectIdentifier(type)] as? T { return value }
            if let cases = type as? any CaseIterable.Type, let value = Self.firstCase(of: cases) as? T { return value }
            guard place.slot != ValuePlace.empty,
                let value = try? ownValue(type, ValuePlace(slot: ValuePlace.empty, path: place.path))
            else { throw NoPlaceholder(cause: error) }
            return value
        }
    }

    /// The value, decoded as without an observer; nil if it does not fit.
    ///
    /// A value around one that is known not to fit is not tried. So each is decoded a few times at most, however deep they are nested: once in
    /// an attempt that fails, once in one that does not, and once to go on.
    private func attempt<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T? {
        if let failedSlot, place.slot <= failedSlot, failedSlot < document.next(after: place.slot) { return nil }
        isStrict = true
        failureOrigin = nil
        defer { isStrict = false }
        do {
            return try strictValue(type, place)
        } catch let error where Self.isAboutValue(error) {
            failedSlot = failureOrigin
            attemptError = error
            return nil
        }
    }

    /// Not for a model's own errors, and those that stop the decoding.
    private static func isAboutValue(_ error: any Error) -> Bool {
        error is DecodingError || error is UnfitScalar || error is SkippedByObserver || error is NoPlaceholder
    }

    private func strictValue<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        do {
            let value = try ownValue(type, place)
            // An error from inside was caught by the type.
            failureOrigin = nil
            keep(value, isInText: true)
            return value
        } catch {
            if failureOrigin == nil { failureOrigin = place.slot }
            throw error
        }
    }

    private func keep<T>(_ value: T, isInText: Bool) {
        guard let fitting = observer?.fitting, isInText || fitting.values[ObjectIdentifier(T.self)] == nil else {
            return
        }
        fitting.values[ObjectIdentifier(T.self)] = value
    }

    private static func firstCase<T: CaseIterable>(of type: T.Type) -> Any? { type.allCases.first }
}

/// The observer does not want the value to be decoded.
struct SkippedByObserver: Error {}

/// No value can replace one that does not fit and has been reported.
package struct NoPlaceholder: Error {
    package let cause: any Error
}
