import Testing

@testable import CurlTransport

@Suite struct PasswordFilterTests {
    @Test(arguments: [
        ("no URL", "no URL"), ("mail a@b.example", "mail a@b.example"),
        ("uses 'http://user:pass@squid:1' now", "uses 'http://squid:1' now"),
        ("http://a:p@ss@squid http://b", "http://squid http://b"), (" @ ://@", " @ ://"),
        ("Uses proxy env variable http_proxy == 'joe:s3cretpw@h:1'", "Uses proxy env variable http_proxy == 'h:1'"),
        ("proxy == 'joe:p@ss@[::1]:1' now", "proxy == '[::1]:1' now"), ("'joe:it's@h'", "'h'"),
        ("x 'joe:s3 cr'et@h:1'", "x 'h:1'"), ("'http://joe:s3 cret@h:1' y", "'http://h:1' y"), ("'a@b", "'b"),
        ("http_proxy == 'http://joe:s3cretpw@h:1'", "http_proxy == 'http://h:1'"), ("a@b 'c'", "a@b 'c'"),
        ("no_proxy == 'a.example,b'", "no_proxy == 'a.example,b'"), ("it's a@b", "it's a@b"), ("@", "@"), ("'@", "'"),
    ])
    func passwordsInURLs(_ text: String, _ shown: String) {
        #expect(PasswordFilter.withoutPasswords(text) == shown)
    }
}
