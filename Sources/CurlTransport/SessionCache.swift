import CCurl

/// TLS sessions that the connections of one thread resume, whichever of its handles they were made with.
///
/// Only that thread uses it, so libcurl needs no locks for it.
final class SessionCache {
    let pointer: OpaquePointer
    private let curl: LibCurl

    /// Nil if memory is short, or libcurl has no TLS.
    init?(_ curl: LibCurl) {
        guard let pointer = curl.functions.pointee.share_init() else { return nil }
        guard ccurl_set_share_int(curl.functions, pointer, CCURLSHOPT_SHARE, CCURL_LOCK_DATA_SSL_SESSION) == 0 else {
            _ = curl.functions.pointee.share_cleanup(pointer)
            return nil
        }
        self.curl = curl
        self.pointer = pointer
    }

    /// Every handle that uses it holds a reference, so that it outlives them.
    deinit { _ = curl.functions.pointee.share_cleanup(pointer) }
}
