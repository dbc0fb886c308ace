import EndpointKit
import OpenAPI

/// Requests a document and the files that it refers to. All requests together have one limit of time and one of bytes.
struct DocumentDownload {
    private let context: CommandContext
    private var remainingBytes: Int
    private let deadline: ContinuousClock.Instant

    /// The time for the document and the files beside it together.
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
    /// - Parameters:
    ///   - url: The URL of the document.
    ///   - followsRedirects: Whether the server may redirect to another URL.
    /// - Returns: The bytes of the document.
    /// - Throws: ``UsageError`` for a status other than 2xx, and ``Failure``.
    mutating func text(_ url: SourcedText, followsRedirects: Bool) async throws -> [UInt8] {
        let request = try request(of: url, followsRedirects: followsRedirects)
        let resolver = try CallResolver(context, environmentFiles: [], apis: [])
        let plan = try await resolver.plan(context.completed(request))
        let exchange = Exchange(plan, resolver.context)
        do {
            let text = try await exchange.run { [remainingBytes] response in
                guard response.head.isSuccess else {
                    throw UsageError(
                        "\(plan.name): expected a document, got \(response.head.statusText)", see: "help documents")
                }
                return try await response.wholeBody(limit: remainingBytes)
            }
            remainingBytes -= text.count
            return text
        } catch {
            throw exchange.failure(error)
        }
    }

    /// Returns the request of a document, with the time that remains until the deadline as its limit.
    private func request(of url: SourcedText, followsRedirects: Bool) throws -> CallRequest {
        var request = try CallRequest(CalledURL(url))
        // A limit of zero would mean no limit. After the deadline, the request fails at once.
        let remainingTime = max(deadline - .now, .milliseconds(1))
        request.options.transfer.maxTime = Sourced(remainingTime, .preset)
        if !followsRedirects { request.options.transfer.maxRedirects = 0 }
        let accept = "application/json, application/yaml, */*;q=0.8"
        request.options.request.headers = [.add(HTTPField("Accept", accept))]
        return request
    }

    /// Requests the files that a document refers to, and the files that these refer to, level by level.
    ///
    /// Redirects are not followed, because a file must come from the document's own server. After ``maxFiles``, no
    /// further file is requested.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - url: The URL of the document. All files are on the same server.
    /// - Returns: The files. A file that can't be read is an error only of the parts of the document that refer to it.
    /// - Throws: `CancellationError`.
    mutating func files(besides document: SourceDocument, _ url: String) async throws -> DownloadedFiles {
        var files = DownloadedFiles()
        var fileURLs = document.referencedFiles(from: url)
        var knownURLs = Set(fileURLs + [url])
        var requestedCount = 0
        while requestedCount < min(fileURLs.count, Self.maxFiles) {
            let fileURL = fileURLs[requestedCount]
            requestedCount += 1
            do {
                let text = try await text(SourcedText(fileURL, .preset), followsRedirects: false)
                let file = try SourceDocument(text, name: fileURL)
                files.add(file, fileURL)
                fileURLs += file.referencedFiles(from: fileURL).filter { knownURLs.insert($0).inserted }
            } catch let error as CancellationError {
                throw error
            } catch {
                files.add(error, fileURL)
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

    private var files: [String: Result<SourceDocument, Problem>] = [:]

    /// Adds a file that was read.
    mutating func add(_ file: SourceDocument, _ url: String) { files[url] = .success(file) }

    /// Adds the error of a file that can't be read.
    mutating func add(_ error: any Error, _ url: String) {
        let description = (error as? Failure)?.message ?? "\(error)"
        files[url] = .failure(Problem(description: description))
    }

    /// Returns the file at a URL.
    ///
    /// - Throws: ``Problem`` if it can't be read, or was not requested because the document has too many files.
    func file(_ url: String) throws(Problem) -> SourceDocument {
        guard let file = files[url] else {
            throw Problem(description: "more files than are requested, which is \(DocumentDownload.maxFiles)")
        }
        return try file.get()
    }
}
