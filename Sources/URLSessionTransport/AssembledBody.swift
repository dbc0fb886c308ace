import EndpointKit
import Foundation

/// A temporary file with the whole body of a request that includes files or streams. It is removed with this object.
///
/// Only from a file can URLSession send a long body with its length and without holding it in memory.
final class AssembledBody: Sendable {
    let url: URL

    /// Writes a body to a new temporary file.
    ///
    /// - Throws: `TransportError` if a file of the body can't be read, or if the temporary file can't be written. If a
    ///   stream of the body fails, its own error.
    init(_ body: RequestBody) async throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID().uuidString)")
        // Readable only by the user: the body may hold secrets.
        let isCreated = FileManager.default.createFile(
            atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        guard isCreated, let output = FileHandle(forWritingAtPath: url.path) else { throw unwritableFileError }
        defer { try? output.close() }
        for piece in body.pieces {
            switch piece {
            case .bytes(let bytes): try write(Data(bytes), to: output)
            case .file(let path): try copy(path, to: output)
            case .stream(let stream): try await stream.readChunks { try write(Data($0), to: output) }
            }
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Appends the content of a file to the temporary file, a mebibyte at a time.
    ///
    /// - Throws: `TransportError` if one of the files can't be read or written, and `CancellationError`.
    private func copy(_ path: String, to output: FileHandle) throws {
        let unreadableBodyError = TransportError(.unreadableBody(path: path))
        guard let input = FileHandle(forReadingAtPath: path) else { throw unreadableBodyError }
        defer { try? input.close() }
        while true {
            try Task.checkCancellation()
            let block: Data?
            do { block = try input.read(upToCount: 1 << 20) } catch { throw unreadableBodyError }
            guard let block, !block.isEmpty else { return }
            try write(block, to: output)
        }
    }

    /// Appends data to the temporary file.
    ///
    /// - Throws: `TransportError` that names the file, if it can't be written.
    private func write(_ data: Data, to output: FileHandle) throws {
        do { try output.write(contentsOf: data) } catch { throw unwritableFileError }
    }

    private var unwritableFileError: TransportError {
        TransportError(.other, detail: "can't write the temporary file \(url.path)")
    }
}
