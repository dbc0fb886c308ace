import EndpointKit
import EndpointTools
import Synchronization

/// Writes responses of a real server into a directory, as files for `mock --samples`.
final class SampleRecorder: Sendable {
    /// A response that was handed to the recorder.
    struct Recording {
        /// The response without secrets and cookies.
        let response: Response
        /// The name of the file; nil if there are too many responses of the call already. A failure is the error of
        /// writing.
        let file: Result<String?, any Error>
    }

    /// The number of responses of one call that are recorded, so that a client that polls does not fill the disk.
    private static let maxResponses = 100

    private let directory: String
    private let files: any FileSystem
    /// The last sample of each call.
    private let recorded = Mutex<[SampleName: RecordedSample]>([:])

    /// Makes the directory if necessary.
    ///
    /// - Throws: ``FileError``
    init(_ directory: String, _ files: any FileSystem) throws {
        self.directory = directory
        self.files = files
        try files.makeDirectory(directory)
    }

    /// Writes a response into the directory.
    ///
    /// - Parameters:
    ///   - response: The received response.
    ///   - call: The call that was made; nil if it is not known.
    ///   - plan: The plan of the request.
    ///   - pageItems: The query items that chose a page.
    ///   - redactor: Removes the secrets of the call. The file also lacks those that ``SecretRules`` finds.
    /// - Returns: The response without secrets, and the file or the error of writing it.
    func record(
        _ response: Response, to call: EndpointCall?, of plan: CallPlan, pageItems: [QueryItem] = [],
        _ redactor: Redactor
    ) -> Recording {
        let declaration = plan.declaration
        var redactor = redactor
        redactor.add(plan.bodySecrets)
        let name = SampleName(recording: call, of: declaration, pageItems, redactor)
        // In the file, links lead to the API's first server, whichever server was asked. `mock --samples` replaces that
        // one.
        let base = plan.request.base
        let linkedBase = (try? declaration.api.servers.first?.base()) ?? base
        let linked = response.replacing(base.text, with: linkedBase.text)
        let sample = RecordedSample(linked, to: name, of: declaration.endpoint, redactor)
        let type = response.head["Content-Type"]
        let file = Result {
            try recorded.withLock { recorded in
                try write(sample.withoutListedSecrets(contentType: type), &recorded[name])
            }
        }
        return Recording(response: sample.response, file: file)
    }

    /// Writes a sample, unless the last sample of its call in this run has the same response.
    ///
    /// The samples of a call get the numbers 1, 2, 3, …, so that they respond in the order in which they were recorded.
    ///
    /// - Parameters:
    ///   - sample: The sample.
    ///   - last: The last sample of the call; nil if there is none yet. It becomes the new sample.
    /// - Returns: The name of the file with this response; nil if there are too many of the call.
    private func write(_ sample: RecordedSample, _ last: inout RecordedSample?) throws -> String? {
        var sample = sample
        sample.name.number = (last?.name.number ?? 0) + 1
        if let known = last, known.response == sample.response {
            // Somebody may have removed the file, or the whole directory. Then it is written again.
            if (try? files.open("\(directory)/\(known.name.text)")) != nil { return known.name.text }
            sample.name.number = known.name.number
        }
        guard sample.name.number <= Self.maxResponses else { return nil }
        let name = sample.name
        let headers = sample.headersText
        try files.replace("\(directory)/\(name.text)", with: sample.response.body)
        if !headers.isEmpty { try files.replace("\(directory)/\(name.headersName.text)", with: headers.exactBytes) }
        try removeOthers(than: name, hasHeaders: !headers.isEmpty)
        last = sample
        return name.text
    }

    /// Removes files of earlier runs that would respond to the same call instead of the new file, or after it.
    ///
    /// Files of this run have lower numbers than the new file, so that they stay. After `movies.video.2.json` was
    /// written:
    ///
    ///     movies.video.json        stays: it is from this run
    ///     movies.video.2!201.json  is removed: it has the same number
    ///     movies.video.3.json      is removed: it would respond after the new file
    ///
    /// - Parameters:
    ///   - name: The name of the new file.
    ///   - hasHeaders: Whether a file with headers was written beside it, which stays too.
    private func removeOthers(than name: SampleName, hasHeaders: Bool) throws {
        for file in try files.list(directory) {
            guard let other = SampleName(file), other != name, other.isOfSameCall(as: name) else { continue }
            if hasHeaders, other == name.headersName { continue }
            // A file with the same number would respond instead of the new one, except for a failure beside a success.
            let isInstead = other.number == name.number && (name.isFailure || !other.isFailure)
            if isInstead || other.number > name.number { try files.remove("\(directory)/\(file)") }
        }
    }
}
