import EndpointKit
import EndpointTools
import JSONText

/// The words of an endpoint's call on a command line: `shop.pet --id 7`. A variable of the shell stands for each
/// secret.
struct CallExample {
    /// The words. The name of a variable of the shell is between two marks.
    private(set) var words: [String]
    /// The variables for secrets that no credential stands for.
    private(set) var variables: [NeededVariable] = []
    private let endpoint: String
    private var variableNames = NameTable()

    /// Starts the words with the name of the endpoint: `shop.pet`.
    init(api: String, endpoint: String) {
        self.endpoint = endpoint
        words = ["\(api).\(KebabCase.text(endpoint))"]
    }

    /// Adds options of `call`, which are no parameters of the endpoint: `["--insecure"]`.
    mutating func add(options: [String]) { words += options }

    /// Adds the flag of a parameter.
    ///
    /// | Parameter | Words |
    /// |---|---|
    /// | `page` with 2 | `--page 2` |
    /// | `exact` with true or false | `--exact` or `--no-exact` |
    /// | `tags` with a list | `--tags a --tags b` |
    ///
    /// - Parameters:
    ///   - name: The name of the parameter in Swift.
    ///   - type: The type of the parameter.
    ///   - value: The value in the example; nil if there is none, so that nothing is added.
    ///   - secrets: Removes secrets from the value.
    mutating func add(_ name: String, _ type: InferredType, _ value: JSONValue?, _ secrets: ImportSecrets) {
        let flag = "--" + KebabCase.text(name)
        if type == .bool, let isTrue = value?.bool {
            words.append(isTrue ? flag : "--no-" + flag.dropFirst(2))
            return
        }
        let isList = if case .array = type { true } else { false }
        let values = isList ? value?.elements : value.map { [$0] }
        for value in values ?? [] {
            let text = secrets.removed(from: value.text, keepsVariables: true)
            words += [flag, withVariables(text, name, secrets.prefix)]
        }
    }

    /// Returns a text with a variable for each secret that was removed from it: `(redacted)` → `$SHOP_PET_KEY`.
    ///
    /// - Parameters:
    ///   - text: The text, with ``SecretRules/mark`` for each secret. The variables get marks of ``ShellReader``.
    ///   - name: The name of the parameter with the text.
    ///   - prefix: The start of the variables' names.
    private mutating func withVariables(_ text: String, _ name: String, _ prefix: String) -> String {
        var text = text
        while let secret = text.firstRange(of: SecretRules.mark) {
            let words = SwiftNames.words("\(endpoint)-\(name)")
            let variable = variableNames.unique(Credential.variable(prefix, words))
            variables.append(NeededVariable(name: variable))
            text.replaceSubrange(secret, with: "\(ShellReader.mark)\(variable)\(ShellReader.mark)")
        }
        return text
    }
}
