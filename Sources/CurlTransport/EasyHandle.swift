import CSystem
import EndpointKit

/// One of libcurl's easy handles, with the buffer for its last error's text.
///
/// Only the loop's thread touches it.
struct EasyHandle: ~Copyable {
    let curl: LibCurl
    let pointer: OpaquePointer
    private let errorText: UnsafeMutablePointer<CChar>
    /// Lives as long as the handle that uses it.
    private let sessions: SessionCache?

    /// A handle that resumes the TLS sessions in `sessions`. Nil if memory is short.
    init?(_ curl: LibCurl, sessions: SessionCache?) {
        guard let pointer = curl.functions.pointee.easy_init() else { return nil }
        self.sessions = sessions
        self.curl = curl
        self.pointer = pointer
        errorText = .allocate(capacity: Int(CCURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CCURL_ERROR_SIZE))
        if let sessions { _ = set(CCURLOPT_SHARE, pointer: UnsafeRawPointer(sessions.pointer)) }
    }

    deinit {
        curl.functions.pointee.easy_cleanup(pointer)
        errorText.deallocate()
    }

    // MARK: Options. Each call returns libcurl's result code.

    /// Has libcurl write its error texts to ``lastErrorText``.
    func keepErrorText() -> Int32 { set(CCURLOPT_ERRORBUFFER, pointer: errorText) }

    func set(_ option: Int32, _ value: Int) -> Int32 { ccurl_set_long(curl.functions, pointer, option, value) }

    func set(_ option: Int32, offset: Int64) -> Int32 { ccurl_set_offset(curl.functions, pointer, option, offset) }

    /// libcurl keeps the pointer; what it points to must outlive the transfer.
    func set(_ option: Int32, pointer value: UnsafeRawPointer?) -> Int32 {
        ccurl_set_pointer(curl.functions, pointer, option, value)
    }

    /// libcurl copies the text, which must hold no zero byte.
    func set(_ option: Int32, text: String) -> Int32 {
        text.withCString { ccurl_set_pointer(curl.functions, pointer, option, $0) }
    }

    /// libcurl copies the text, which must end with its only zero byte.
    func set(_ option: Int32, terminated text: [UInt8]) -> Int32 {
        text.withUnsafeBytes { ccurl_set_pointer(curl.functions, pointer, option, $0.baseAddress) }
    }

    func set(_ option: Int32, callback: CCurlDataCallback) -> Int32 {
        ccurl_set_data_callback(curl.functions, pointer, option, callback)
    }

    // MARK: Facts about the transfer

    /// libcurl's text for the last error, on one line; may be empty.
    var lastErrorText: String {
        String(cString: errorText).split { $0.isWhitespace }.joined(separator: " ")
    }

    /// A number, or 0 if libcurl has none.
    func number(_ info: Int32) -> Int { ccurl_get_long(curl.functions, pointer, info) }

    /// A number; nil if this version of libcurl does not know the question.
    func knownNumber(_ info: Int32) -> Int? {
        var value = 0
        return ccurl_ask_long(curl.functions, pointer, info, &value) == CCURLE_OK ? value : nil
    }

    /// A number of bytes or microseconds, or 0 if libcurl has none.
    func offset(_ info: Int32) -> Int64 { ccurl_get_offset(curl.functions, pointer, info) }

    /// A text that libcurl keeps, if it has one.
    func text(_ info: Int32) -> String? {
        ccurl_get_pointer(curl.functions, pointer, info).map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    }

    /// The cookies that libcurl knows, each as a line of a cookie file.
    var cookieLines: [String] {
        let first = ccurl_get_pointer(curl.functions, pointer, CCURLINFO_COOKIELIST)
        let list = CurlTextList(curl, first: first?.assumingMemoryBound(to: CCurlList.self))
        return list.texts
    }

    /// Whether libcurl's TLS library is OpenSSL or a fork of it.
    var usesOpenSSL: Bool {
        let session = ccurl_get_pointer(curl.functions, pointer, CCURLINFO_TLS_SSL_PTR)
        return session?.assumingMemoryBound(to: CCurlTLSSession.self).pointee.backend == CCURL_BACKEND_OPENSSL
    }

    /// The number of bytes of the body that were received so far, before decompression.
    var receivedBytes: Int64 { offset(CCURLINFO_SIZE_DOWNLOAD_T) }
}

/// A list of texts in libcurl's form, freed with this value.
struct CurlTextList: ~Copyable {
    private let curl: LibCurl
    private(set) var first: UnsafeMutablePointer<CCurlList>?

    /// A list that begins with one of libcurl's, which is freed with this value; nil is an empty list.
    init(_ curl: LibCurl, first: UnsafeMutablePointer<CCurlList>? = nil) {
        self.curl = curl
        self.first = first
    }

    /// The texts in their order.
    var texts: [String] {
        var texts: [String] = []
        var next = first
        while let item = next {
            if let text = item.pointee.data {
                var count = 0
                while text[count] != 0 { count += 1 }
                texts.append(String(exactBytes: Array(UnsafeRawBufferPointer(start: text, count: count))))
            }
            next = item.pointee.next
        }
        return texts
    }

    deinit { curl.functions.pointee.slist_free_all(first) }

    /// Adds a copy of `text`, which must end with its only zero byte.
    ///
    /// - Returns: False if memory is short.
    mutating func append(_ text: [UInt8]) -> Bool {
        let longer = text.withUnsafeBytes { bytes in
            bytes.baseAddress.flatMap {
                curl.functions.pointee.slist_append(first, $0.assumingMemoryBound(to: CChar.self))
            }
        }
        guard let longer else { return false }
        first = longer
        return true
    }
}

/// TLS sessions that the connections of one thread resume, whichever of its handles they were made with.
///
/// Only that thread uses it, so libcurl needs no locks for it. Every handle that uses it holds a reference, so that it
/// outlives them.
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

    deinit { _ = curl.functions.pointee.share_cleanup(pointer) }
}
