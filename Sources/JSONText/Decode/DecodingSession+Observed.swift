// Decoding with an observer, which may continue after an error.

extension DecodingSession {
    /// The place of a value that an observer has made up; `absent` places have one element or member, `empty` ones have none.
    static let empty = -2

    /// Reports a value that does not fit. A place that is not in the document was reported as a missing key.
    func report(_ error: any Error, _ place: ValuePlace) throws {
        guard let observer, place.slot >= 0 else { return }
        if isStrict { throw error }
        if place.slot == toldSlot, Refusal.isOfValue(error) { return }
        switch error {
        case let error as UnfitScalar: observer.didRefuse(error.decodingError, at: ObservedPlace(place))
        case let error as DecodingError: observer.didRefuse(error, at: ObservedPlace(place))
        default: throw error
        }
    }

    /// Whether something is made up for a place that is not in the text.
    func decodesMissing(_ slot: Int) -> Bool { slot == ValuePlace.absent && observer?.makesUpMissing == true }

    /// Where a container is decoded from in place of a value that is not one.
    func madeUpContainer(_ type: Any.Type, _ place: ValuePlace) throws -> ValuePlace {
        guard let observer else { throw mismatch(type, place) }
        guard place.slot >= 0 else { return place }
        let isUnknown = observer.makesUpMissing && document.isNull(place.slot)
        if !isUnknown { try report(mismatch(type, place), place) }
        return ValuePlace(slot: observer.makesUpMissing ? ValuePlace.absent : Self.empty, path: place.path)
    }

    /// Where to decode the value of a key from that is not in the object at `place`. Throws without an observer.
    @inline(never)
    func missingSlot(_ key: any CodingKey, _ place: ValuePlace) throws -> Int {
        guard let observer else { throw missing(key, place) }
        try report(missing(key, place), place)
        return observer.makesUpMissing && place.slot != Self.empty ? ValuePlace.absent : Self.empty
    }

    /// An optional value: nil if it cannot be decoded and nothing can be made up.
    func optionalValue<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T? {
        do {
            return try value(type, place)
        } catch is NotWanted {
            return nil
        } catch is NothingFits {
            return nil
        }
    }

    func observedValue<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        guard let observer else { return try ownValue(type, place) }
        let observed = ObservedPlace(place)
        guard observer.willDecode(type, at: observed) else {
            if let value = fitting[ObjectIdentifier(type)] as? T { return value }
            throw NotWanted()
        }
        var isComplete = false
        defer { observer.didDecode(type, at: observed, completed: isComplete) }
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
        let outerUnfitSlot = unfitSlot
        defer { unfitSlot = outerUnfitSlot }
        if place.slot >= 0, let error = unfitError, Refusal.isOfValue(error), Refusal.slot(of: error) == place.slot {
            // Of a type that tries several forms, this is what would be thrown without an observer.
            try report(error, place)
            toldSlot = place.slot
            unfitError = nil
        }
        do {
            let value = try ownValue(type, place)
            isComplete = true
            keep(value, isInText: place.slot >= 0)
            return value
        } catch {
            if !(error is NotWanted || error is NothingFits) { try report(error, place) }
            if let value = fitting[ObjectIdentifier(type)] as? T { return value }
            if let cases = type as? any CaseIterable.Type, let value = Self.firstCase(of: cases) as? T { return value }
            guard place.slot != Self.empty,
                let value = try? ownValue(type, ValuePlace(slot: Self.empty, path: place.path))
            else { throw NothingFits(cause: error) }
            return value
        }
    }

    /// The value, decoded as without an observer; nil if it does not fit.
    ///
    /// A value around one that is known not to fit is not tried. So each is decoded a few times at most, however deep they are nested: once in
    /// an attempt that fails, once in one that does not, and once to go on.
    private func attempt<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T? {
        if let unfitSlot, place.slot <= unfitSlot, unfitSlot < document.next(after: place.slot) { return nil }
        isStrict = true
        thrownFrom = nil
        defer { isStrict = false }
        do {
            return try strictValue(type, place)
        } catch {
            switch error {
            case is DecodingError, is UnfitScalar, is NotWanted, is NothingFits:
                unfitSlot = thrownFrom
                unfitError = error
                return nil
            // The model's own errors, and those that stop the decoding.
            default: throw error
            }
        }
    }

    private func strictValue<T: Decodable>(_ type: T.Type, _ place: ValuePlace) throws -> T {
        do {
            let value = try ownValue(type, place)
            // An error from inside was caught by the type.
            thrownFrom = nil
            keep(value, isInText: true)
            return value
        } catch {
            if thrownFrom == nil { thrownFrom = place.slot }
            throw error
        }
    }

    private func keep<T>(_ value: T, isInText: Bool) {
        if isInText || fitting[ObjectIdentifier(T.self)] == nil { fitting[ObjectIdentifier(T.self)] = value }
    }

    private static func firstCase<T: CaseIterable>(of type: T.Type) -> Any? { type.allCases.first }
}

/// The observer does not want the value to be decoded.
struct NotWanted: Error {}

/// No value can replace one that does not fit and has been reported.
package struct NothingFits: Error {
    package let cause: any Error
}
