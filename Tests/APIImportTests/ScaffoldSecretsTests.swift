import EndpointKit
import TestSupport
import Testing

@testable import APIImport

/// The secrets in curl commands and their responses, none of which an import writes.
@Suite struct ScaffoldSecretsTests {
    @Test(
        "A secret that is no credential is left out of the code, the samples, the notes and the calls",
        arguments: [
            #"--json '{"user": "ann", "password": "s3cret-word"}' http://a.test/login"#,
            #"--json '{"a": {"b": [{"client_secret": "s3cret-word"}]}}' http://a.test/login"#,
            #"--json '{"a": [{"pin": 471142}]}' http://a.test"#,
            "-d 'user=ann&password=s3cret-word' http://a.test/login",
            "-b 'sid=s3cret-word' http://a.test/s3cret-word/x", "-F user=ann -F pwd=s3cret-word http://a.test",
            "'http://a.test/x?redirect=https%3A%2F%2Fb.test%2F%3Ftoken%3Ds3cret-word'",
            "'http://a.test/x?payload=%7B%22token%22%3A%22s3cret-word%22%7D'",
            "'http://a.test/x?token=s3cret-word&next=s3cret-word'",
            "http://a.test/x -H 'Referer: http://b?token=s3cret-word'",
            "http://a.test/x -H 'X-Next: /a?token=s3cret-word'", "http://a.test/ghp_s3cret-word/x",
            "-H 'Content-Type: text/plain' -d 'password=s3cret-word' http://a.test",
            "-H 'Content-Type: text/plain' -d 'see ghp_s3cret-word0000000000' http://a.test",
            #"-d $'{"password": "s3cret-word"}\n{"pin": "s3cret-word"}' http://a.test"#,
            #"""
            -H 'Content-Type: multipart/form-data; boundary=x' \#
            --data-raw $'--x\r\nContent-Disposition: form-data; name="pin"\r\n\r\ns3cret-word\r\n--x--\r\n' \#
            http://a.test
            """#,
            "--proxy http://u:s3cret-word@p http://a.test",
            #"--json '{"apiKey": {"prod": {"a": "s3cret-word"}}, "secret": {"v": "s3cret-word"}}' http://a.test"#,
            #"--json '{"client_secret": 471142, "auth": {"key": {"v": ["s3cret-word", 471142]}}}' http://a.test"#,
            #"--json '{"jwt": {"a": "s3cret-word"}, "api_key": [{"a": "s3cret-word"}]}' http://a.test"#,
            #"'http://a.test/verify/471142?code=471142&n=471142' -H 'X-N: 471142' --json '{"otp": 471142}'"#,
            """
            'http://a.test/x?next=https%3A%2F%2Fb.test%2F%3Fu%3D\
            https%253A%252F%252Fc.test%252F%253Ftoken%253Ds3cret-word'
            """,
            "-b 'sid=\"s3cret-word\"' http://a.test/x?q=s3cret-word",
            "-H 'DPoP: s3cret-word' http://a.test",
            #"""
            --json '{"cardNumber": "s3cret-word", "cvv": "471142", "mnemonic": "s3cret-word", "t": "s3cret-word"}' \#
            http://a.test
            """#,
            "-E me.pem:s3cret-word http://a.test", "-H 'Proxy-Authorization: Basic s3cret-word' http://a.test",
        ])
    func secretsThatAreNoCredentials(_ curl: String) throws {
        var options = ImportChoices()
        options.keepsSamples = true
        let response = #"""
            {"id": 1, "text": "with other-s3cret", "access_token": "fresh-s3cret", \#
            "url": "http://x/?token=fresh-s3cret"}
            """#
        let scaffold = try CurlImport.scaffold(
            "curl -H 'X-Auth: other-s3cret' " + curl, response: response, options: options)
        let samples = scaffold.endpoints.map { String(decoding: $0.sample?.text ?? [], as: UTF8.self) }
        let calls = scaffold.endpoints.flatMap(\.callWords)
        let allText = ([scaffold.text(withModels: true)] + samples + scaffold.notes + calls).joined(separator: "\n")
        let secrets = ["s3cret-word", "fresh-s3cret", "other-s3cret", "471142"]
        #expect(!secrets.contains(where: allText.contains), "\(allText)")
    }

    /// A path, and whether one of its segments is a secret.
    struct TokenPath: Sendable, CustomTestStringConvertible {
        let path: String
        let isRedacted: Bool

        var testDescription: String { path }
    }

    /// A segment that only looks random may be an ID.
    @Test(
        "A segment of a path is redacted if it has the form of a token",
        arguments: [
            TokenPath(path: "a/ghp_16C7e42F292c6912E7710c838347Ae178B4a", isRedacted: true),
            TokenPath(path: "a/xoxb-1-abc/b", isRedacted: true),
            TokenPath(path: "services/T0AB1CD2E/B0AB1CD2F/pXq7zR2mKv9Lw3NtYb8HcJ5d", isRedacted: false),
            TokenPath(path: "hooks/catch/12/bxqskzz", isRedacted: false),
            TokenPath(
                path: "webhookb2/11111111-2222-3333-4444-555555555555/IncomingWebhook/ghp_160123456789abcdef",
                isRedacted: true),
            TokenPath(path: "api/webhooks/1234567890/ghp_16-abcdefghijklmnop", isRedacted: true),
            TokenPath(path: "IncomingWebhook/0123456789abcdef0123456789abcdef/x", isRedacted: true),
            TokenPath(path: "IncomingWebhook/11111111-2222-3333-4444-555555555555/x", isRedacted: false),
            TokenPath(path: "reset-password/abcdefgh1", isRedacted: false),
            TokenPath(path: "bot123456:AAabcAAAAAAAAAAAAAA/getMe", isRedacted: false),
        ])
    func segmentsOfPaths(token: TokenPath) throws {
        let endpoint = try CurlImport.scaffold("curl https://hooks.test/\(token.path)").endpoints[0]
        #expect(endpoint.example.contains("(redacted)") == token.isRedacted, "\(endpoint.example)")
        #expect(!(endpoint.arm + endpoint.example + endpoint.callWords.joined()).contains("ghp_16"))
    }

    @Test(
        "A secret is left out of names and of long texts, and wherever the request repeats it",
        arguments: [
            #"-G --data-raw '{"password":"s3cretS3cret"}' https://h.test/a"#,
            "https://h.test/a?s3cretS3cret -H 'X-Api-Key: s3cretS3cret'",
            #"https://h.test/a -H 'X-Api-Key: s3cretS3cret' -d '{"k-s3cretS3cret":1}'"#,
            "https://h.test/a -H 'X-Api-Key: s3cretS3cret' -H 'X-s3cretS3cret: 1'",
            "https://h.test/a -H 'X-Api-Key: s3cretS3cret' -F 's3cretS3cret=1'",
            "https://h.test/a -H 'X-Any: token ghp_s3cretS3cret0123456789'",
            #"https://h.test/a -d '{"a":"see ghp_s3cretS3cret0123456789 here"}'"#,
            #"https://h.test/a -d '{"ghp_s3cretS3cret0123456789":{"a":1}}'"#,
            #"https://h.test/a -d '{"password":{"value":"s3cretS3cret"}}'"#,
            #"https://h.test/a -d '{"a":"postgres://u:s3cretS3cret@db/x"}'"#,
            "https://h.test/z/s3cretS3cret --next https://h.test/y -H 'X-Api-Key: s3cretS3cret'",
        ])
    func secretsInNames(_ curl: String) throws {
        let scaffold = try CurlImport.scaffold("curl " + curl)
        #expect(!scaffold.text(withModels: true).contains("s3cretS3cret"))
        #expect(!"\(scaffold.endpoints[0].callWords)".contains("s3cretS3cret"))
    }

    /// The body of a response with secrets, and the body without them.
    struct ResponseSecret: Sendable, CustomTestStringConvertible {
        let body: String
        let redacted: String

        var testDescription: String { body }
    }

    /// A secret of digits is not sought in other numbers.
    @Test(
        "A secret of a response is redacted everywhere in the response",
        arguments: [
            ResponseSecret(
                body: #"""
                    {"user":{"password":"s3cretS3cret","note":"s3cretS3cret",\#
                    "url":"https://h.test/a?b=1&token=abcdef12"}}
                    """#,
                redacted: #"""
                    {"user":{"password":"(redacted)","note":"(redacted)",\#
                    "url":"https://h.test/a?b=1&token=(redacted)"}}
                    """#),
            ResponseSecret(
                body: #"{"otp":123456,"id":1234567,"n":[123456]}"#,
                redacted: #"{"otp":0,"id":1234567,"n":[0]}"#),
            ResponseSecret(
                body: #"{"password":"123456","id":1234567,"n":123456,"a":"123456","b":"is 123456."}"#,
                redacted: #"{"password":"(redacted)","id":1234567,"n":0,"a":"(redacted)","b":"is (redacted)."}"#),
            ResponseSecret(
                body: #"{"private_key":[{"a":{"b":"hunter55"}}],"tokens":[{"a":"b"}]}"#,
                redacted: #"{"private_key":[{"a":{"b":"(redacted)"}}],"tokens":[{"a":"b"}]}"#),
            ResponseSecret(
                body: #"{"secret":"1.2345","pin":"true","n":[1.2345e3,991.23459],"a\"1.2345":true,"b":"1.2345","c":2}"#,
                redacted:
                    #"{"secret":"(redacted)","pin":"(redacted)","n":[0,0],"a\"(redacted)":true,"b":"(redacted)","c":2}"#
            ),
            ResponseSecret(
                body: #"{"token":{"ttl":36000,"valid":true},"created":1700000000}"#,
                redacted: #"{"token":{"ttl":0,"valid":true},"created":1700000000}"#),
        ])
    func secretsOfResponses(secret: ResponseSecret) {
        expect(secret.body, redactedAs: secret.redacted)
    }

    @Test(
        "A member whose name only resembles that of a secret is not redacted",
        arguments: [
            #"{"secret_type":"a","credential_type":"b","analysis_key":"c","eos_token":"<eos>"}"#,
            #"{"password_policy":{"min_length":1000,"a":"b"},"password_expires":170000,"pad_token":"<pad>"}"#,
        ])
    func namesThatResembleSecrets(body: String) {
        expect(body, redactedAs: body)
    }

    /// Imports a response whose header also issues the token `fresh-S3cret`, and expects its redacted body.
    private func expect(_ body: String, redactedAs expected: String) {
        var secrets = ImportSecrets(api: "a")
        let issuedToken = HTTPField("X-Auth-Token", "Bearer fresh-S3cret")
        var requests = [ImportedRequest()]
        requests[0].response = Response(
            head: ResponseHead(status: 200, fields: [issuedToken]), body: body.exactBytes)
        secrets.learn(from: &requests)
        #expect(secrets.removed(from: "a fresh-S3cret b") == "a (redacted) b")
        let redacted = secrets.removed(fromJSON: body.exactBytes).map { String(exactBytes: $0) }
        #expect(redacted == expected)
    }

    @Test(
        "A text without a secret is sent as it is, though a colon or an equals sign may follow a word",
        arguments: [
            "<key>name</key>", "{ pet(key: \"a\") { token } }", "time: 12:30, tokens", "a = b", "<token/>",
            "a?token=&b",
            "<note><![CDATA[a <b> c]]></note>", "about: \"\"\"a\"\"\"", "key: x\ntime: 12:30", "note: |\n  text",
        ])
    func plainText(_ text: String) throws {
        let scaffold = try CurlImport.scaffold("curl -H 'Content-Type: text/x' --data-raw '\(text)' http://a.test")
        #expect(scaffold.endpoints[0].callWords.last == text)
    }

    @Test(
        "Words before a colon in prose and in GraphQL are not the names of secrets",
        arguments: [
            #"""
            --json '{"query": "mutation($password: String!) { login(password: $password) { token } }"}' \#
            http://a.test
            """#,
            """
            -H 'Content-Type: application/graphql' \
            -d $'mutation(\n  $token: [ID!]!\n) { a(token: $token) }' http://a.test
            """,
            #"--json '{"summary": "Auth: log in", "readme": "Token: create\nPassword: reset"}' http://a.test"#,
            #"""
            --json '{"next_page_token": 12345, "max_tokens": 4096, "tokens": [{"pos": "UH"}], \#
            "session": {"user": "ann"}, "sessions": {"a": [{"b": "c"}]}}' http://a.test
            """#,
            #"--json '{"a": "Basic JavaScript", "b": "Bearer authentication", "token": true}' http://a.test"#,
            #"--json '{"query": "query {\n  session: currentSession { id }\n  token: latest\n}"}' http://a.test"#,
            "-H 'Content-Type: application/graphql' -d $'{\n  token: latest\n  session: last { id }\n}' http://a.test",
        ])
    func prose(_ curl: String) throws {
        let text = try CurlImport.scaffold("curl " + curl).text(withModels: true)
        #expect(!text.contains("(redacted)"), "\(text)")
        #expect(!text.contains(": 0"), "\(text)")
    }

    /// The search for secrets takes time that is linear in the length of the text.
    @Test(
        "A redacted text is at most twelve times as long, whichever sequence a long text repeats",
        arguments: [
            "a=", ">", "<a>", "=\"", "='\\'", "token=", "a:\"", "< =", "&a=b", "a:\"\"\"", "a:\n",
            "%25", "%3D", "\\\"", "\"token\":", "\"token\":[", "ghp_", "://", "://@", "eyJ.", "{",
        ])
    func longTexts(_ sequence: String) throws {
        let text = String(repeating: sequence, count: 300_000 / sequence.utf8.count)
        #expect(SecretRules.redacted(text).utf8.count <= 12 * text.utf8.count)
    }
}
