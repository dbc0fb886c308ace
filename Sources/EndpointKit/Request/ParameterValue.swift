#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value that can be used in a query or a form.
public protocol ParameterValue: Sendable {
    /// The items of the value in requests of an API with that coding: one, or for an array one for each element.
    func queryItems(named name: String, coding: Coding) -> [QueryItem]
}

/// A value with a single text, which can also be used in a path.
public protocol ScalarParameter: ParameterValue {
    /// The text in requests of an API with that coding, which is about dates only; not yet percent-encoded.
    func parameterText(_ coding: Coding) -> String
}

extension ScalarParameter {
    /// One item.
    public func queryItems(named name: String, coding: Coding) -> [QueryItem] {
        [QueryItem(name, parameterText(coding))]
    }
}

extension ScalarParameter where Self: CustomStringConvertible {
    /// The value's description.
    public func parameterText(_ coding: Coding) -> String { description }
}

extension ScalarParameter where Self: RawRepresentable, RawValue: ScalarParameter {
    /// The raw value's text.
    public func parameterText(_ coding: Coding) -> String { rawValue.parameterText(coding) }
}

extension String: ScalarParameter {}
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
extension UUID: ScalarParameter {}

extension URL: ScalarParameter {
    /// The whole URL, resolved against its base.
    public func parameterText(_ coding: Coding) -> String { absoluteString }
}

extension Date: ScalarParameter {
    /// As JSON has it; unless declared, ISO 8601 in UTC with a fraction only if it is not zero.
    public func parameterText(_ coding: Coding) -> String { coding.text(of: self) }
}

extension Array: ParameterValue where Element: ScalarParameter {
    /// The items of all elements, in order.
    public func queryItems(named name: String, coding: Coding) -> [QueryItem] {
        flatMap { $0.queryItems(named: name, coding: coding) }
    }
}

extension Array where Element: ScalarParameter {
    /// The elements as one value, with `separator` between them: `ids: ids?.joined(by: ",")`. Nothing is sent for an empty array.
    public func joined(by separator: String) -> some ParameterValue {
        MadeItems { name, coding in
            isEmpty ? [] : [QueryItem(name, map { $0.parameterText(coding) }.joined(separator: separator))]
        }
    }
}

/// Items of any kind.
struct MadeItems: ParameterValue {
    let items: @Sendable (_ name: String, Coding) -> [QueryItem]

    func queryItems(named name: String, coding: Coding) -> [QueryItem] { items(name, coding) }
}

extension Dictionary: ParameterValue where Key == String, Value: ParameterValue {
    /// `name[key]` for each key, sorted.
    public func queryItems(named name: String, coding: Coding) -> [QueryItem] {
        sorted { $0.key < $1.key }.flatMap { $0.value.queryItems(named: "\(name)[\($0.key)]", coding: coding) }
    }
}
