import EndpointKit
import Synchronization

/// The copy of a body that `--save` keeps beside what is printed. The file is replaced once the whole body has been read.
final class BodyCopy: Sendable {
    private let file: any FileReplacement
    private let isOpen = Mutex(true)

    init(_ file: any FileReplacement) { self.file = file }

    /// `body`, of which every chunk is also written to the file.
    func copying(_ body: ResponseBody) -> ResponseBody {
        ResponseBody { [self] in
            var chunks = body.makeAsyncIterator()
            guard let chunk = try await chunks.next() else {
                if close() { try file.commit() }
                return nil
            }
            try file.write(chunk)
            return chunk
        }
    }

    /// Discards the file unless the body has ended.
    func discard() {
        if close() { file.discard() }
    }

    /// Whether the file was still open.
    private func close() -> Bool {
        isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
    }
}
