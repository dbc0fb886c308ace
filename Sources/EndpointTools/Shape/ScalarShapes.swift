import EndpointKit
import JSONText

/// The shapes of the Swift types that the decoder reads as a text, a number or a boolean.
enum ScalarShapes {
    /// Returns the kinds of JSON values that a Swift type reads: `[.uuid]` for `UUID`.
    ///
    /// Most types read one kind. A floating-point type also reads strings if the coding writes infinity as a string. A
    /// type that is not listed here reads a string.
    ///
    /// - Parameters:
    ///   - type: The Swift type, such as `Int.self`.
    ///   - coding: The coding of the API, which decides how dates and infinite numbers are written.
    static func kindsOfValues(readBy type: Any.Type, coding: Coding) -> [Shape.Scalar] {
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
        case let type as any FixedWidthInteger.Type: return [.integer(bounds(of: type))]
        default: return [.string]
        }
    }

    /// Returns the bounds of an integer type, such as -128 to 127 for `Int8`.
    ///
    /// - Returns: The bounds, with `Int.max` for no upper bound; nil for signed types of 64 bits and more, which need
    ///   no bounds.
    private static func bounds<Integer: FixedWidthInteger>(of type: Integer.Type) -> ClosedRange<Int>? {
        if type.bitWidth < Int.bitWidth { return Int(type.min)...Int(type.max) }
        return type.isSigned ? nil : 0...Int.max
    }
}
