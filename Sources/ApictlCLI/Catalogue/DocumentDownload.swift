import EndpointKit
import OpenAPI

/// Requests a document and the files that it refers to, within one limit of time and one of bytes.
struct DocumentDownload {
    private let context: CommandContext
    private var remainingBytes: Int
    private let deadline: ContinuousClock.Instant

    /// The time that a server has for its document and the files beside it.
    private static let maxTime = Duration.seconds(30)
    /// The most files beside a document. Large public documents in parts have some 50; each costs a request.
    private static let maxFiles = 100

    /// Prepares a download, whose time starts now.
    init(_ context: CommandContext, maxBytes: Int) {
        self.context = context
        remainingBytes = maxBytes
        deadline = .now + Self.maxTime
    }

    /// Requests a document with GET, as a call of its URL with the settings for all APIs.
    ///
    /// - Parameter followsRedirects: Whether another URL may give the document.
    /// - Throws: ``UsageError`` for a status that is no success, and ``Failure``.
    mutating func text(_ url: SourcedText, followsRedirects: Bool) async throws -> [UInt8] {
        var request = try CallRequest(CalledURL(url))
        request.options.transfer.maxTime = Sourced(max(deadline - .now, .milliseconds(1)), .preset)
        if !followsRedirects { request.options.transfer.maxRedirects = 0 }
        let accept = "application/json, application/yaml, */*;q=0.8"
        request.options.request.headers = [.add(Header("Accept", accept))]
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

    /// Requests the files that a document refers to, and those that these refer to. All are on the document's server.
    ///
    /// - Throws: `CancellationError`. A file that can't be read is an error of the parts that refer to it.
    mutating func files(besides document: SourceDocument, _ url: String) async throws -> DownloadedFiles {
        var files = DownloadedFiles()
        var names = document.referencedFiles(from: url)
        var known = Set(names + [url])
        var requested = 0
        while requested < min(names.count, Self.maxFiles) {
            let name = names[requested]
            requested += 1
            do {
                let text = try await text(SourcedText(name, .preset), followsRedirects: false)
                let file = try SourceDocument(text, name: name)
                files.add(file, name)
                names += file.referencedFiles(from: name).filter { known.insert($0).inserted }
            } catch let error as CancellationError {
                throw error
            } catch {
                files.add(error, name)
            }
        }
        return files
    }
}

/// The files beside a document at a URL, or the reasons why they can't be read.
struct DownloadedFiles: Sendable {
    /// A reason why a file can't be read.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private var files: [String: Result<SourceDocument, Problem>] = [:]

    mutating func add(_ file: SourceDocument, _ url: String) { files[url] = .success(file) }

    mutating func add(_ error: any Error, _ url: String) {
        files[url] = .failure(Problem(description: (error as? Failure)?.message ?? "\(error)"))
    }

    /// Returns the file at a URL.
    ///
    /// - Throws: ``Problem``, also if the document has more files than are requested.
    func file(_ url: String) throws(Problem) -> SourceDocument {
        guard let file = files[url] else { throw Problem(description: "more files than are requested, which is 100") }
        return try file.get()
    }
}
