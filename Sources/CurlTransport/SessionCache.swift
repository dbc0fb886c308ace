import CSystem

/// The TLS sessions that the connections of one thread resume, whichever of its handles have made them.
///
/// Only that thread uses it, so libcurl needs no locks for it. Every handle that uses it holds a reference, so that it
/// outlives them.
final class SessionCache {
    let pointer: OpaquePointer
    private let curl: LibCurl

    /// Makes an empty cache. It is nil if memory is short, or if libcurl has no TLS.
    init?(_ curl: LibCurl) {
        guard let pointer = curl.functions.pointee.share_init() else { return nil }
        guard ccurl_set_share_int(curl.functions, pointer, CCURLSHOPT_SHARE, CCURL_LOCK_DATA_SSL_SESSION) == 0 else {
            _ = curl.functions.pointee.share_cleanup(pointer)
            return nil
        }
        self.curl = curl
        self.pointer = pointer
    }

    deinit { _ = curl.functions.pointee.share_cleanup(pointer) }
}
