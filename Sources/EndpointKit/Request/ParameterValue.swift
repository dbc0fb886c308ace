#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value that can be used in a query or a form.
public protocol ParameterValue: Sendable {
    /// The items of the value in a query or form: one, or for an array one for each element.
    func queryItems(named name: String) -> [QueryItem]
}

/// A value with a single text, which can also be used in a path.
public protocol ScalarParameter: ParameterValue {
    /// The text of the value, not yet percent-encoded.
    var parameterText: String { get }
}

extension ScalarParameter {
    /// One item.
    public func queryItems(named name: String) -> [QueryItem] { [QueryItem(name, parameterText)] }
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
    /// One item, whose date is written as ``API/coding`` says.
    public func queryItems(named name: String) -> [QueryItem] { [QueryItem(name, SensitiveText([.date(self)]))] }
}

extension Array: ParameterValue where Element: ScalarParameter {
    /// The items of all elements, in order.
    public func queryItems(named name: String) -> [QueryItem] { flatMap { $0.queryItems(named: name) } }
}

extension Array where Element: ScalarParameter {
    /// The elements as one value, with `separator` between them: `ids: ids?.joined(by: ",")`. Nothing is sent for an empty array.
    public func joined(by separator: String) -> JoinedValues { JoinedValues(self, separator) }
}

/// The elements of an array as one text.
public struct JoinedValues: ParameterValue {
    private let pieces: [SensitiveText.Piece]

    init(_ values: [some ScalarParameter], _ separator: String) {
        pieces = Array(
            values.map { $0.queryItems(named: "").flatMap(\.value.pieces) }.joined(separator: [.text(separator)]))
    }

    /// One item; none for an empty array.
    public func queryItems(named name: String) -> [QueryItem] {
        pieces.isEmpty ? [] : [QueryItem(name, SensitiveText(pieces))]
    }
}

extension Dictionary: ParameterValue where Key == String, Value: ParameterValue {
    /// `name[key]` for each key, sorted.
    public func queryItems(named name: String) -> [QueryItem] {
        sorted { $0.key < $1.key }.flatMap { $0.value.queryItems(named: "\(name)[\($0.key)]") }
    }
}
