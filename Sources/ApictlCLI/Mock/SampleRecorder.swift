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
    /// The last sample of each call in this run. The key is the name of the call's file without number and status.
    private let lastSamples = Mutex<[SampleName: RecordedSample]>([:])

    /// Prepares a recorder, and makes the directory if necessary.
    ///
    /// - Throws: ``FileError`` if the directory can't be made.
    init(_ directory: String, _ files: any FileSystem) throws {
        self.directory = directory
        self.files = files
        try files.makeDirectory(directory)
    }

    /// Writes a response into a file of the directory, unless it repeats the last response of the same call.
    ///
    /// - Parameters:
    ///   - response: The received response.
    ///   - call: The call that was made; nil if it is not known.
    ///   - plan: The plan of the request.
    ///   - pageItems: The query items that chose a page.
    ///   - redactor: Removes the secrets of the call. The file also lacks those that ``SecretRules`` finds.
    /// - Returns: The response without the secrets of the call, and the file or the error of writing it.
    func record(
        _ response: Response, to call: EndpointCall?, of plan: CallPlan, pageItems: [QueryItem] = [],
        redactor: Redactor
    ) -> Recording {
        let declaration = plan.declaration
        var callRedactor = redactor
        callRedactor.add(plan.bodySecrets)
        let callName = SampleName(recording: call, of: declaration, pageItems: pageItems, redactor: callRedactor)
        // The returned response lacks the secrets of the call, and the written sample also those that are found by name.
        let linkedResponse = Self.withDeclaredLinks(response, to: plan)
        let sample = RecordedSample(
            linkedResponse, callName: callName, of: declaration.endpoint, redactor: callRedactor)
        let writtenSample = sample.withoutListedSecrets(contentType: response.head["Content-Type"])
        let file = Result {
            try lastSamples.withLock { samples in
                try writeIfNew(writtenSample, lastSample: &samples[callName])
            }
        }
        return Recording(response: sample.response, file: file)
    }

    /// Returns a response whose links lead to the API's first server, whichever server was asked.
    ///
    /// When `mock` sends a sample, it replaces links to the servers that the API declares, but to no others.
    private static func withDeclaredLinks(_ response: Response, to plan: CallPlan) -> Response {
        guard let firstServer = try? plan.declaration.api.servers.first?.base() else { return response }
        return response.replacingLinks(to: plan.request.base.text, with: firstServer.text)
    }

    /// Writes a sample, unless the last sample of its call in this run has the same response.
    ///
    /// The samples of a call get the numbers 1, 2, 3, …, so that they respond in the order in which they were recorded.
    ///
    /// - Parameters:
    ///   - sample: The sample, whose name has no number yet.
    ///   - lastSample: The last sample of the call; nil if there is none yet. This becomes the new sample.
    /// - Returns: The name of the file with this response; nil if the call has ``maxResponses`` files already.
    /// - Throws: ``FileError``.
    private func writeIfNew(_ sample: RecordedSample, lastSample: inout RecordedSample?) throws -> String? {
        var numberedSample = sample
        if let lastSample, lastSample.response == sample.response {
            // Somebody may have removed the file, or the whole directory. Then it is written again.
            if exists(lastSample.name) { return lastSample.name.text }
            numberedSample.name.number = lastSample.name.number
        } else {
            numberedSample.name.number = (lastSample?.name.number ?? 0) + 1
        }
        guard numberedSample.name.number <= Self.maxResponses else { return nil }
        try write(numberedSample)
        lastSample = numberedSample
        return numberedSample.name.text
    }

    /// Whether the directory has a file of this name.
    private func exists(_ name: SampleName) -> Bool { files.exists("\(directory)/\(name.text)") }

    /// Writes a sample into its file, and its headers into a file beside it if it has any. Removes files of earlier
    /// runs that would hide it.
    private func write(_ sample: RecordedSample) throws {
        let name = sample.name
        let headers = sample.headersText
        try files.replace("\(directory)/\(name.text)", with: sample.response.body)
        if !headers.isEmpty { try files.replace("\(directory)/\(name.headersName.text)", with: headers.exactBytes) }
        try removeFilesHiding(name, hasHeaders: !headers.isEmpty)
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
    private func removeFilesHiding(_ name: SampleName, hasHeaders: Bool) throws {
        for otherFile in try files.list(directory) {
            guard let other = SampleName(otherFile), other != name, other.isOfSameCall(as: name) else { continue }
            let isNewHeadersFile = hasHeaders && other == name.headersName
            if isNewHeadersFile { continue }
            // If two files have the same number, a success responds. So a failure does not hide a new success.
            let respondsInstead = other.number == name.number && (name.isFailure || !other.isFailure)
            let respondsLater = other.number > name.number
            if respondsInstead || respondsLater { try files.remove("\(directory)/\(otherFile)") }
        }
    }
}
