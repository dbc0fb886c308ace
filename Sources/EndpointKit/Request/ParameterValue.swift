#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value that can be used in a query or a form.
public protocol ParameterValue: Sendable {
    /// The texts of the value: one, or for an array one per element.
    var parameterTexts: [String] { get }
}

/// A value with a single text, which can also be used in a path.
public protocol ScalarParameter: ParameterValue {
    /// The text of the value, not yet percent-encoded.
    var parameterText: String { get }
}

extension ScalarParameter {
    /// The one text of the value.
    public var parameterTexts: [String] { [parameterText] }
}

extension ScalarParameter where Self: CustomStringConvertible {
    /// The value's description.
    public var parameterText: String { description }
}

extension ScalarParameter where Self: RawRepresentable, RawValue: ScalarParameter {
    /// The raw value's text.
    public var parameterText: String { rawValue.parameterText }
}

extension String: ScalarParameter {
    /// The text itself.
    public var parameterText: String { self }
}

extension Bool: ScalarParameter {}
extension Int: ScalarParameter {}
extension Int8: ScalarParameter {}
extension Int16: ScalarParameter {}
extension Int32: ScalarParameter {}
extension Int64: ScalarParameter {}
extension UInt: ScalarParameter {}
extension UInt8: ScalarParameter {}
extension UInt16: ScalarParameter {}
extension UInt32: ScalarParameter {}
extension UInt64: ScalarParameter {}
extension Float: ScalarParameter {}
extension Double: ScalarParameter {}
extension Decimal: ScalarParameter {}

extension UUID: ScalarParameter {
    /// The UUID in upper case, with hyphens.
    public var parameterText: String { uuidString }
}

extension URL: ScalarParameter {
    /// The whole URL, resolved against its base.
    public var parameterText: String { absoluteString }
}

extension Date: ScalarParameter {
    /// ISO 8601 in UTC, with a fraction only if it is not zero. Requests write dates as ``API/coding`` says.
    public var parameterText: String { Coding().text(of: self) }
}

extension Array: ParameterValue where Element: ScalarParameter {
    /// The text of each element, in order; none for an empty array.
    public var parameterTexts: [String] { map(\.parameterText) }
}
