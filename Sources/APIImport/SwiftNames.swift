/// Names of Swift, as generated declarations use them.
package enum SwiftNames {
    /// Keywords that can't be an identifier without backticks (The Swift Programming Language, "Keywords and Punctuation").
    package static let keywords: Set<String> = [
        "associatedtype", "borrowing", "class", "consuming", "deinit", "enum", "extension", "fileprivate", "func",
        "import", "init", "inout", "internal", "let", "nonisolated", "open", "operator", "precedencegroup", "private",
        "protocol", "public", "rethrows", "static", "struct", "subscript", "typealias", "var", "break", "case", "catch",
        "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return",
        "switch", "throw", "where", "while", "Any", "as", "await", "false", "is", "nil", "self", "Self", "super",
        "throws", "true", "try", "Type", "Protocol",
    ]

    /// The name as an identifier: in backticks if it is a keyword.
    package static func quoted(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }
}
