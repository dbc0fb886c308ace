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

    /// Makes a handle without options.
    ///
    /// It is nil if memory is short.
    ///
    /// - Parameters:
    ///   - curl: The library.
    ///   - sessions: The TLS sessions that connections of this handle resume.
    init?(_ curl: LibCurl, sessions: SessionCache?) {
        guard let pointer = curl.functions.pointee.easy_init() else { return nil }
        self.sessions = sessions
        self.curl = curl
        self.pointer = pointer
        errorText = .allocate(capacity: Int(CCURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CCURL_ERROR_SIZE))
        // If this fails, each connection makes a full TLS handshake.
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

    /// Sets an option to a pointer. libcurl keeps the pointer, so what it points to must outlive the transfer.
    func set(_ option: Int32, pointer value: UnsafeRawPointer?) -> Int32 {
        ccurl_set_pointer(curl.functions, pointer, option, value)
    }

    /// Sets an option to a text, which must hold no zero byte. libcurl copies it.
    func set(_ option: Int32, text: String) -> Int32 {
        text.withCString { ccurl_set_pointer(curl.functions, pointer, option, $0) }
    }

    /// Sets an option to a text in bytes, which must end with its only zero byte. libcurl copies it.
    func set(_ option: Int32, terminated text: [UInt8]) -> Int32 {
        text.withUnsafeBytes { ccurl_set_pointer(curl.functions, pointer, option, $0.baseAddress) }
    }

    func set(_ option: Int32, callback: CCurlDataCallback) -> Int32 {
        ccurl_set_data_callback(curl.functions, pointer, option, callback)
    }

    // MARK: Facts about the transfer

    /// libcurl's text for the last error, on one line. It may be empty.
    var lastErrorText: String {
        String(cString: errorText).split { $0.isWhitespace }.joined(separator: " ")
    }

    /// Returns a fact about the transfer that is a number, or 0 if libcurl does not know it.
    func number(_ info: Int32) -> Int { ccurl_get_long(curl.functions, pointer, info) }

    /// Returns a fact about the transfer that is a number, or nil if this version of libcurl does not have the fact.
    func knownNumber(_ info: Int32) -> Int? {
        var value = 0
        return ccurl_ask_long(curl.functions, pointer, info, &value) == CCURLE_OK ? value : nil
    }

    /// Returns a fact about the transfer that is a number of bytes or microseconds, or 0 if libcurl does not know it.
    func offset(_ info: Int32) -> Int64 { ccurl_get_offset(curl.functions, pointer, info) }

    /// Returns a fact about the transfer that is a text, or nil if libcurl does not know it.
    func text(_ info: Int32) -> String? {
        guard let text = ccurl_get_pointer(curl.functions, pointer, info) else { return nil }
        return String(cString: text.assumingMemoryBound(to: CChar.self))
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
