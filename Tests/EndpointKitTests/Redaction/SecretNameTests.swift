import EndpointTools
import Testing

@testable import EndpointKit

struct SecretNameTests {
    @Test(arguments: [
        "X-Auth-Key", "Ocp-Apim-Subscription-Key", "X-Auth", "X-Session-Id", "Authentication", "Authorization",
        "X-Api-Key", "apikey", "api_key", "apiKey", "APIKey", "api key", "X.Api.Key", "auth", "access_token",
        "accesstoken", "Private-Token", "JOB-TOKEN", "x_auth_token", "X-Amz-Security-Token", "X-Amz-Signature",
        "X-Amz-Credential", "X-Goog-Api-Key", "X-Vault-Token", "DD-APPLICATION-KEY", "sig", "signature",
        "client_secret", "clientSecret", "password", "passwd", "pwd", "user_pass", "PHPSESSID", "JSESSIONID",
        "sessionid", "jwt", "X-JWT-Assertion", "hapikey", "X-GitHub-OTP", "X-CSRF-Token", "X-XSRF-TOKEN",
        "oauth_token", "x-functions-key", "X-Access-Key", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Hmac",
        "X-Credentials", "token", "refresh_token", "id_token", "idToken", "X-Secret", "passphrase", "bearer",
        "token2", "password1", "password_2", "X-MFA-Code", "X-Pin", "pw", "SAMLResponse", "client_assertion",
        "stripe_secret_key", "private_key", "aws_secret_access_key", "AWSSecretAccessKey", "csrfmiddlewaretoken",
        "user[password]", "filter.api_key",
    ])
    func `A name that ends with a listed name is secret`(_ name: String) { #expect(SecretName.isCredential(name)) }

    @Test(arguments: [
        "pin_code_length", "projectKey", "sort_key", "authLoginDomain", "tokens_used", "max_tokens", "key", "KEY",
        "page_token", "pageToken", "next_page_token", "nextToken", "continuation-token", "Idempotency-Key",
        "public_key", "Token-Type", "Accept", "X-Request-Id", "author", "Authority", "keyword", "monkey", "page", "q",
        "id", "code", "country_code", "side", "design", "passenger", "compass", "X-Client", "User-Agent",
        "Content-Type", "language", "", "-", "__", "eos_token", "pad_token", "analysis_key", "keys", "tokens",
        "tokenize", "opinion", "samlet", "v2", "2", "pass-through", "Surrogate-Key", "password_policy",
        "passwordUpdatedAt", "secret_type", "session", "hasPasswordHint", "mypassword", "spin",
    ])
    func `Other names are not secret`(_ name: String) { #expect(!SecretName.isCredential(name)) }

    @Test func `Every entry of the list is secret, and no exception is`() {
        for entry in SecretName.list { #expect(SecretName.isCredential(entry), "\(entry)") }
        for entry in SecretName.exceptions { #expect(!SecretName.isCredential(entry), "\(entry)") }
    }

    @Test func `A long name takes no longer than a short one`() {
        let name = String(repeating: "aB_", count: 1_000_000) + "api_key"
        #expect(SecretName.isCredential(name))
    }
}
