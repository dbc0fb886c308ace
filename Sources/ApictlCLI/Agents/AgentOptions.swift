import EndpointKit

/// The options of `mcp`.
struct AgentOptions: CommandOptions {
    /// Which tools the client gets.
    enum ToolKind: String, CaseIterable {
        /// A tool for each endpoint if there are few, or else tools to find and call them.
        case auto
        /// A tool for each endpoint.
        case endpoints
        /// Tools to find, describe and call endpoints.
        case search
    }

    var common = CommonOptions()
    /// Whether there are tools for methods that may change data.
    var includesUnsafe = false
    var call = CallOptions()
    /// The longest text of a result, in bytes.
    var maxBytes = 16_384
    var toolKind = ToolKind.auto
    /// Whether to print the entry for a client's configuration instead of serving tools.
    var printsConfiguration = false

    /// Returns whether an agent may call endpoints with a method, such as `GET`.
    func allows(_ method: String) -> Bool { includesUnsafe || HTTPMethod(rawValue: method).isSafe }

    static let table = OptionTable<AgentOptions>(command: [
        OptionGroup(title: "Options", options: [unsafeOption] + callOptions + resultOptions)
    ])

    private static let unsafeOption = Option<AgentOptions>(
        "unsafe", \.includesUnsafe, "also have tools that send POST, PUT, PATCH and DELETE")

    /// The options of `call` that apply to every call of an agent.
    private static let callOptions: [Option<AgentOptions>] = ["server", "env-file"].compactMap { name in
        CallOptions.table[name]?.lifted(to: \.call)
    }

    private static let resultOptions: [Option<AgentOptions>] = [
        Option(
            "max-bytes", .size(atLeast: 1024), "how long the text of a result may be, at least 1k; default 16k"
        ) { $0.maxBytes = $1 }.rarelyUsed(),
        Option(
            "tools", .choice(ToolKind.self),
            "a tool for each endpoint, or tools to find and call them; auto: by their number"
        ) { $0.toolKind = $1 }.rarelyUsed(),
        Option("print-config", \.printsConfiguration, "print what clients have in their configuration"),
    ]
}
