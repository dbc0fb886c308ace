import EndpointKit
import JSONText
import Synchronization

/// Writes responses of a real server into a directory, as files for `mock --samples`.
final class SampleRecorder: Sendable {
    private struct State {
        /// What was recorded under each name without number and status.
        var names: [SampleName: Recorded] = [:]
        /// Differences that have been reported.
        var reported: Set<String> = []
    }

    private struct Recorded {
        var count = 0
        /// As long as all responses were the same one, only the first is written.
        var first: RecordedResponse?
    }

    /// Responses of one name, at most; the rest is not recorded.
    private static let most = 100

    private let directory: String
    private let files: any FileSystem
    private let report: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// Makes the directory if necessary, and calls `report` with a line for each difference to a sample. Throws ``FileError``.
    init(_ directory: String, _ files: any FileSystem, report: @escaping @Sendable (String) -> Void) throws {
        self.directory = directory
        self.files = files
        self.report = report
        try files.makeDirectory(directory)
    }

    /// Writes a response without secrets and cookies, and returns it in that form with the name of its file.
    ///
    /// `call` is nil if it is not known which one was made. Throws ``FileError``.
    func record(
        _ response: Response, to call: (any API)?, of declaration: EndpointDeclaration, _ redactor: Redactor
    ) throws -> (response: Response, name: String?) {
        let kept = RecordedResponse(response, of: declaration.endpoint, redactor)
        let name = SampleName(recording: declaration.name, Self.parameters(of: call))
        let written = try state.withLock { try write(kept, name, &$0.names[name, default: Recorded()]) }
        let differences = SampleDifference(declaration).lines(kept, redactor)
        for line in differences where state.withLock({ $0.reported.insert(line).inserted }) { report(line) }
        return (Response(head: kept.head, body: kept.body), written)
    }

    /// The parameters that name a call: no JSON, and none that holds a secret.
    private static func parameters(of call: (any API)?) -> [SampleParameter] {
        (call.flatMap { try? Signature(of: $0) }?.parameters ?? [])
            .filter { !$0.example.isEmpty && !$0.type.isJSON && !SecretName.isCredential($0.name) }
            .map(SampleParameter.init)
    }

    /// Returns the name of the file, nil if there are too many of that name.
    private func write(
        _ response: RecordedResponse, _ name: SampleName, _ recorded: inout Recorded
    ) throws -> String? {
        guard recorded.count < Self.most else { return nil }
        recorded.count += 1
        guard let first = recorded.first else {
            if recorded.count == 1 { recorded.first = response }
            return try write(response, name, number: recorded.count)
        }
        if first == response { return response.name(name, number: 1).text }
        // Those before were all like the first one.
        for number in 2..<recorded.count { _ = try write(first, name, number: number) }
        recorded.first = nil
        return try write(response, name, number: recorded.count)
    }

    private func write(_ response: RecordedResponse, _ name: SampleName, number: Int) throws -> String {
        let name = response.name(name, number: number)
        if !response.head.fields.isEmpty {
            let lines = response.head.fields.map { "\($0.name): \($0.value)\n" }
            try write(lines.joined().exactBytes, name.headers.text)
        }
        try write(response.body, name.text)
        return name.text
    }

    /// The file is there once it is whole.
    private func write(_ bytes: [UInt8], _ name: String) throws {
        let file = try files.replace(directory + "/" + name, within: nil)
        do {
            try file.write(bytes)
            try file.commit()
        } catch {
            file.discard()
            throw error
        }
    }
}

/// Where a recorded response differs from the model of its endpoint and the sample does not.
private struct SampleDifference {
    private let declaration: EndpointDeclaration
    private let endpoint: Endpoint

    init(_ declaration: EndpointDeclaration) {
        self.declaration = declaration
        endpoint = declaration.endpoint
    }

    /// The differences in the words of `check`.
    func lines(_ response: RecordedResponse, _ redactor: Redactor) -> [String] {
        guard response.head.isSuccess, endpoint.response.kind == .json, let sample = endpoint.sample else { return [] }
        let known = Set(findings(sample.bytes).map { [$0.kind.rawValue, $0.path] })
        return findings(response.body).filter { !known.contains([$0.kind.rawValue, $0.path]) }.compactMap { finding in
            CheckProblem.Kind(rawValue: finding.kind.rawValue).map { kind in
                let problem = CheckProblem(
                    kind, path: redactor.redact(finding.path), expected: finding.expected,
                    found: finding.found.map(redactor.redact), line: finding.line, count: finding.count, of: finding.of)
                return "\(declaration.name): \(kind.rawValue): \(problem.sentence)"
            }
        }
    }

    private func findings(_ body: [UInt8]) -> [Finding] {
        (try? endpoint.response.survey(body, coding: declaration.api.coding))?.findings ?? []
    }
}
