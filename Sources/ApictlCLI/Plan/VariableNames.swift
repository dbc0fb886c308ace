import EndpointKit

/// The names of the tool's own environment variables, which start with the tool's name: `APICTL_ENV`, `PETCTL_ENV`.
struct VariableNames: Sendable {
    private let prefix: String

    init(tool: String) { prefix = Self.name(tool) }

    /// The variable that chooses the server, like `--env`.
    var server: String { prefix + "_ENV" }
    /// The variable with the path of the configuration file.
    var configuration: String { prefix + "_CONFIG" }
    /// The variable with the command that shows long texts on a terminal.
    var pager: String { prefix + "_PAGER" }
    /// The variable with the passphrase of a client certificate's key.
    var keyPassphrase: String { prefix + "_KEY_PASSPHRASE" }

    /// The variable that chooses the server of one API, like `--env`.
    func server(of api: any API.Type) -> String { "\(prefix)_\(Self.name(api.name))_ENV" }
    /// The variable with the base URL of one API, like `--base-url`.
    func url(of api: any API.Type) -> String { "\(prefix)_\(Self.name(api.name))_URL" }

    private static func name(_ text: String) -> String {
        text.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }
}
