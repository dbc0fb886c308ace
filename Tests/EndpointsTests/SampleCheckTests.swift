import EndpointKit
import EndpointTools
import Endpoints
import JSONText
import TestSupport
import Testing

/// `check` finds every single change of a sample at its path, and reports nothing else.
@Suite struct SampleCheckTests {
    /// Answers each request with the JSON in `body`.
    private struct Fixed: Transport {
        let body: [UInt8]

        func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
            StreamedResponse(
                head: ResponseHead(status: 200, fields: [.init("Content-Type", "application/json")]),
                body: ResponseBody(bytes: body))
        }
    }

    private static func outcome(_ declaration: EndpointDeclaration, _ body: [UInt8]) async throws -> CheckOutcome {
        let endpoint = declaration.endpoint
        let request = try declaration.api.requestBuilder.request(
            endpoint, RequestOptions(missingCredential: .placeholder))
        let check = EndpointCheck(
            declaration, call: declaration.firstCall, endpoint: endpoint, request: request,
            redactor: Redactor(request))
        return try await check.run(Client(transport: Fixed(body: body)))
    }

    @Test func everyChangeIsFoundAndNothingElse() async throws {
        var found = 0
        var missed = 0
        var wrong = 0
        for declaration in Catalogue.declarations where declaration.endpoint.response.kind == .json {
            let sample = try #require(declaration.endpoint.sample).bytes
            let unchanged = try await Self.outcome(declaration, sample)
            #expect(unchanged.verdict == .passed && unchanged.problems.isEmpty, "\(declaration.name)")
            for mutation in try SampleMutations(sample, #require(declaration.responseShape)).mutations {
                let outcome = try await Self.outcome(declaration, mutation.text)
                let lines = outcome.problems.filter { $0.kind != .reportedFailure }
                    .map { "\($0.kind.rawValue) \($0.path ?? "")" }
                if lines.contains(where: mutation.expected.contains) {
                    found += 1
                    if outcome.verdict == .passed { wrong += 1 }
                } else if !mutation.expected.isEmpty {
                    missed += 1
                }
                wrong += lines.count { !mutation.expected.contains($0) && !mutation.possible.contains($0) }
            }
        }
        #expect(found > 1500)
        #expect(missed == 0)
        #expect(wrong == 0)
    }
}
