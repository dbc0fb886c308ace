import CCurl
import EndpointKit

/// Sizes of libcurl's buffers.
enum EasyOptions {
    /// The bytes that libcurl reads at once.
    static let readSize = 32 * 1024
    /// The bytes that libcurl sends at once.
    static let sendSize = 256 * 1024
}

extension Transfer {
    /// Sets the options of the transfer. Returns the error of the first that libcurl does not accept.
    func setOptions() -> TransportError? {
        // Not CURLOPT_ACCEPT_ENCODING: libcurl decodes without a bound and misses truncation.
        let acceptEncoding = plan.decompresses ? CodecLibraries.shared.acceptEncoding : nil
        let ownLine = acceptEncoding.map { Array("Accept-Encoding: \($0)\0".utf8) }
        guard ownLine.map(headerLines.append) ?? true, plan.headerLines.allSatisfy(headerLines.append),
            plan.connection.resolve.allSatisfy(resolveEntries.append)
        else { return CurlErrors.internalError("libcurl has no memory for another transfer") }
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
        setter.optional { $0.set(CCURLOPT_BUFFERSIZE, EasyOptions.readSize) }
        // Since 7.87: a transfer that stops during a name lookup does not wait for it.
        setter.optional { $0.set(CCURLOPT_QUICK_EXIT, 1) }
        if let limit = plan.maxMilliseconds { setter.needed { $0.set(CCURLOPT_TIMEOUT_MS, rest(of: limit)) } }
        if let limit = plan.connectMilliseconds {
            setter.needed { $0.set(CCURLOPT_CONNECTTIMEOUT_MS, rest(of: limit)) }
        }
        setMethod(&setter)
        setter.needed { $0.set(CCURLOPT_HTTPHEADER, list: headerLines) }
        setTrust(&setter)
        setConnection(&setter)
        setCallbacks(&setter)
        return setter.error
    }

    /// What an earlier attempt has left of a limit; at least a millisecond, because none is no limit.
    private func rest(of milliseconds: Int) -> Int { max(1, milliseconds - Int(earlierTime / .milliseconds(1))) }

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
            // CURLOPT_UPLOAD would announce even a small body with "Expect: 100-continue".
            usual = "POST"
            setter.needed { $0.set(CCURLOPT_POST, 1) }
            setter.needed { $0.set(CCURLOPT_POSTFIELDSIZE_LARGE, offset: source.count) }
            if source.count > EasyOptions.sendSize {
                setter.optional { $0.set(CCURLOPT_UPLOAD_BUFFERSIZE, EasyOptions.sendSize) }
            }
        }
        if plan.method.rawValue != usual {
            setter.needed { $0.set(CCURLOPT_CUSTOMREQUEST, text: plan.method.rawValue) }
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
                let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
                switch Transfer.from(user).receiveBody(chunk) {
                case .accepted: return chunk.count
                case .postponed: return Int(CCURL_WRITE_PAUSE)
                case .refused: return Int(CCURL_WRITE_ERROR)
                }
            }
        }
        if !plan.isRepeatable { watchForRepetition(&setter) }
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

extension Transfer {
    /// Prevents libcurl from repeating a request that must not be: it does so if a reused connection ends without a response.
    fileprivate func watchForRepetition(_ setter: inout OptionSetter) {
        setter.optional { $0.set(CCURLOPT_PREREQDATA, pointer: userPointer) }
        setter.needed { easy in
            let code = easy.set(prerequestCallback: { user, _, _, _, _ in
                guard let user, Transfer.from(user).mayBeSent() else { return CCURL_PREREQUEST_ABORT }
                return CCURL_PREREQUEST_OK
            })
            // Before 7.80 there is no such callback; on a fresh connection nothing is ever repeated.
            return code == CCURLE_UNKNOWN_OPTION ? easy.set(CCURLOPT_FRESH_CONNECT, 1) : code
        }
    }
}

/// Sets options until one fails.
struct OptionSetter {
    private let easy: EasyHandle
    private(set) var error: TransportError?

    init(easy: EasyHandle) { self.easy = easy }

    mutating func needed(_ set: (EasyHandle) -> Int32) {
        guard error == nil else { return }
        let code = set(easy)
        if code != CCURLE_OK { error = CurlErrors.internalError("libcurl: \(easy.curl.describe(code: code))") }
    }

    /// For options that a libcurl may be built without: `feature` is what it then lacks.
    mutating func needed(_ feature: String, _ set: (EasyHandle) -> Int32) {
        guard error == nil else { return }
        switch set(easy) {
        case CCURLE_OK: break
        case CCURLE_UNKNOWN_OPTION, CCURLE_NOT_BUILT_IN, CCURLE_UNSUPPORTED_PROTOCOL:
            error = TransportError(
                .unsupportedOption, detail: "this machine's libcurl does not support \(feature)")
        case let code:
            error = CurlErrors.internalError(
                "libcurl does not accept \(feature): \(easy.curl.describe(code: code))")
        }
    }

    /// For options that are not essential, such as those that older versions lack.
    mutating func optional(_ set: (EasyHandle) -> Int32) {
        if error == nil { _ = set(easy) }
    }
}
