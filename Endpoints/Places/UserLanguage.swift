#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The language that the user's locale variables ask for (POSIX, Base Definitions, section 8.2).
public struct UserLanguage: Sendable {
    /// Returns the value of a variable, or nil if it is not set.
    public var variables: @Sendable (String) -> String?

    /// By default, uses the environment variables of this process.
    public init(
        variables: @escaping @Sendable (String) -> String? = { ProcessInfo.processInfo.environment[$0] }
    ) {
        self.variables = variables
    }

    /// The language of the first variable that is set: `de` for `de_DE.UTF-8`; `en` for `C`, `POSIX` or none at all.
    public var code: String {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variables).first { !$0.isEmpty } ?? ""
        let language = locale.prefix { $0.isASCII && $0.isLetter }
        let rest = locale.dropFirst(language.count).first
        let isLanguage = (2...3).contains(language.count) && (rest.map { "_.@-".contains($0) } ?? true)
        return isLanguage ? language.lowercased() : "en"
    }
}
