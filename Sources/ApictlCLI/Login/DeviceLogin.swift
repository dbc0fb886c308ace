import EndpointKit
import JSONText

/// A login on another device, such as a phone (RFC 8628).
///
/// The server gives a code. A person opens a page, enters the code and approves the login. Meanwhile the server is
/// asked again and again whether that has happened.
struct DeviceLogin {
    let tokenEndpoint: TokenEndpoint
    /// Shows a person a line.
    let showLine: (String) throws -> Void
    /// Waits for a time.
    let sleep: (Duration) async throws -> Void

    /// The seconds by which the interval grows after the server was asked too often (RFC 8628, section 3.5).
    private static let slowDownStep = 5

    /// The server's answer to the request for codes (RFC 8628, section 3.2).
    private struct DeviceAuthorization {
        /// The secret that identifies this login when the server is asked about it.
        let deviceCode: String
        /// The code that the person enters.
        let userCode: String
        /// The page on which the person enters the code.
        let page: String
        /// The page with the code in its address, so that nothing has to be typed; nil if the server has none.
        let completePage: String?
        /// The seconds until the codes expire.
        let lifetime: Int
        /// The seconds between two questions.
        let interval: Int

        // All times are in seconds, as in the answer.

        /// The time between two questions if the server does not say one (RFC 8628, section 3.2).
        private static let defaultInterval = 5
        /// The shortest time between two questions. A server that says 0 would be asked without a pause.
        private static let minInterval = 1
        /// The longest time between two questions. A server that says a longer one would keep a person waiting.
        private static let maxInterval = 60
        /// The time in which the person must approve the login if the server does not say one.
        private static let defaultLifetime = 900
        /// The longest time in which the person must approve the login, whatever the server says.
        private static let maxLifetime = 3600

        /// The error that the answer has no member of this name, or one that can't be used.
        struct UnusableMember: Error {
            let name: String
        }

        /// Reads the members of the answer. Times beyond the limits of this type are replaced by the limits.
        ///
        /// - Throws: ``UnusableMember`` if the answer lacks one of the codes or a page that can be opened.
        init(_ answer: JSONValue) throws(UnusableMember) {
            // Google calls the page `verification_url`.
            let pageText = (answer["verification_uri"] ?? answer["verification_url"])?.string
            guard let pageText, pageText.isPageAddress else { throw UnusableMember(name: "verification_uri") }
            page = pageText
            deviceCode = try Self.code("device_code", in: answer)
            userCode = try Self.code("user_code", in: answer)
            let completePageText = answer["verification_uri_complete"]?.string
            completePage = completePageText?.isPageAddress == true ? completePageText : nil
            let statedLifetime = TokenAnswer.seconds(answer["expires_in"]) ?? Self.defaultLifetime
            lifetime = min(statedLifetime, Self.maxLifetime)
            let statedInterval = TokenAnswer.seconds(answer["interval"]) ?? Self.defaultInterval
            interval = min(max(statedInterval, Self.minInterval), Self.maxInterval)
        }

        /// Returns the code in a member of the answer, which must not be empty.
        private static func code(_ memberName: String, in answer: JSONValue) throws(UnusableMember) -> String {
            guard let code = answer[memberName]?.string, !code.isEmpty else { throw UnusableMember(name: memberName) }
            return code
        }
    }

    /// Asks for codes, shows one to the person, and waits for the approval and the token.
    ///
    /// - Parameter deviceEndpoint: The URL of the device authorization endpoint.
    /// - Throws: ``LoginFailure`` and `CancellationError`.
    func run(deviceEndpoint: String) async throws -> TokenAnswer {
        let authorization = try await requestCodes(from: deviceEndpoint)
        let request = "To log in to \(tokenEndpoint.api), open \(authorization.page)"
        try showLine("\(request) and enter the code \(authorization.userCode)")
        if let completePage = authorization.completePage { try showLine("or open \(completePage)") }
        return try await pollForToken(authorization)
    }

    /// Asks the server for the codes of this login (RFC 8628, section 3.1).
    ///
    /// - Parameter deviceEndpoint: The URL of the device authorization endpoint.
    /// - Throws: ``LoginFailure`` if the request fails or if the answer can't be used, and `CancellationError`.
    private func requestCodes(from deviceEndpoint: String) async throws -> DeviceAuthorization {
        let fields = tokenEndpoint.scopeFields + tokenEndpoint.declaredFields
        let answer = try await tokenEndpoint.post(fields, to: deviceEndpoint, during: .deviceCode)
        do {
            return try DeviceAuthorization(answer)
        } catch {
            throw tokenEndpoint.failure(at: deviceEndpoint, during: .deviceCode, reason: .missing(error.name))
        }
    }

    /// Asks for the token, again and again, until the person has approved the login (RFC 8628, sections 3.4 and 3.5).
    ///
    /// - Throws: ``LoginFailure`` if the server refuses the login or the codes have expired, and `CancellationError`.
    private func pollForToken(_ authorization: DeviceAuthorization) async throws -> TokenAnswer {
        let fields = [QueryItem("device_code", authorization.deviceCode)]
        var interval = authorization.interval
        var waitedSeconds = 0
        var lastConnectionFailure: LoginFailure?
        while true {
            waitedSeconds += interval
            if waitedSeconds > authorization.lifetime {
                // If the connection was lost, this says more than that the codes have expired.
                if let lastConnectionFailure { throw lastConnectionFailure }
                let tokenURL = tokenEndpoint.oauth.endpoints.token
                throw tokenEndpoint.failure(at: tokenURL, during: .polling, reason: .expired)
            }
            try await sleep(.seconds(interval))
            do {
                return try await tokenEndpoint.requestToken(
                    grantType: "urn:ietf:params:oauth:grant-type:device_code", fields: fields, during: .polling)
            } catch let failure as LoginFailure {
                switch failure.reason {
                case .refused("authorization_pending", _): lastConnectionFailure = nil
                case .refused("slow_down", _): interval += Self.slowDownStep
                // A lost connection does not end the login, but the next question comes later (RFC 8628, section 3.5).
                case .transfer(_, .network), .transfer(_, .timeout):
                    interval += Self.slowDownStep
                    lastConnectionFailure = failure
                default: throw failure
                }
            }
        }
    }
}
