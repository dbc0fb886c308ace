import EndpointKit
import EndpointTools
import JSONText

/// The words of an endpoint's call on a command line. A variable of the shell stands for each secret in it.
struct CallExample {
    /// The words; a variable of the shell is between marks.
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

    /// Adds words that are no parameter of the endpoint: options of `call`.
    mutating func add(options: [String]) { words += options }

    /// Adds the flag of a parameter: `--page 2`, and `--exact` or `--no-exact` for a boolean. A list has a flag for each
    /// element.
    ///
    /// - Parameters:
    ///   - name: The name of the parameter in Swift.
    ///   - type: Its type.
    ///   - value: Its value in the example, nil if it has none.
    ///   - sweep: Removes secrets.
    mutating func add(_ name: String, _ type: InferredType, _ value: JSONValue?, _ sweep: SecretSweep) {
        let flag = "--" + KebabCase.text(name)
        if type == .bool, let isTrue = value?.bool {
            words.append(isTrue ? flag : "--no-" + flag.dropFirst(2))
            return
        }
        let isList = if case .array = type { true } else { false }
        let values = isList ? value?.elements : value.map { [$0] }
        for value in values ?? [] {
            words += [flag, withVariables(sweep.cleaned(value.text, keepsVariables: true), name, sweep.prefix)]
        }
    }

    /// Puts a variable in the place of each removed secret.
    private mutating func withVariables(_ text: String, _ name: String, _ prefix: String) -> String {
        var text = text
        while let secret = text.firstRange(of: SecretRules.mark) {
            let variable = variableNames.unique(
                Credential.variable(prefix, SwiftNames.words("\(endpoint)-\(name)")))
            variables.append(NeededVariable(name: variable))
            text.replaceSubrange(secret, with: "\(ShellReader.mark)\(variable)\(ShellReader.mark)")
        }
        return text
    }
}
