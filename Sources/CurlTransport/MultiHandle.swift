import CSystem
import EndpointKit

/// libcurl's multi handle.
///
/// `@unchecked Sendable`: only the loop's thread uses the handle. The exception is `curl_multi_wakeup`, which libcurl
/// allows on any thread; ``Mailbox`` calls it only while the handle exists.
struct MultiHandle: @unchecked Sendable {
    let curl: LibCurl
    let pointer: OpaquePointer

    /// Makes a handle, which ``Mailbox/close(for:)`` frees.
    ///
    /// - Throws: ``TransportError`` if memory is short.
    init(_ curl: LibCurl) throws(TransportError) {
        guard let pointer = curl.functions.pointee.multi_init() else {
            throw TransportError(.other, detail: "libcurl has no memory for its connections")
        }
        self.curl = curl
        self.pointer = pointer
    }
}
