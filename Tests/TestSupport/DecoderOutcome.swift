#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The outcome of decoding, as text: the value, or else the kind and the path of the error.
public struct DecoderOutcome: Equatable, CustomStringConvertible {
    public var description: String

    /// Runs `decode` and describes its value or error.
    public init(_ decode: () throws -> Any) {
        do {
            description = Self.sorted(try decode())
        } catch {
            description = Self.text(error)
        }
    }

    /// Returns the kind of a decoder's error, with its path.
    ///
    /// Most corrupted data is described without a path, because Foundation does not report the path of a number that a
    /// type cannot hold, nor of a lone surrogate.
    public static func text(_ error: any Error) -> String {
        switch error {
        case DecodingError.typeMismatch(_, let context): "typeMismatch \(path(context))"
        case DecodingError.valueNotFound(_, let context): "valueNotFound \(path(context))"
        case DecodingError.keyNotFound(let key, let context): "keyNotFound \(key.stringValue) \(path(context))"
        case DecodingError.dataCorrupted(let context)
        where context.debugDescription.hasPrefix("Cannot initialize") || context.debugDescription.hasPrefix("Custom"):
            "dataCorrupted \(path(context))"
        case DecodingError.dataCorrupted: "dataCorrupted"
        default: "unfit"
        }
    }

    /// Returns both texts around the first character at which they differ.
    public static func contrast(_ found: String, _ expected: String) -> String {
        let same = zip(found, expected).prefix { $0 == $1 }.count
        let (before, differing) = (max(0, same - 40), same + 160)
        return """
              found …\(found.dropFirst(before).prefix(differing - before))
              not   …\(expected.dropFirst(before).prefix(differing - before))
            """
    }

    private static func path(_ context: DecodingError.Context) -> String {
        context.codingPath.map(\.stringValue).joined(separator: ".")
    }

    /// The description of a value, with dictionaries and sets in a fixed order.
    private static func sorted(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .dictionary, .set:
            return "{" + mirror.children.map { sorted($0.value) }.sorted().joined(separator: ", ") + "}"
        case nil: return "\(type(of: value)) \(value)"
        case _ where mirror.children.isEmpty && mirror.superclassMirror == nil: return "\(value)"
        case _ where value is Decimal || value is Data || value is URL || value is UUID: return "\(value)"
        default:
            let inherited = mirror.superclassMirror.map { Array($0.children) } ?? []
            return "("
                + (inherited + mirror.children).map { "\($0.label ?? ""): \(sorted($0.value))" }.joined(separator: ", ")
                + ")"
        }
    }
}
