import CSystem
import EndpointKit

/// Turns what libcurl's callbacks report into ``TransferEvent`` values.
struct WireEvents {
    private let report: @Sendable (TransferEvent) -> Void
    private var requestHead: [UInt8] = []
    private var responseHead: [UInt8] = []

    init(_ report: @escaping @Sendable (TransferEvent) -> Void) { self.report = report }

    /// Handles what libcurl passes to its debug callback: reports a message, and collects the request's head until it
    /// is complete and can be reported.
    ///
    /// The response's headers come from the header callback instead, because the debug callback omits some.
    ///
    /// - Parameters:
    ///   - bytes: A message of libcurl, or a part of the request.
    ///   - kind: The kind of `bytes` (`CURLINFO_…` of the debug callback).
    mutating func handleDebugCallback(_ bytes: UnsafeRawBufferPointer, kind: Int32) {
        switch kind {
        case CCURLDEBUG_TEXT: reportMessage(bytes)
        case CCURLDEBUG_HEADER_OUT: Self.collect(bytes, into: &requestHead) { report(.requestHead($0)) }
        default: break
        }
    }

    /// Reports each line of a message of libcurl, without passwords and cookies.
    private func reportMessage(_ message: UnsafeRawBufferPointer) {
        for line in message.split(separator: UInt8(ascii: "\n")) {
            let text = String(exactBytes: line.trimmingBlanks()).withoutUserInformation
            // libcurl repeats each cookie that it keeps, with its value. The response's headers have it already.
            let repeatsCookie = text.utf8.firstRange(of: " cookie ".utf8) != nil
            if !text.isEmpty, !repeatsCookie { report(.information(text)) }
        }
    }

    /// Adds a line to the response's head, and reports the head once it is complete.
    mutating func collectHeadLine(_ line: UnsafeRawBufferPointer) {
        Self.collect(line, into: &responseHead) { report(.responseHead($0)) }
    }

    /// Appends bytes to the head of a request or response, and reports the head once its empty line completes it.
    ///
    /// - Parameters:
    ///   - bytes: Any part of the head. If the head becomes too long with it, all of it is dropped.
    ///   - head: The part of the head that has been collected. It is empty after a complete head.
    ///   - reportHead: Called with a complete head.
    private static func collect(
        _ bytes: UnsafeRawBufferPointer, into head: inout [UInt8], reportHead: ([UInt8]) -> Void
    ) {
        let isTooLong = head.count + bytes.count > HeadParser.maxBytes
        if isTooLong {
            head = []
            return
        }
        head.append(contentsOf: bytes)
        let isComplete = head.suffix(4).elementsEqual("\r\n\r\n".utf8) || head.suffix(2).elementsEqual("\n\n".utf8)
        if isComplete {
            reportHead(head)
            head = []
        }
    }
}
