import EndpointKit
import SystemCalls

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request whose streams have been written to temporary files, from which libcurl can read them.
///
/// The files are removed with this object. A body that has been opened before can still be read.
final class SpooledRequest: Sendable {
    /// The request with files in place of streams.
    let request: Request
    private let paths: [String]

    /// Writes the streams of a request's body to files that only the user can read.
    ///
    /// - Throws: The error of a stream. ``TransportError`` if a file can't be written.
    init(_ request: Request) async throws {
        var spooled = request
        var paths: [String] = []
        do {
            for (index, piece) in (request.body?.pieces ?? []).enumerated() {
                guard case .stream(let stream) = piece else { continue }
                let path = Self.newPath()
                paths.append(path)
                try await Self.write(stream, to: path)
                spooled.body?.pieces[index] = .file(path: path)
            }
        } catch {
            Self.remove(paths)
            throw error
        }
        self.request = spooled
        self.paths = paths
    }

    deinit { Self.remove(paths) }

    /// Returns the path of a new file, with enough random digits that there is no other of that name.
    private static func newPath() -> String {
        let directory = FileManager.default.temporaryDirectory.path
        let separator = directory.hasSuffix("/") ? "" : "/"
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return "\(directory)\(separator)body-\(digits)"
    }

    /// Writes a stream to a new file that only the user can read.
    ///
    /// - Throws: The error of the stream. ``TransportError`` if the file can't be made or written.
    private static func write(_ stream: BodyStream, to path: String) async throws {
        let descriptor: Int32
        do throws(SystemError) {
            let onlyForUser: mode_t = 0o600
            descriptor = try SystemCall.open(path.exactBytes, O_WRONLY | O_CREAT | O_EXCL, mode: onlyForUser)
        } catch {
            throw unwritableError(path: path, reason: error.reason)
        }
        defer { SystemCall.close(descriptor) }
        try await stream.readChunks { chunk in
            do {
                try chunk.withUnsafeBytes { try Descriptor.write(descriptor, $0) }
                // The other failure is a reader that has gone, and a file has none.
            } catch Descriptor.WriteFailure.failed(let error) {
                throw unwritableError(path: path, reason: error.reason)
            }
        }
    }

    private static func remove(_ paths: [String]) {
        for path in paths { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Returns the error for a file that can't be written.
    private static func unwritableError(path: String, reason: String) -> TransportError {
        TransportError(.other, detail: "can't write the temporary file \(path): \(reason)")
    }
}
