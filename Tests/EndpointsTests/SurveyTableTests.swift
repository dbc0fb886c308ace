import EndpointKit
import EndpointTools
import Endpoints
import JSONText
import Testing

/// The survey of samples, and of every sample with one change.
@Suite struct SurveyTableTests {
    private static let names = Catalogue.declarations.filter { $0.endpoint.response.kind == .json }.map(\.name)

    @Test func samplesHaveOnlyTheFindingsOfTheTable() throws {
        var lines: [String] = []
        // These endpoints have the models of other endpoints, whose findings are the same.
        let repeated = [
            "httpbin.", "prometheus.query-", "prometheus.labels", "prometheus.series", "prometheus.targets",
        ]
        for name in Self.names where !repeated.contains(where: name.hasPrefix) {
            let declaration = try #require(Catalogue.declaration(name))
            let sample = try #require(declaration.endpoint.sample).bytes
            let (model, coding) = (declaration.endpoint.response.model, declaration.api.coding)
            let survey = try ResponseComparison.compare(JSONDocument(sample), as: model, coding: coding)
            #expect(survey.problems.isEmpty && survey.reportedFailure == nil)
            lines += survey.places.notes.map { "\(name): \(Self.line($0)) \($0.count ?? 0)/\($0.total ?? 0)" }
        }
        #expect(lines.joined(separator: "\n") == Self.expectedFindings)
    }

    /// A change that the model accepts is not called a misfit.
    @Test(arguments: names) func eachSingleChangeIsFoundAtItsPath(_ name: String) throws {
        let declaration = try #require(Catalogue.declaration(name))
        let response = declaration.endpoint.response
        let sample = try #require(declaration.endpoint.sample).bytes
        let coding = declaration.api.coding
        let mutations = try SampleMutations(sample, #require(declaration.responseShape)).mutations
        #expect(mutations.isEmpty == (declaration.responseShape?.root == .any))
        for mutation in mutations {
            let survey = try ResponseComparison.compare(JSONDocument(mutation.text), as: response.model, coding: coding)
            let found = (survey.problems + survey.places.notes).map(Self.line)
            let text = String(decoding: mutation.text.prefix(300), as: UTF8.self)
            let isFound = found.contains { mutation.expected.contains($0) } || mutation.expected.isEmpty
            #expect(isFound, "\(mutation.expected) missed in \(text)")
            let others = found.filter { line in
                !mutation.expected.contains(line) && !mutation.possible.contains(line) && !line.hasPrefix("absent-key")
                    && !line.hasPrefix("empty-list")
            }
            #expect(others.isEmpty, "\(mutation.expected): false findings in \(text)")
            #expect(survey.fits == Self.isDecoded(mutation.text, response, coding), "\(found) in \(text)")
        }
    }

    private static func line(_ problem: CheckProblem) -> String { "\(problem.kind.rawValue) \(problem.path ?? "")" }

    private static func isDecoded(_ text: [UInt8], _ response: ResponseModel, _ coding: Coding) -> Bool {
        do {
            _ = try response.decode(JSONDocument(text), coding: coding)
            return true
        } catch {
            return error is ReportedFailure
        }
    }

    /// Keys that may be absent and are, and lists that are empty, in a whole sample.
    private static let expectedFindings = """
        movies.popular: absent-key $.dates 1/1
        movies.popular: absent-key $.results[*].media_type 20/20
        movies.new-movies: absent-key $.results[*].media_type 10/10
        movies.recommended: absent-key $.dates 1/1
        places.nearby: absent-key $.error_message 1/1
        places.nearby: empty-list $.html_attributions 1/1
        marvel.characters: absent-key $.data.results[*].comics.items[*].type 3/3
        marvel.characters: absent-key $.data.results[*].series.items[*].type 2/2
        marvel.characters: absent-key $.data.results[*].events.items[*].type 2/2
        marvel.character: absent-key $.data.results[*].comics.items[*].type 2/2
        marvel.character: absent-key $.data.results[*].series.items[*].type 3/3
        marvel.character: absent-key $.data.results[*].events.items[*].type 1/1
        shopify.products: empty-list $.products[*].images[*].variant_ids 1/1
        shopify.products: empty-list $.products[*].image.variant_ids 1/1
        github.repository: absent-key $.score 1/1
        github.repository: empty-list $.topics 1/1
        github.search-repositories: absent-key $.items[*].network_count 3/3
        github.search-repositories: absent-key $.items[*].subscribers_count 3/3
        prometheus.query: absent-key $.data.result[*].values 6/6
        prometheus.query: absent-key $.data.result[*].histogram 6/6
        prometheus.query: absent-key $.data.result[*].histograms 6/6
        prometheus.query: absent-key $.errorType 1/1
        prometheus.query: absent-key $.error 1/1
        prometheus.query: absent-key $.warnings 1/1
        prometheus.query: absent-key $.infos 1/1
        """
}
