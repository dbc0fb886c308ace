import FoundationEssentials
public struct JSONTextEncoder: Sendable { public init() {}; public func encode(_ v: some Encodable) throws -> [UInt8] { Array(try JSONEncoder().encode(v)) } }
public struct JSONSyntaxError: Error, Equatable, Sendable { public var offset = 0, line = 0, column = 0; public var expected = "", found = "" ; public var description: String {""}}
public enum JSONStyle: Sendable { case none, compact, pretty(indent: Indent); public enum Indent: Sendable { case spaces(Int), tab } }
public struct JSONPalette: Sendable { public static let standard = JSONPalette() }
public struct JSONFormatter: Sendable { public init(style: JSONStyle, palette: JSONPalette? = nil, escapesControls: Bool = false) {}
 public mutating func feed(_ b: [UInt8], into: inout [UInt8]) throws(JSONSyntaxError) { into += b }
 public mutating func finish(into: inout [UInt8]) throws(JSONSyntaxError) {} }
public enum JSONPathComponent: Sendable, Equatable { case key(String), index(Int) }
public struct JSONLocation: Sendable { public enum Kind: Sendable { case object, array, string, integer, number, boolean, null }; public var offset = 0, line = 0, column = 0; public var kind: Kind = .null; public var text = "" }
public enum JSONLocator { public static func locate(_ p: [JSONPathComponent], in b: [UInt8]) -> JSONLocation? { nil }; public static func text(of p: [JSONPathComponent]) -> String { "$" } }
public enum TerminalText { public static func escaped(_ t: String) -> String { t } }
