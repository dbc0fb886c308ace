import Foundation

public enum CanonicalJSON {
    /// A form in which equal values are equal texts, as Foundation reads and writes them.
    public static func text(_ json: Data) throws -> String {
        let value = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
        let text = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
        return String(decoding: text, as: UTF8.self)
    }
}
