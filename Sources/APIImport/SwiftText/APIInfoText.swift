import EndpointKit

/// The Swift text of what all endpoints of an API share: `public static let api = APIInfo(…)`.
struct APIInfoText {
    let name: String
    /// A few words about the API; empty if there are none.
    var summary = ""
    /// An array literal, or the name of an array that is declared elsewhere.
    let servers: SwiftText
    /// An expression such as `Coding(keys: .convertFromSnakeCase)`; nil for the default.
    var coding: String?
    /// An array literal, or the name of an array that is declared elsewhere; nil if the API needs no credentials.
    var credentials: SwiftText?
    /// The JSON text with the samples of the endpoints, as an expression; nil if there is none.
    var samples: String?

    /// The declaration, with an argument for each part that the API has.
    var line: SwiftLine {
        var arguments: [SwiftText] = ["name: \(SwiftText.literal(name))"]
        if !summary.isEmpty { arguments.append("summary: \(SwiftText.literal(summary))") }
        arguments.append("servers: \(servers)")
        if let coding { arguments.append("coding: \(coding)") }
        if let credentials { arguments.append("credentials: \(credentials)") }
        if let samples { arguments.append("samples: Samples(\(samples))") }
        return .text("public static let api = \(SwiftText.column("APIInfo(", arguments, ")"))")
    }
}
