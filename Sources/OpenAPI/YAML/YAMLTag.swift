/// A tag of YAML's core schema (YAML 1.2.2, section 10.3).
///
/// Tags of other schemas, such as `!Ref pets`, are ignored, so that documents with them can be read.
package enum YAMLTag: String, Sendable {
    case string = "!!str"
    case integer = "!!int"
    case float = "!!float"
    case boolean = "!!bool"
    case null = "!!null"
    case map = "!!map"
    case sequence = "!!seq"

    /// Creates the tag with a full name, such as `tag:yaml.org,2002:str`; nil if the core schema has no such tag.
    init?(name: String) {
        let prefix = "tag:yaml.org,2002:"
        guard name.hasPrefix(prefix) else { return nil }
        self.init(rawValue: "!!" + name.dropFirst(prefix.count))
    }
}
