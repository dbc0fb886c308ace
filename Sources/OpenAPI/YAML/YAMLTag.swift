/// A tag of YAML's core schema (YAML 1.2.2, section 10.3).
///
/// Any other tag is ignored, so that a tag of some tool, such as `!Ref pets`, never keeps a document from being read.
package enum YAMLTag: String, Sendable {
    case string = "!!str"
    case integer = "!!int"
    case float = "!!float"
    case boolean = "!!bool"
    case null = "!!null"
    case map = "!!map"
    case sequence = "!!seq"

    /// The tag with a full name, or nil if it is not one of the core schema.
    ///
    /// - Parameter name: The name, such as `tag:yaml.org,2002:str`.
    init?(name: String) {
        let prefix = "tag:yaml.org,2002:"
        guard name.hasPrefix(prefix) else { return nil }
        self.init(rawValue: "!!" + name.dropFirst(prefix.count))
    }
}
