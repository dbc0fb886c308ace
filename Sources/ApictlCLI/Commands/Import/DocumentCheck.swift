import APIImport
import EndpointKit
import JSONText

/// `import openapi SOURCE --check`: compares a document with the APIs that are compiled, with the reports and the baseline of `check`.
struct DocumentCheck {
    let context: RunContext
    let options: CheckOptions

    /// Compares the document in `bytes` with the endpoints that `patterns` match; `read` gives the files beside it. Throws ``UsageError`` and
    /// ``FileError``, and what `read` throws.
    func run(
        _ bytes: [UInt8], name: String, _ patterns: [Word], read: @escaping (String) throws -> [UInt8]
    ) async throws -> ExitCode {
        let catalogue = try context.registry.description(matching: patterns)
        let own = try OpenAPIWriter.document(catalogue, tool: context.tool, server: nil)
        let comparison: OpenAPIComparison
        do {
            comparison = try OpenAPIComparison(bytes, name: name, own: own, isStrict: options.strict, read: read)
        } catch let error as OpenAPIError {
            throw UsageError(error.description)
        }
        let found = Dictionary(comparison.results.map { ($0.name, $0.problems) }) { $0 + $1 }
        var results: [CheckResult] = []
        for declaration in try catalogue.apis.flatMap({ try EndpointDeclaration.all(of: $0.api) }) {
            guard let problems = found[declaration.name] else { continue }
            results.append(Self.result(declaration, problems))
        }
        // What no endpoint has is told of the API, or of the first; a baseline may have had some of it.
        if let missing = found[""], !missing.isEmpty || options.baseline != nil,
            let first = results.first?.call.declaration
        {
            results.append(Self.result(first, missing, name: first.api.name, caseName: "the rest of the document"))
        }
        return try await CheckReport.write(options, context, of: results.map(\.call), count: results.count) {
            [results] report, terminal in
            for result in results { try terminal.show(report.add(result)) }
            report.finish(of: results.count)
        }
    }

    private static func result(
        _ declaration: EndpointDeclaration, _ problems: [CheckProblem], name: String? = nil, caseName: String? = nil
    ) -> CheckResult {
        let call = CheckedCall(declaration, declaration.endpoint, example: 1, name: name, caseName: caseName)
        return CheckResult(call, CheckOutcome(verdict: problems.verdict, problems: problems))
    }
}
