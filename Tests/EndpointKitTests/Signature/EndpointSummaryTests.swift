import EndpointKit
import Testing

/// A listing without signatures shows what the signatures would have shown.
struct EndpointSummaryTests {
    @Test func namesMethodsAndTemplates() throws {
        let summaries = try EndpointSummary.all(of: Shop.self)
        let declarations = try EndpointDeclaration.all(of: Shop.self)
        #expect(summaries.map(\.name) == declarations.map(\.name))
        #expect(summaries.map(\.method) == declarations.map(\.endpoint.method.rawValue))
        #expect(summaries.map(\.path) == declarations.map { ParameterPlaces(of: $0).template })
        #expect(summaries.contains { $0.path.contains("{") })
    }
}
