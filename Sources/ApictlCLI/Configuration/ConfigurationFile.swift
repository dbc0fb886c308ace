import JSONText

/// The configuration file: what a person sets for each API once, instead of in every command.
struct ConfigurationFile: Decodable, Sendable {
    /// The only version there is.
    enum Version: Int, Decodable, Sendable, CaseIterable { case first = 1 }

    /// What is set for one API.
    struct Settings: Decodable, Sendable {
        /// The name of a server, or a base URL.
        var server: String?
        /// Values of parameters that a command does not give, for every endpoint that has them.
        var parameters: [String: JSONValue]?
        /// Options of `call`, by their long names: `"max-time": "5s"`, `"insecure": true`, `"header": ["A: 1", "B: 2"]`.
        var options: [String: JSONValue]?
        /// Where the values of credentials come from, by the names of their variables.
        var credentials: [String: CredentialSource]?
    }

    let version: Version
    /// The settings of each API, by its name.
    let apis: [String: Settings]
}
