import EndpointKit
import JSONText

/// The shapes of the Swift types that the decoder reads as a text, a number or a boolean.
enum ScalarShapes {
    /// Returns the kinds of JSON values that a Swift type reads with a coding.
    ///
    /// There are two kinds for floating-point numbers if the coding writes infinity as a string.
    static func of(_ type: Any.Type, _ coding: Coding) -> [Shape.Scalar] {
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
        // Last, because the cast searches all conformances of the program.
        case let type as any FixedWidthInteger.Type: return [.integer(bounds(type))]
        default: return [.string]
        }
    }

    /// Returns the bounds of an integer type; nil for signed types of 64 bits and more.
    private static func bounds<Integer: FixedWidthInteger>(_ type: Integer.Type) -> ClosedRange<Int>? {
        if type.bitWidth < Int.bitWidth { return Int(type.min)...Int(type.max) }
        return type.isSigned ? nil : 0...Int.max
    }
}
