import APIImport
import EndpointKit
import EndpointTools
import JSONText

/// The command `import openapi SOURCE --check`: compares a document with the APIs that are compiled. It has the reports and
/// the baseline of `check`.
struct ImportDocumentCheck {
    let context: CommandContext
    let options: CheckOptions

    /// Compares a document with endpoints.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - name: The name of the document in messages.
    ///   - patterns: The names of the endpoints, with wildcards; all endpoints without any.
    ///   - read: Returns the content of a file beside the document.
    /// - Throws: ``UsageError``, ``FileError``, and what `read` throws.
    func run(
        _ bytes: [UInt8], name: String, _ patterns: [SourcedText], read: @escaping (String) throws -> [UInt8]
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
        for declaration in try catalogue.apis.flatMap({ try $0.api.declarations() }) {
            guard let problems = found[declaration.name] else { continue }
            results.append(Self.result(declaration, problems))
        }
        // What no endpoint has is a result of an API whose endpoints are all compared: the one of the document's server, or
        // the first. With a baseline, a result without problems shows what is no longer missing.
        let whole = try catalogue.apis.filter { try $0.api.summaries().count == $0.endpoints.count }
            .map { $0.api.name }
        let known = results.map(\.call.declaration).filter { whole.contains($0.api.name) }
        let served = comparison.hosts.lazy.compactMap { host in
            known.first { $0.api.servers.contains { (try? $0.base())?.host == host } }
        }.first
        if let missing = found[""], !missing.isEmpty || options.baseline != nil, let first = served ?? known.first {
            results.append(Self.result(first, missing, name: first.api.name, caseName: "the rest of the document"))
        }
        return try await CheckReport.write(options, context, of: results.map(\.call)) {
            [results] report, terminal, _ in
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
