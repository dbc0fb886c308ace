import CSystem
import EndpointKit

/// Turns what libcurl's callbacks report into ``TransferEvent`` values.
struct WireEvents {
    private let report: @Sendable (TransferEvent) -> Void
    private var requestHead: [UInt8] = []
    private var responseHead: [UInt8] = []

    init(_ report: @escaping @Sendable (TransferEvent) -> Void) { self.report = report }

    /// Takes what libcurl's debug callback reports: a message, or a part of the request's headers.
    ///
    /// The response's headers are taken from the header callback instead, because the debug callback omits some.
    ///
    /// - Parameters:
    ///   - bytes: A message of libcurl's, or a part of the request.
    ///   - kind: What `bytes` are (`CURLINFO_…` of the debug callback).
    mutating func take(_ bytes: UnsafeRawBufferPointer, kind: Int32) {
        switch kind {
        case CCURLDEBUG_TEXT:
            // libcurl ends each with a line break; some hold several lines.
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                let text = String(exactBytes: line.trimmingBlanks()).withoutUserInformation
                // libcurl repeats each cookie that it keeps, with its value; the response's headers have it too.
                let repeatsCookie = text.utf8.firstRange(of: " cookie ".utf8) != nil
                if !text.isEmpty, !repeatsCookie { report(.information(text)) }
            }
        case CCURLDEBUG_HEADER_OUT:
            Self.gather(bytes, in: &requestHead) { report(.requestHead($0)) }
        default:
            break
        }
    }

    /// Takes one line of a response head.
    mutating func takeHeadLine(_ line: UnsafeRawBufferPointer) {
        Self.gather(line, in: &responseHead) { report(.responseHead($0)) }
    }

    /// Adds a chunk of any size to `head`, and passes the head on once its empty line completes it. A head that is too
    /// long is dropped.
    private static func gather(_ bytes: UnsafeRawBufferPointer, in head: inout [UInt8], complete: ([UInt8]) -> Void) {
        guard head.count + bytes.count <= HeadParser.limit else { return head = [] }
        head.append(contentsOf: bytes)
        let isComplete = head.suffix(4).elementsEqual("\r\n\r\n".utf8) || head.suffix(2).elementsEqual("\n\n".utf8)
        if isComplete {
            complete(head)
            head = []
        }
    }
}
