import EndpointKit
import EndpointTools

/// The names of the tool's own environment variables, which start with the tool's name: `APICTL_SERVER`,
/// `PETCTL_SERVER`.
struct VariableNames: Sendable {
    private let prefix: String

    init(tool: String) { prefix = Self.name(tool) }

    var server: String { prefix + "_SERVER" }
    /// The older name of ``server``, which counts if that is not set.
    var serverSynonym: String { prefix + "_ENV" }
    var configuration: String { prefix + "_CONFIG" }
    var pager: String { prefix + "_PAGER" }
    var keyPassphrase: String { prefix + "_KEY_PASSPHRASE" }

    /// The variable with the server of the API or group of that name: `APICTL_MOVIES_SERVER`.
    func server(of name: String) -> String { "\(prefix)_\(Self.name(name))_SERVER" }

    /// The older name of ``server(of:)``, which counts if that is not set: `APICTL_MOVIES_ENV`.
    func serverSynonym(of name: String) -> String { "\(prefix)_\(Self.name(name))_ENV" }

    /// The variable with the base URL of the API or group of that name: `APICTL_MOVIES_URL`.
    func url(of name: String) -> String { "\(prefix)_\(Self.name(name))_URL" }

    /// The variables that choose the server of an API, of which the first one that is set counts.
    ///
    /// The API's own variables come first, then those of its groups, the longest name first, then those for all APIs.
    func serverVariables(of api: CatalogueAPI) -> [ServerVariable] {
        let own = APIGroup.names(covering: api.name).flatMap { name in
            [
                ServerVariable(name: url(of: name), isURL: true),
                ServerVariable(name: server(of: name), isURL: false),
                ServerVariable(name: serverSynonym(of: name), isURL: false),
            ]
        }
        let general = [server, serverSynonym].map { ServerVariable(name: $0, isURL: false) }
        return own + general
    }

    private static func name(_ text: String) -> String {
        text.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }
}

/// A variable that chooses a server.
struct ServerVariable: Sendable {
    let name: String
    /// Whether the value is a base URL rather than the name of a server.
    let isURL: Bool
}
