import EndpointKit
import TestSupport

@testable import APIImport

/// An import of curl commands, for tests.
enum CurlImport {
    /// Imports the commands in a text.
    ///
    /// Every file that a command reads holds `in`, and no variable of the environment is set.
    ///
    /// - Parameter response: The body of the response to each of the requests, or nil for requests without responses.
    static func scaffold(
        _ text: String, response: String? = nil, options: ImportChoices = ImportChoices()
    ) throws -> Scaffold {
        var requests = try CurlArguments.requests(text: text, ({ _ in Array("in".utf8) }, { _ in nil }))
        for index in requests.indices {
            requests[index].response = response.map {
                Response(head: ResponseHead(status: 200), body: Array($0.utf8))
            }
        }
        return try Scaffold(requests, options)
    }
}

extension ImportedEndpoint {
    /// The declaration of the endpoint on one line.
    var armOnOneLine: String {
        arm.split(separator: "\n").map { line in line.drop { $0 == " " } }.joined(separator: " ")
    }
}
