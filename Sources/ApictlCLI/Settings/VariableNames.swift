import EndpointKit
import EndpointTools

/// The names of the tool's own environment variables, which start with the tool's name: `APICTL_ENV`, `PETCTL_ENV`.
struct VariableNames: Sendable {
    private let prefix: String

    init(tool: String) { prefix = Self.name(tool) }

    var server: String { prefix + "_ENV" }
    var configuration: String { prefix + "_CONFIG" }
    var pager: String { prefix + "_PAGER" }
    var keyPassphrase: String { prefix + "_KEY_PASSPHRASE" }

    func server(of api: CatalogueAPI) -> String { "\(prefix)_\(Self.name(api.name))_ENV" }
    func url(of api: CatalogueAPI) -> String { "\(prefix)_\(Self.name(api.name))_URL" }

    private static func name(_ text: String) -> String {
        text.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }
}
