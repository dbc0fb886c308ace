import EndpointKit
import EndpointTools
import JSONText

/// `describe`, and the name of an API or group alone: shows an API, a group of APIs, or everything about an endpoint.
struct DescribeCommand: Command {
    struct Options: CommandOptions {
        var common = CommonOptions()
        var json = false
    }

    static let name = "describe"
    static let usage = "describe API[.ENDPOINT]|GROUP [--json]"
    static let summary = "show an API, a group, or an endpoint's parameters and response"
    static let operands = CommandOperands.subject
    static let table = OptionTable<Options>(command: [
        OptionGroup(title: "Options", options: [Option("json", "print JSON") { $0.json = true }])
    ])

    private let subject: Subject
    private let options: Options

    /// Finds the API, group or endpoint that the words name.
    ///
    /// - Throws: ``UsageError`` if there is none, or without words.
    init(_ words: CommandWords<Options>) throws {
        guard let word = try words.registry.joinedName(words.operands) else {
            throw words.registry.missingEndpointError(command: Self.name, alternative: "an API")
        }
        options = words.options
        subject = try words.registry.subject(word)
    }

    var isPaged: Bool { true }

    /// Prints the description of the API, group or endpoint on stdout.
    func run(_ context: CommandContext) async throws -> ExitCode {
        switch subject {
        case .api(let api):
            let description = try APIDescription(api, context)
            try context.print(
                asJSON: options.json, options.common, json: description.json, text: description.text(context))
        case .group(let group):
            let description = try GroupDescription(group, context)
            try context.print(
                asJSON: options.json, options.common, json: description.json, text: description.text(context))
        case .endpoint(let declaration):
            let description = EndpointDescription(declaration)
            try context.print(
                asJSON: options.json, options.common, json: description.json(tool: context.invocation),
                text: description.text(declaration, context))
        }
        return .success
    }
}
