import EndpointKit
import OpenAPI

/// Requests a document and the files that it refers to. All requests together have one limit of time and one of bytes.
struct DocumentDownload {
    private let context: CommandContext
    /// The most bytes that the files that are not requested yet may have together.
    private var remainingBytes: Int
    private let deadline: ContinuousClock.Instant

    /// The time for the document and the files beside it together. A person waits for them before each command.
    private static let maxTime = Duration.seconds(30)
    /// The most files beside a document. Large public documents in parts have some 50; each costs a request.
    fileprivate static let maxFiles = 100

    /// Prepares a download. Its time starts now.
    ///
    /// - Parameters:
    ///   - context: The context, whose settings for all APIs count.
    ///   - maxBytes: The most bytes of all files together.
    init(_ context: CommandContext, maxBytes: Int) {
        self.context = context
        remainingBytes = maxBytes
        deadline = .now + Self.maxTime
    }

    /// Requests a document with GET, in the same way as `call URL` would.
    ///
    /// All documents together have a limit of bytes, so the length of this one is subtracted from the remaining bytes.
    ///
    /// - Parameters:
    ///   - url: The URL of the document.
    ///   - followsRedirects: Whether the server may redirect to another URL.
    /// - Returns: The bytes of the document.
    /// - Throws: ``UsageError`` for a status other than 2xx, and ``Failure`` for a request without a response or with a
    ///   body that is too long.
    mutating func requestDocument(at url: SourcedText, followsRedirects: Bool) async throws -> [UInt8] {
        let request = try makeRequest(of: url, followsRedirects: followsRedirects)
        let resolver = try CallResolver(context, environmentFiles: [], apis: [])
        // As for `call URL`, the configuration completes the request, with a proxy for example.
        let completedRequest = try context.completed(request)
        let plan = try await resolver.resolve(completedRequest)
        let exchange = Exchange(plan, resolver.context)
        do {
            let body = try await exchange.run { [remainingBytes] response in
                guard response.head.isSuccess else {
                    throw UsageError(
                        "\(plan.name): expected a document, got \(response.head.statusText)", see: "help documents")
                }
                return try await response.wholeBody(limit: remainingBytes)
            }
            remainingBytes -= body.count
            return body
        } catch {
            // A `UsageError` stays as it is. Any other error becomes a ``Failure``.
            throw exchange.reportedError(for: error)
        }
    }

    /// Returns the request of a document, with the time that remains until the deadline as its limit.
    private func makeRequest(of url: SourcedText, followsRedirects: Bool) throws -> CallRequest {
        var request = try CallRequest(CalledURL(url))
        // A limit of zero would mean no limit. After the deadline, the request fails at once.
        let remainingTime = max(deadline - .now, .milliseconds(1))
        request.options.transfer.maxTime = Sourced(remainingTime, .preset)
        if !followsRedirects { request.options.transfer.maxRedirects = 0 }
        let accept = "application/json, application/yaml, */*;q=0.8"
        request.options.request.headers = [.add(HTTPField("Accept", accept))]
        return request
    }

    /// Requests the files that a document refers to, and the files that these refer to (breadth-first search).
    ///
    /// Redirects are not followed, because a file must come from the document's own server. After ``maxFiles``, no
    /// further file is requested.
    ///
    /// - Parameters:
    ///   - document: The document, which has been requested already.
    ///   - url: The URL of the document. All files are on the same server.
    /// - Returns: The files. For a file that can't be read, they have the reason, which becomes the error of each part
    ///   of the document that refers to the file.
    /// - Throws: `CancellationError`.
    mutating func requestFiles(
        referencedBy document: SourceDocument, at url: String
    ) async throws -> DownloadedFiles {
        var files = DownloadedFiles()
        // The queue of the search. The files before `requestedCount` have been requested.
        var fileURLs = document.referencedFiles(from: url)
        var requestedCount = 0
        var queuedURLs = Set(fileURLs + [url])
        while requestedCount < min(fileURLs.count, Self.maxFiles) {
            let fileURL = fileURLs[requestedCount]
            requestedCount += 1
            do {
                let bytes = try await requestDocument(at: SourcedText(fileURL, .preset), followsRedirects: false)
                let file = try SourceDocument(bytes, name: fileURL)
                files.add(file, at: fileURL)
                for referencedURL in file.referencedFiles(from: fileURL) {
                    let isNew = queuedURLs.insert(referencedURL).inserted
                    if isNew { fileURLs.append(referencedURL) }
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                files.addFailure(error, at: fileURL)
            }
        }
        return files
    }
}

/// The files beside a document at a URL, or the reasons why they can't be read.
struct DownloadedFiles: Sendable {
    /// The reason why a file can't be read.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// The requested files by their URLs.
    private var results: [String: Result<SourceDocument, Problem>] = [:]

    /// Adds a file that was read.
    mutating func add(_ file: SourceDocument, at url: String) { results[url] = .success(file) }

    /// Adds the reason why a file can't be read.
    mutating func addFailure(_ error: any Error, at url: String) {
        let description = (error as? Failure)?.message ?? "\(error)"
        results[url] = .failure(Problem(description: description))
    }

    /// Returns the file at a URL.
    ///
    /// - Throws: ``Problem`` if it can't be read, or was not requested because the document has too many files.
    func file(_ url: String) throws(Problem) -> SourceDocument {
        guard let result = results[url] else {
            throw Problem(
                description:
                    "not requested, because the document refers to more than \(DocumentDownload.maxFiles) files")
        }
        return try result.get()
    }
}
