import Foundation
import TestSupport
import Testing

/// A proxy's password in a variable, which libcurl repeats in its log.
struct ProxyPasswordTests {
    @Test(
        "is not shown with -vv",
        arguments: [
            "joe:s3cretpw@127.0.0.1:1", "http://joe:s3cretpw@127.0.0.1:1", "joe:s3c'retpw@127.0.0.1:1",
            "joe:s3c@retpw@127.0.0.1:1", "joe:s3cretpw@127.0.0.1:99999",
        ])
    func verbose(_ proxy: String) throws {
        let result = try ChildProcess.run(
            builtTool, ["call", "httpbin.get", "--base-url", "http://api.test", "-vv"],
            environment: ["http_proxy": proxy])
        let output = String(decoding: result.output, as: UTF8.self)
        #expect(output.contains("* "))
        #expect(output.contains("apictl: httpbin.get: "))
        for part in ["joe", "s3c", "retpw"] { #expect(!output.contains(part)) }
        #expect(result.status == 6)
    }
}
