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

    /// Adds the flag of a parameter to the words. A variable stands for each secret in the value.
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
    mutating func addFlag(_ name: String, type: InferredType, value: JSONValue?, secrets: ImportSecrets) {
        guard let value else { return }
        let flagName = KebabCase.text(name)
        if type == .bool, let isTrue = value.bool {
            words.append(isTrue ? "--\(flagName)" : "--no-\(flagName)")
            return
        }
        let isList = if case .array = type { true } else { false }
        let singleValues = isList ? value.elements ?? [] : [value]
        for singleValue in singleValues {
            let redactedText = secrets.removed(from: singleValue.text, keepsVariables: true)
            let text = replaceMarksByVariables(in: redactedText, ofParameter: name, prefix: secrets.prefix)
            words += ["--\(flagName)", text]
        }
    }

    /// Returns a text with a variable for each secret that was removed from it: `(redacted)` → `$SHOP_PET_KEY`.
    ///
    /// The variables are new, and are added to ``variables``. The name of each is put between the marks of
    /// ``ShellReader``, so that the writer of the command knows it as a variable.
    ///
    /// - Parameters:
    ///   - text: The text, with ``SecretRules/mark`` in place of each secret.
    ///   - name: The name of the parameter with the text.
    ///   - prefix: The start of the variables' names.
    private mutating func replaceMarksByVariables(
        in text: String, ofParameter name: String, prefix: String
    ) -> String {
        let variableWords = SwiftNames.words("\(endpoint)-\(name)")
        var filledText = text
        while let secretMark = filledText.firstRange(of: SecretRules.mark) {
            let variable = variableNames.unique(Credential.variableName(prefix: prefix, words: variableWords))
            variables.append(NeededVariable(name: variable))
            filledText.replaceSubrange(secretMark, with: "\(ShellReader.mark)\(variable)\(ShellReader.mark)")
        }
        return filledText
    }
}
