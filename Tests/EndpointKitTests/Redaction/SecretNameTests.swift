import EndpointTools
import Testing

@testable import EndpointKit

struct SecretNameTests {
    @Test(arguments: [
        "X-Auth-Key", "Ocp-Apim-Subscription-Key", "X-Auth", "X-Session-Id", "Authentication", "Authorization",
        "X-Api-Key", "apikey",
        "api_key", "apiKey", "key", "KEY", "auth", "access_token", "accesstoken", "Private-Token", "JOB-TOKEN",
        "x_auth_token",
        "X-Amz-Security-Token", "X-Amz-Signature", "X-Amz-Credential", "X-Goog-Api-Key", "X-Vault-Token",
        "DD-APPLICATION-KEY",
        "sig", "signature", "client_secret", "clientSecret", "password", "passwd", "pwd", "user_pass", "PHPSESSID",
        "JSESSIONID",
        "session", "sid", "jwt", "X-JWT-Assertion", "hapikey", "appid", "X-GitHub-OTP", "X-CSRF-Token", "X-XSRF-TOKEN",
        "oauth_token",
        "x-functions-key", "X-Access-Key", "Proxy-Authorization", "Cookie", "X-Hmac", "subscription-key",
        "X-Credentials", "token",
        "refresh_token", "id_token", "X-Secret", "passphrase", "bearer", "X.Api.Key", "api key",
        "token2", "X-Token2", "tokens", "X-Secrets", "X-Api-Key-V2", "X-Key1", "password1", "Cookie2", "X-MFA-Code",
        "X-Pin", "pw", "SAMLResponse", "client_assertion", "apikeys",
    ])
    func isACredentials(_ name: String) { #expect(SecretName.isCredential(name)) }

    @Test(arguments: [
        "page_token", "pageToken", "pagetoken", "next_page_token", "nextToken", "continuation-token", "Idempotency-Key",
        "sort_key",
        "public_key", "Token-Type", "Accept", "X-Request-Id", "author", "Authority", "keyword", "monkey", "page", "q",
        "id", "code",
        "country_code", "side", "design", "passenger", "compass", "X-Client", "User-Agent", "Content-Type", "language",
        "", "-", "__",
        "max_tokens", "eos_token", "pad_token", "analysis_key", "keys", "keys2", "tokenize", "opinion", "samlet", "v2",
        "2", "pass-through", "Surrogate-Key",
    ])
    func isNone(_ name: String) { #expect(!SecretName.isCredential(name)) }
}
