import EndpointKit
import EndpointTools

/// The names of the tool's own environment variables, which start with the tool's name: `APICTL_SERVER`,
/// `PETCTL_SERVER`.
struct VariableNames: Sendable {
    /// The tool's name as it stands in variables: `APICTL`.
    private let prefix: String

    /// Makes the names for a tool, such as `apictl`.
    init(tool: String) { prefix = Self.variableName(tool) }

    /// The variable with the name of the server for all APIs: `APICTL_SERVER`.
    var server: String { prefix + "_SERVER" }
    /// The older name of ``server``: `APICTL_ENV`. It counts if ``server`` is not set.
    var serverSynonym: String { prefix + "_ENV" }
    /// The variable with the path of the configuration file: `APICTL_CONFIG`.
    var configuration: String { prefix + "_CONFIG" }
    /// The variable with the program that shows long texts: `APICTL_PAGER`.
    var pager: String { prefix + "_PAGER" }
    /// The variable with the password of the user of `--user`: `APICTL_PASSWORD`.
    var password: String { prefix + "_PASSWORD" }
    /// The variable with the passphrase of the client's key: `APICTL_KEY_PASSPHRASE`.
    var keyPassphrase: String { prefix + "_KEY_PASSPHRASE" }

    /// The variable with the name of the server of an API or group: `APICTL_MOVIES_SERVER`.
    func server(of name: String) -> String { "\(prefix)_\(Self.variableName(name))_SERVER" }

    /// Returns the older name of ``server(of:)``: `APICTL_MOVIES_ENV`. It counts if the newer one is not set.
    func serverSynonym(of name: String) -> String { "\(prefix)_\(Self.variableName(name))_ENV" }

    /// The variable with the base URL of an API or group: `APICTL_MOVIES_URL`.
    func url(of name: String) -> String { "\(prefix)_\(Self.variableName(name))_URL" }

    /// Returns the variables that choose the server of an API. The first one that is set counts.
    ///
    /// The API's own variables come first. Then come those of its groups, the group with the longest name first, and
    /// those for all APIs.
    func serverVariables(of api: CatalogueAPI) -> [ServerVariable] {
        var variables: [ServerVariable] = []
        // The names are those of the API and its groups: `kinto.buckets`, then `kinto`.
        for name in APIGroup.names(covering: api.name) {
            variables.append(ServerVariable(name: url(of: name), isURL: true))
            variables.append(ServerVariable(name: server(of: name), isURL: false))
            variables.append(ServerVariable(name: serverSynonym(of: name), isURL: false))
        }
        variables.append(ServerVariable(name: server, isURL: false))
        variables.append(ServerVariable(name: serverSynonym, isURL: false))
        return variables
    }

    /// Returns a text as a part of a variable's name: `PET_STORE` for `pet-store`.
    private static func variableName(_ text: String) -> String {
        text.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }
}

/// A variable that chooses a server.
struct ServerVariable: Sendable {
    let name: String
    /// Whether the value is a base URL rather than the name of a server.
    let isURL: Bool
}
