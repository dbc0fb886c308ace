import Foundation

/// JSON in a form in which equal values are equal texts.
public enum CanonicalJSON {
    /// Returns `json` as Foundation writes it again, with sorted keys and without white space.
    public static func text(_ json: Data) throws -> String {
        let value = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
        let text = try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
        return String(decoding: text, as: UTF8.self)
    }
}
