import EndpointKit
import Endpoints
import JSONText
import Testing

/// The survey of every sample, and of every sample with one change.
@Suite struct SurveyTableTests {
    private static let names = Catalogue.declarations.filter { $0.endpoint.response.kind == .json }.map(\.name)

    @Test func findingsOfSamples() throws {
        var lines: [String] = []
        for name in Self.names {
            let declaration = try #require(Catalogue.declaration(name))
            let sample = try #require(declaration.endpoint.sample).bytes
            let survey = try declaration.endpoint.response.survey(sample, coding: declaration.api.coding)
            #expect(survey.fits && !survey.hasMore && survey.reportedFailure == nil)
            lines += survey.findings.map { "\(name): \($0.kind.rawValue) \($0.path) \($0.count)/\($0.of)" }
        }
        #expect(lines.joined(separator: "\n") == Self.expectedFindings)
    }

    /// Each change is found at its place, and a change within what the model takes is not called a misfit.
    @Test(arguments: names) func singleChanges(_ name: String) throws {
        let declaration = try #require(Catalogue.declaration(name))
        let response = declaration.endpoint.response
        let sample = try #require(declaration.endpoint.sample).bytes
        let coding = declaration.api.coding
        let unchanged = Set(try response.survey(sample, coding: coding).findings.map { "\($0.kind.rawValue) \($0.path)" })
        let mutations = try SampleMutations(sample, #require(declaration.shape)).mutations
        #expect(!mutations.isEmpty)
        for mutation in mutations {
            let survey = try response.survey(mutation.text, coding: coding)
            let found = survey.findings.map { "\($0.kind.rawValue) \($0.path)" }
            let text = String(decoding: mutation.text.prefix(300), as: UTF8.self)
            if let expected = mutation.expected {
                #expect(found.contains(expected), "missed in \(text)")
            }
            let others = found.filter { line in
                line != mutation.expected && !unchanged.contains(line) && !line.hasPrefix("absent-key")
                    && !(line.hasPrefix("missing-key") && mutation.expected?.contains("moved_") == true)
            }
            #expect(others.isEmpty, "\(mutation.expected ?? "no finding"): false findings in \(text)")
            #expect(survey.fits == !mutation.isMisfit, "\(mutation.expected ?? "no finding") in \(text)")
            #expect(survey.fits == Self.isDecoded(mutation.text, response, coding), "\(found) in \(text)")
        }
    }

    private static func isDecoded(_ text: [UInt8], _ response: ResponseModel, _ coding: Coding) -> Bool {
        do {
            _ = try response.decode(text, coding: coding)
            return true
        } catch {
            return error is ReportedFailure
        }
    }

    private static let expectedFindings = """
        """
}
