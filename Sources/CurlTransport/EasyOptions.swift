import CCurl
import EndpointKit

/// How a plan becomes options of an easy handle.
enum EasyOptions {
    /// The bytes libcurl reads at once. Much more would not fit libcurl's own buffer (64 MB) where a paused transfer unpacks it:
    /// gzip grows up to 1032 times.
    static let readSize = 60 * 1024
    /// libcurl hands out no more at a time (`CURL_MAX_WRITE_SIZE`).
    static let curlPieceSize = 16 * 1024
    /// The bytes libcurl sends at once.
    static let sendSize = 256 * 1024
}

extension Transfer {
    /// Sets the options of the transfer and returns libcurl's code: the first that is not `CURLE_OK`.
    func setOptions(_ configuration: CurlConfiguration) -> Int32 {
        var setter = OptionSetter(easy: easy)
        setter.needed { $0.keepErrorText() }
        setter.needed { $0.set(CCURLOPT_PRIVATE, pointer: userPointer) }
        setter.needed { $0.set(CCURLOPT_NOSIGNAL, 1) }
        setter.needed { $0.set(CCURLOPT_URL, terminated: plan.url) }
        setter.needed { $0.set(CCURLOPT_PATH_AS_IS, 1) }
        setter.needed { easy in
            let code = easy.set(CCURLOPT_PROTOCOLS_STR, text: "http,https")
            // Before 7.85 the option was a number.
            return code == CCURLE_UNKNOWN_OPTION
                ? easy.set(CCURLOPT_PROTOCOLS, Int(CCURL_PROTOCOL_HTTP_AND_HTTPS)) : code
        }
        setter.needed { $0.set(CCURLOPT_SUPPRESS_CONNECT_HEADERS, 1) }
        // A handle used before may still have its buffer (after HTTP/2), and then keeps its size.
        setter.optional { $0.set(CCURLOPT_BUFFERSIZE, EasyOptions.readSize) }
        // Since 7.87: a transfer that stops in the middle of a name lookup does not wait for the lookup.
        setter.optional { $0.set(CCURLOPT_QUICK_EXIT, 1) }
        if plan.decompresses { setter.needed { $0.set(CCURLOPT_ACCEPT_ENCODING, text: "") } }
        if let limit = plan.maxMilliseconds { setter.needed { $0.set(CCURLOPT_TIMEOUT_MS, limit) } }
        if let limit = plan.connectMilliseconds { setter.needed { $0.set(CCURLOPT_CONNECTTIMEOUT_MS, limit) } }
        setMethod(&setter)
        setHeaders(&setter)
        setCertificates(configuration, &setter)
        setCallbacks(&setter)
        return setter.code
    }

    private func setMethod(_ setter: inout OptionSetter) {
        let usual: String
        switch plan.kind {
        case .withoutBody:
            usual = "GET"
            setter.needed { $0.set(CCURLOPT_HTTPGET, 1) }
        case .head:
            usual = "HEAD"
            setter.needed { $0.set(CCURLOPT_NOBODY, 1) }
        case .upload(let source):
            // Not CURLOPT_UPLOAD, which would announce even a small body with "Expect: 100-continue".
            usual = "POST"
            setter.needed { $0.set(CCURLOPT_POST, 1) }
            setter.needed { $0.set(CCURLOPT_POSTFIELDSIZE_LARGE, offset: source.count) }
            if source.count > EasyOptions.sendSize {
                setter.optional { $0.set(CCURLOPT_UPLOAD_BUFFERSIZE, EasyOptions.sendSize) }
            }
        }
        if plan.method != usual { setter.needed { $0.set(CCURLOPT_CUSTOMREQUEST, text: plan.method) } }
    }

    private func setHeaders(_ setter: inout OptionSetter) {
        for line in plan.headerLines {
            let longer = line.withUnsafeBytes { bytes in
                bytes.baseAddress.flatMap { start in
                    easy.curl.functions.pointee.slist_append(headerList, start.assumingMemoryBound(to: CChar.self))
                }
            }
            guard let longer else { return setter.needed { _ in CCURLE_OUT_OF_MEMORY } }
            headerList = longer
        }
        if let headerList { setter.needed { $0.set(CCURLOPT_HTTPHEADER, pointer: headerList) } }
    }

    private func setCertificates(_ configuration: CurlConfiguration, _ setter: inout OptionSetter) {
        if let bundle = configuration.certificateBundle {
            setter.needed { $0.set(CCURLOPT_CAINFO, text: bundle) }
            setter.optional { $0.set(CCURLOPT_PROXY_CAINFO, text: bundle) }
        }
        if let directory = configuration.certificateDirectory {
            setter.needed { $0.set(CCURLOPT_CAPATH, text: directory) }
            setter.optional { $0.set(CCURLOPT_PROXY_CAPATH, text: directory) }
        }
    }

    private func setCallbacks(_ setter: inout OptionSetter) {
        setter.needed { $0.set(CCURLOPT_HEADERDATA, pointer: userPointer) }
        setter.needed {
            $0.set(CCURLOPT_HEADERFUNCTION) { bytes, size, count, user in
                guard let user else { return 0 }
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Transfer.from(user).receiveHeadLine(line) ? line.count : 0
            }
        }
        setter.needed { $0.set(CCURLOPT_WRITEDATA, pointer: userPointer) }
        setter.needed {
            $0.set(CCURLOPT_WRITEFUNCTION) { bytes, size, count, user in
                guard let user else { return 0 }
                let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Transfer.from(user).receiveBody(piece) ? piece.count : Int(CCURL_WRITE_PAUSE)
            }
        }
        if case .upload = plan.kind {
            setter.needed { $0.set(CCURLOPT_READDATA, pointer: userPointer) }
            setter.needed {
                $0.set(CCURLOPT_READFUNCTION) { bytes, size, count, user in
                    guard let user else { return Int(CCURL_READ_ABORT) }
                    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                    return Transfer.from(user).readUpload(into: buffer) ?? Int(CCURL_READ_ABORT)
                }
            }
            setter.needed { $0.set(CCURLOPT_SEEKDATA, pointer: userPointer) }
            setter.needed {
                $0.set(seekCallback: { user, offset, origin in
                    // libcurl only ever seeks from the start (SEEK_SET).
                    guard let user, origin == 0, Transfer.from(user).seekUpload(to: offset) else {
                        return CCURL_SEEK_FAILED
                    }
                    return CCURL_SEEK_OK
                })
            }
        }
        if wireEvents != nil {
            setter.needed { $0.set(CCURLOPT_VERBOSE, 1) }
            setter.needed { $0.set(CCURLOPT_DEBUGDATA, pointer: userPointer) }
            setter.needed {
                $0.set(debugCallback: { _, kind, bytes, count, user in
                    if let user {
                        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
                        Transfer.from(user).wireEvents?.take(bytes, kind: kind)
                    }
                    return 0
                })
            }
        }
    }
}

/// Sets options until one fails.
struct OptionSetter {
    let easy: EasyHandle
    private(set) var code = CCURLE_OK

    init(easy: EasyHandle) { self.easy = easy }

    mutating func needed(_ set: (EasyHandle) -> Int32) {
        if code == CCURLE_OK { code = set(easy) }
    }

    /// For options that can be done without, such as those that older versions do not know.
    mutating func optional(_ set: (EasyHandle) -> Int32) {
        if code == CCURLE_OK { _ = set(easy) }
    }
}
