import EndpointKit
import EndpointTools
import JSONText

/// A number that a case expects, such as that of values or of characters: `3`, or `{"equals": 3}`, or
/// `{"min": 1, "max": 20}`.
struct CaseCount: Decodable, Sendable {
    private enum CodingKeys: CodingKey { case equals, min, max }

    private let equals: CaseTemplate<Int>?
    private let min: CaseTemplate<Int>?
    private let max: CaseTemplate<Int>?

    /// Decodes a number, `3`, or an object such as `{"min": 1, "max": 20}`.
    init(from decoder: any Decoder) throws {
        // Both forms are always tried, because the decoder may be one that records which JSON the type accepts.
        let numberResult = Result { try decoder.singleValueContainer().decode(CaseTemplate<Int>.self) }
        guard let object = try? decoder.container(keyedBy: CodingKeys.self) else {
            // The JSON is no object, so it must be a number. If it is no number either, this throws that error.
            equals = try numberResult.get()
            min = nil
            max = nil
            return
        }
        equals = try object.decodeIfPresent(CaseTemplate.self, forKey: .equals)
        min = try object.decodeIfPresent(CaseTemplate.self, forKey: .min)
        max = try object.decodeIfPresent(CaseTemplate.self, forKey: .max)
    }

    /// Whether any number is accepted.
    var isEmpty: Bool { equals == nil && min == nil && max == nil }

    /// Whether no number is accepted.
    var isImpossible: Bool { CaseTemplate.isEmptyRange(from: min, to: max) }

    /// Compares a number with the expected one, or with the expected range. A missing lower bound is 0.
    ///
    /// An expected number may have been written as a placeholder, such as `"{{count}}"`. Then it is the value that an
    /// earlier case has captured.
    ///
    /// - Returns: The words for what was expected: `3`, `at least 1`, or `0 to 20`. Nil if the number is as expected.
    /// - Throws: ``UsageError`` for a captured value that can't be used.
    func unmetExpectation(for number: Int) throws -> String? {
        if let expectedNumber = try equals?.knownValue(), number != expectedNumber { return "\(expectedNumber)" }
        let lowest = try min?.knownValue() ?? 0
        guard let highest = try max?.knownValue() else {
            return number >= lowest ? nil : "at least \(lowest)"
        }
        let isInRange = lowest <= number && number <= highest
        return isInRange ? nil : "\(lowest) to \(highest)"
    }
}

extension CaseTemplate where Value: Comparable {
    /// Whether the lower bound is above the upper one, so that no value is between them.
    ///
    /// If a bound is missing, or has a placeholder for a value that is not known yet, the result is false.
    static func isEmptyRange(from lower: CaseTemplate?, to upper: CaseTemplate?) -> Bool {
        guard let lowest = try? lower?.knownValue(), let highest = try? upper?.knownValue() else { return false }
        return lowest > highest
    }
}
