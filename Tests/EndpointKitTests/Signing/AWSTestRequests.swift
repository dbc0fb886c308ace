import EndpointKit
import TestSupport

/// A request of the test suite for Signature Version 4 that AWS published and botocore contains (Apache License 2.0).
///
/// All requests are sent to `https://example.amazonaws.com` on 30 August 2015 at 12:36:00 UTC. The region is
/// `us-east-1`, and the service is `service`.
struct AWSTestRequest: Sendable {
    var method = HTTPMethod.get
    var path = "/"
    var query: String?
    var headers: [HTTPField] = []
    var body = ""
    var token: String?

    /// The key that all requests are signed with.
    static let keys = [
        "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    ]

    /// The requests, and the signatures that the suite expects.
    static let suite: [Row<AWSTestRequest, String>] = [
        Row(
            "get-header-key-duplicate",
            AWSTestRequest(headers: [
                HTTPField("My-Header1", "value2"), HTTPField("My-Header1", "value2"), HTTPField("My-Header1", "value1"),
            ]), "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
        Row(
            "get-header-value-multiline",
            AWSTestRequest(headers: [HTTPField("My-Header1", "value1\n  value2\n     value3")]),
            "cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd"),
        Row(
            "get-header-value-order",
            AWSTestRequest(headers: [
                HTTPField("My-Header1", "value4"), HTTPField("My-Header1", "value1"), HTTPField("My-Header1", "value3"),
                HTTPField("My-Header1", "value2"),
            ]), "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"),
        Row(
            "get-header-value-trim",
            AWSTestRequest(headers: [HTTPField("My-Header1", " value1"), HTTPField("My-Header2", " \"a   b   c\"")]),
            "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        Row(
            "get-unreserved",
            AWSTestRequest(path: "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
            "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
        Row("get-utf8", AWSTestRequest(path: "/ሴ"), "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
        Row("get-vanilla", AWSTestRequest(), "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Row(
            "get-vanilla-empty-query-key", AWSTestRequest(query: "Param1=value1"),
            "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"),
        Row("get-vanilla-query", AWSTestRequest(), "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Row(
            "get-vanilla-query-order-encoded", AWSTestRequest(query: "Param-3=Value3&Param=Value2&%E1%88%B4=Value1"),
            "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac"),
        Row(
            "get-vanilla-query-order-key", AWSTestRequest(query: "Param1=value2&Param1=Value1"),
            "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"),
        Row(
            "get-vanilla-query-order-key-case", AWSTestRequest(query: "Param2=value2&Param1=value1"),
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        Row(
            "get-vanilla-query-order-value", AWSTestRequest(query: "Param1=value2&Param1=value1"),
            "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"),
        Row(
            "get-vanilla-query-unreserved",
            AWSTestRequest(
                query: "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                    + "=-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
            ), "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
        Row(
            "get-vanilla-utf8-query", AWSTestRequest(query: "ሴ=bar"),
            "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
        Row(
            "get-vanilla-with-session-token", AWSTestRequest(token: otherSessionToken),
            "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8"),
        Row(
            "get-relative", AWSTestRequest(path: "/example/.."),
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Row(
            "get-relative-relative", AWSTestRequest(path: "/example1/example2/../.."),
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Row(
            "get-slash", AWSTestRequest(path: "//"),
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Row(
            "get-slash-dot-slash", AWSTestRequest(path: "/./"),
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Row(
            "get-slash-pointless-dot", AWSTestRequest(path: "/./example"),
            "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"),
        Row(
            "get-slashes", AWSTestRequest(path: "//example//"),
            "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"),
        Row(
            "get-space", AWSTestRequest(path: "/example space/"),
            "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"),
        Row(
            "get-special-character", AWSTestRequest(path: "/example/$delete"),
            "a853c9b21b528b19643d00910d35b83a10c366a10833ceefb45edd6c80e40f27"),
        Row(
            "post-header-key-case", AWSTestRequest(method: .post),
            "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        Row(
            "post-header-key-sort", AWSTestRequest(method: .post, headers: [HTTPField("My-Header1", "value1")]),
            "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
        Row(
            "post-header-value-case", AWSTestRequest(method: .post, headers: [HTTPField("My-Header1", "VALUE1")]),
            "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"),
        Row(
            "post-sts-header-after", AWSTestRequest(method: .post),
            "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        Row(
            "post-sts-header-before", AWSTestRequest(method: .post, token: sessionToken),
            "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"),
        Row(
            "post-vanilla", AWSTestRequest(method: .post),
            "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        Row(
            "post-vanilla-empty-query-value", AWSTestRequest(method: .post, query: "Param1=value1"),
            "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
        Row(
            "post-vanilla-query", AWSTestRequest(method: .post, query: "Param1=value1"),
            "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
        Row(
            "post-x-www-form-urlencoded",
            AWSTestRequest(
                method: .post, headers: [HTTPField("Content-Type", "application/x-www-form-urlencoded")],
                body: "Param1=value1"), "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
        Row(
            "post-x-www-form-urlencoded-parameters",
            AWSTestRequest(
                method: .post, headers: [HTTPField("Content-Type", "application/x-www-form-urlencoded; charset=utf8")],
                body: "Param1=value1"), "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe"),
    ]

    private static let otherSessionToken =
        "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267"
    private static let sessionToken =
        "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfp"
        + "SPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQ"
        + "DYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+s"
        + "cqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=="
}
