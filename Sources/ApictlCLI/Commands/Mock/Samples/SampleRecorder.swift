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

    /// A response as it was recorded: without secrets and cookies.
    struct Outcome {
        let response: Response
        /// The name of its file; nil if there are too many of that call.
        var name: String?
        /// Why it was not written.
        var failure: FileError?
    }

    /// Writes a response; `call` is nil if it is not known which one was made. Throws what is not a ``FileError``.
    func record(
        _ response: Response, to call: (any API)?, of declaration: EndpointDeclaration, _ redactor: Redactor
    ) throws -> Outcome {
        let kept = RecordedResponse(response, of: declaration.endpoint, redactor)
        let name = SampleName(recording: declaration.name, Self.parameters(of: call))
        var outcome = Outcome(response: Response(head: kept.head, body: kept.body))
        do {
            outcome.name = try state.withLock { try write(kept, name, &$0.names[name, default: Recorded()]) }
        } catch let error as FileError {
            outcome.failure = error
        }
        let differences = SampleDifference(declaration).lines(kept, redactor)
        for line in differences where state.withLock({ $0.reported.insert(line).inserted }) { report(line) }
        return outcome
    }

    /// The parameters that name a call: no JSON, and none that holds a secret.
    private static func parameters(of call: (any API)?) -> [SampleParameter] {
        SampleParameter.all(of: call.flatMap { try? Signature(of: $0) }) { parameter in
            !parameter.type.isJSON && !SecretName.isCredential(parameter.name)
        }
    }

    /// Returns the name of the file, nil if there are too many of that name. What fails does not count.
    private func write(
        _ response: RecordedResponse, _ name: SampleName, _ recorded: inout Recorded
    ) throws -> String? {
        guard recorded.count < Self.most else { return nil }
        let number = recorded.count + 1
        if number > 1, recorded.first == response {
            recorded.count = number
            return response.name(name, number: 1).text
        }
        if let first = recorded.first {
            // Those before were all like the first one.
            for number in 2..<number { _ = try write(first, name, number: number) }
        }
        let text = try write(response, name, number: number)
        recorded = Recorded(count: number, first: number == 1 ? response : nil)
        return text
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
        try files.replace(directory + "/" + name) { try $0.write(bytes) }
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
        return findings(response.body).filter { !known.contains([$0.kind.rawValue, $0.path]) }.map { finding in
            let problem = CheckProblem(finding, redactor)
            return "\(declaration.name): \(problem.kind.rawValue): \(problem.sentence)"
        }
    }

    private func findings(_ body: [UInt8]) -> [Finding] {
        (try? endpoint.response.survey(body, coding: declaration.api.coding))?.findings ?? []
    }
}
