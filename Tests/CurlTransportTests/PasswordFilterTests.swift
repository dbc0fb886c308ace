import Testing

@testable import CurlTransport

@Suite struct PasswordFilterTests {
    @Test(arguments: [
        ("no URL", "no URL"), ("mail a@b.example", "mail a@b.example"),
        ("no_proxy == 'a.example,b'", "no_proxy == 'a.example,b'"),
        ("http://a:p@ss@squid now", "http://squid now"), ("x 'joe:s3 cr'et@h:1'", "x 'h:1'"), (" @ ://@", " @ ://"),
        ("http_proxy == 'http://joe:s3 cret@h:1' now", "http_proxy == 'h:1' now"), ("it's a@b", "it's a@b"), ("@", "@"),
    ])
    func passwordsInURLs(_ text: String, _ shown: String) {
        #expect(text.withoutUserInformation == shown)
    }
}
