import EndpointKit
import JSONText

/// A login on another device, such as a phone (RFC 8628).
///
/// The server gives a code. A person opens a page, enters the code and approves the login. Meanwhile the server is
/// asked again and again whether that has happened.
struct DeviceLogin {
    let server: TokenEndpoint
    /// Shows a person a line.
    let show: (String) throws -> Void
    /// Waits.
    let sleep: (Duration) async throws -> Void

    /// The time between two questions if the server does not say one (RFC 8628, section 3.2).
    private static let usualInterval = 5
    /// The time by which a server that is asked too often makes the interval longer (RFC 8628, section 3.5).
    private static let slowDown = 5
    /// The longest time that a code is waited for if the server does not say one, in seconds.
    private static let usualLifetime = 900
    /// A code is not waited for longer than this, whatever the server says, in seconds.
    private static let maxLifetime = 3600
    /// The server is asked at least this often, whatever it says, in seconds.
    private static let maxInterval = 60

    /// The server's answer to the request for a code (RFC 8628, section 3.2).
    private struct Authorization {
        let deviceCode: String
        let userCode: String
        let page: String
        /// The page with the code in its address, so that nothing has to be typed.
        let completePage: String?
        let lifetime: Int
        let interval: Int
    }

    /// Logs in.
    ///
    /// - Parameter url: The URL of the device authorization endpoint.
    /// - Throws: ``LoginFailure`` and `CancellationError`.
    func run(_ url: String) async throws -> TokenAnswer {
        let authorization = try await authorization(url)
        try show("To log in to \(server.api), open \(authorization.page) and enter the code \(authorization.userCode)")
        if let page = authorization.completePage { try show("or open \(page)") }
        return try await poll(authorization)
    }

    /// Asks for a code.
    private func authorization(_ url: String) async throws -> Authorization {
        let fields = server.scopeFields + server.oauth.parameters.sorted { $0.key < $1.key }
        let answer = try await server.post(fields, to: url, .deviceCode)
        func text(_ name: String) throws -> String {
            guard let text = answer[name]?.string, !text.isEmpty else {
                throw server.failure(url, .deviceCode, .missing(name))
            }
            return text
        }
        // Google calls the page `verification_url`.
        let page = answer["verification_uri"] ?? answer["verification_url"]
        guard let page = page?.string, Self.isPage(page) else {
            throw server.failure(url, .deviceCode, .missing("verification_uri"))
        }
        let completePage = answer["verification_uri_complete"]?.string
        return Authorization(
            deviceCode: try text("device_code"), userCode: try text("user_code"), page: page,
            completePage: completePage.flatMap { Self.isPage($0) ? $0 : nil },
            lifetime: min(TokenAnswer.seconds(answer["expires_in"]) ?? Self.usualLifetime, Self.maxLifetime),
            interval: min(max(TokenAnswer.seconds(answer["interval"]) ?? Self.usualInterval, 1), Self.maxInterval))
    }

    /// Whether a text is the address of a page that a person may be asked to open.
    static func isPage(_ text: String) -> Bool {
        let hasScheme = text.hasPrefix("https://") || text.hasPrefix("http://")
        return hasScheme && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Asks for the token until the person has approved the login.
    private func poll(_ authorization: Authorization) async throws -> TokenAnswer {
        var interval = authorization.interval
        var waited = 0
        var lastFailure: LoginFailure?
        while true {
            waited += interval
            guard waited <= authorization.lifetime else {
                throw lastFailure ?? server.failure(server.oauth.endpoints.token, .polling, .expired)
            }
            try await sleep(.seconds(interval))
            do {
                return try await server.token(
                    "urn:ietf:params:oauth:grant-type:device_code", [("device_code", authorization.deviceCode)],
                    .polling)
            } catch let failure as LoginFailure {
                switch failure.reason {
                case .refused("authorization_pending", _): lastFailure = nil
                case .refused("slow_down", _): interval += Self.slowDown
                // A lost connection does not end the login (RFC 8628, section 3.5). The next question comes later.
                case .transfer(_, .network), .transfer(_, .timeout):
                    interval += Self.slowDown
                    lastFailure = failure
                default: throw failure
                }
            }
        }
    }
}
