import EndpointKit
import EndpointTools
import JSONText
import Testing

@testable import ApictlCLI

/// The work of comparing a response that a hostile server chose with the requirements of a case.
struct CaseExpectationTests {
    /// The rows have requirements whose comparison takes steps for each character, and a number of values that is too
    /// large for the limit.
    @Test(arguments: [
        (expectation: #"{"matches": "(a?){100}b"}"#, valueCount: 400),
        (expectation: #"{"equals": "b"}"#, valueCount: 4000),
        (expectation: #"{"contains": "b"}"#, valueCount: 4000),
        (expectation: #"{"type": "number"}"#, valueCount: 4000),
        (expectation: #"{"min": 1}"#, valueCount: 4000),
    ])
    func judgingStopsAtTheStepLimit(_ expectation: String, _ valueCount: Int) throws {
        let limit = 1_000_000
        let text = "\"" + String(repeating: "a", count: 1000) + "\""
        let body = "[" + Array(repeating: text, count: valueCount).joined(separator: ",") + "]"
        let response = CheckedResponse(Response(head: ResponseHead(status: 200), body: Array(body.utf8)))
        let expected = try Coding().decode(CaseExpectation.self, from: Array(expectation.utf8))
        let stepCounter = StepCounter(limit: limit)
        let problems = try expected.problems(
            at: JSONPath("$[*]"), writtenAs: "$[*]", in: response, counting: stepCounter)
        #expect(problems.map(\.expected) == ["a shorter search"])
        // The counter is checked at least every 4096 steps, and a character takes at most as many as there are states.
        #expect(stepCounter.steps < limit + 10_000)
    }

    @Test func valuesBelowTheStepLimitAreAllJudged() throws {
        let response = CheckedResponse(
            Response(head: ResponseHead(status: 200), body: Array(#"["aab", "b"]"#.utf8)))
        let expected = try Coding().decode(CaseExpectation.self, from: Array(#"{"matches": "(a?){100}b"}"#.utf8))
        let stepCounter = StepCounter(limit: 1_000_000)
        let problems = try expected.problems(
            at: JSONPath("$[*]"), writtenAs: "$[*]", in: response, counting: stepCounter)
        #expect(problems.isEmpty)
        #expect(stepCounter.steps > 0)
    }
}
