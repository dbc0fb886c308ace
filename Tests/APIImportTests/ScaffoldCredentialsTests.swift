import Testing

@testable import APIImport

/// The credentials that an API imported from curl commands declares.
@Suite struct ScaffoldCredentialsTests {
    /// A request with a secret, and the credential that the API declares.
    struct RequestCredential: Sendable, CustomTestStringConvertible {
        /// The arguments of curl.
        let curl: String
        let credential: String

        var testDescription: String { curl }
    }

    @Test(
        "A secret in the usual location of a credential becomes a credential",
        arguments: [
            RequestCredential(
                curl: "-u ann:passw0rd http://a.test",
                credential: #".basic(userVariable: "A_USER", passwordVariable: "A_PASSWORD")"#),
            RequestCredential(
                curl: "-u :passw0rd http://a.test",
                credential: #".header("Authorization", prefix: "Basic ", variable: "A_BASIC")"#),
            RequestCredential(
                curl: "-u passw0rd: http://a.test",
                credential: #".header("Authorization", prefix: "Basic ", variable: "A_BASIC")"#),
            RequestCredential(
                curl: "http://ann:passw0rd@a.test",
                credential: #".basic(userVariable: "A_USER", passwordVariable: "A_PASSWORD")"#),
            RequestCredential(
                curl: "-u $NAME:$PASS http://a.test",
                credential: #".basic(userVariable: "NAME", passwordVariable: "PASS")"#),
            RequestCredential(
                curl: "-H 'Authorization: Basic YW5uOnBhc3N3MHJk' http://a.test",
                credential: #".basic(userVariable: "A_USER", passwordVariable: "A_PASSWORD")"#),
            RequestCredential(
                curl: "-H 'authorization: Bearer passw0rd' http://a.test",
                credential: #".bearer(variable: "A_TOKEN")"#),
            RequestCredential(curl: "-b $JAR http://a.test", credential: #".header("Cookie", variable: "JAR")"#),
            RequestCredential(
                curl: "-H \"Authorization: Bearer $GH_TOKEN\" http://a.test",
                credential: #".bearer(variable: "GH_TOKEN")"#),
            RequestCredential(
                curl: "-H 'Authorization: token passw0rd' http://a.test",
                credential: #".header("Authorization", prefix: "token ", variable: "A_TOKEN")"#),
            RequestCredential(
                curl: "-H 'Authorization: passw0rd' http://a.test",
                credential: #".header("Authorization", variable: "A_TOKEN")"#),
            RequestCredential(
                curl: "-b 'sid=passw0rd; theme=dark' http://a.test",
                credential: #".header("Cookie", variable: "A_COOKIE")"#),
            RequestCredential(
                curl: "-H 'X-Api-Key: passw0rd' http://a.test",
                credential: #".header("X-Api-Key", variable: "A_API_KEY")"#),
            RequestCredential(
                curl: "-H 'X-Custom: ghp_passw0rdpassw0rdpassw0rd' http://a.test",
                credential: #".header("X-Custom", variable: "A_CUSTOM")"#),
            RequestCredential(
                curl: "'http://a.test?access_token=passw0rd&x=1'",
                credential: #".query("access_token", variable: "A_ACCESS_TOKEN")"#),
            RequestCredential(
                curl: "'http://a.test?api_key=passw0rd&api_key=passw0rd'",
                credential: #".query("api_key", variable: "A_API_KEY")"#),
            RequestCredential(
                curl: "-G --data-urlencode 'signature=passw0rd' http://a.test",
                credential: #".query("signature", variable: "A_SIGNATURE")"#),
        ])
    func secretsBecomeCredentials(request: RequestCredential) throws {
        let text = try CurlImport.scaffold("curl " + request.curl, response: #"{"echo": "passw0rd"}"#)
            .text(withModels: true)
        #expect(text.contains("credentials: [\(request.credential)]"), "\(text)")
        #expect(!text.contains("passw0rd"), "\(text)")
        #expect(!text.contains("YW5uOnBhc3N3MHJk"), "\(text)")
    }

    @Test(
        "An authentication scheme without a credential has a note, and its password is not written",
        arguments: ["--digest", "--ntlm", "--negotiate", "--anyauth", "--aws-sigv4 aws:amz"])
    func otherSchemesAreNoCredentials(_ option: String) throws {
        let curl = "curl \(option) -u ann:passw0rd http://a.test/x?y=passw0rd"
        let scaffold = try CurlImport.scaffold(curl, response: #"{"a": "passw0rd"}"#)
        let text = scaffold.text(withModels: true)
        #expect(!text.contains("credentials"), "\(text)")
        #expect(!text.contains("passw0rd"), "\(text)")
        #expect(scaffold.notes.contains { $0.hasPrefix("no credential is declared for \(option.prefix(5))") })
    }

    /// With `(redacted)` in its value, the header would be useless.
    @Test("A header that repeats a secret is a credential too")
    func headersThatRepeatASecretAreCredentials() throws {
        let text = try CurlImport.scaffold("curl http://a.test/x -b sid=abcdefgh -H 'X-Session: abcdefgh'")
            .text(withModels: true)
        #expect(text.contains(#".header("X-Session", variable: "A_SESSION")"#), "\(text)")
        #expect(!text.contains("(redacted)"))
    }

    @Test("Two schemes of the header Authorization have a variable each")
    func eachSchemeHasAVariableOfItsOwn() throws {
        let text = try CurlImport.scaffold(
            "curl http://a.test/a -u passw0rd: ; curl http://a.test/b -H 'Authorization: token other'"
        ).text(withModels: true)
        #expect(text.contains(#""Basic ", variable: "A_BASIC""#))
        #expect(text.contains(#""token ", variable: "A_TOKEN""#))
    }
}
