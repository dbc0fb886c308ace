import EndpointKit
import Foundation

/// A body that includes files, written to one temporary file, which URLSession reads while it sends; removed with this object.
///
/// Only from a file can URLSession send a long body with its length and without holding it in memory.
final class AssembledBody: Sendable {
    let url: URL

    /// Writes `body`. Throws `TransportError` where a file can't be read or the temporary one can't be written.
    init(_ body: RequestBody) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID().uuidString)")
        // Readable only by the user: the body may hold secrets.
        guard
            FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let output = FileHandle(forWritingAtPath: url.path)
        else { throw Self.unwritable(url) }
        defer { try? output.close() }
        for piece in body.pieces {
            switch piece {
            case .bytes(let bytes): try Self.write(Data(bytes), to: output, url)
            case .file(let path): try Self.copy(path, to: output, url)
            }
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    private static func copy(_ path: String, to output: FileHandle, _ url: URL) throws {
        guard let input = FileHandle(forReadingAtPath: path) else { throw unreadable(path) }
        defer { try? input.close() }
        while true {
            try Task.checkCancellation()
            let block: Data?
            do { block = try input.read(upToCount: 1 << 20) } catch { throw unreadable(path) }
            guard let block, !block.isEmpty else { return }
            try write(block, to: output, url)
        }
    }

    private static func write(_ data: Data, to output: FileHandle, _ url: URL) throws {
        do { try output.write(contentsOf: data) } catch { throw unwritable(url) }
    }

    private static func unreadable(_ path: String) -> TransportError {
        TransportError(.unreadableBody(path: path))
    }

    private static func unwritable(_ url: URL) -> TransportError {
        TransportError(.other, detail: "can't write the temporary file \(url.path)")
    }
}
