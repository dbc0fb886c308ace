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
        guard ([ownLine].compactMap(\.self) + plan.headerLines).allSatisfy({ headerLines.append($0) }),
            plan.connection.resolve.allSatisfy({ resolveEntries.append($0) })
        else { return TransportError(.other, detail: "libcurl has no memory for another transfer") }
        var setter = OptionSetter(transfer: self)
        setter.needed { $0.keepErrorText() }
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
        setter.needed { $0.set(CCURLOPT_HTTPHEADER, pointer: headerLines.first) }
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
        var owned = [CCURLOPT_PRIVATE, CCURLOPT_HEADERDATA, CCURLOPT_WRITEDATA]
        if case .upload = plan.kind { owned += [CCURLOPT_READDATA, CCURLOPT_SEEKDATA] }
        if wireEvents != nil { owned.append(CCURLOPT_DEBUGDATA) }
        for option in owned { setter.needed { $0.set(option, pointer: userPointer) } }
        setter.needed {
            $0.set(CCURLOPT_HEADERFUNCTION) { bytes, size, count, user in
                guard let user else { return 0 }
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Transfer.from(user).receiveHeadLine(line) ? line.count : 0
            }
        }
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
            setter.needed {
                $0.set(CCURLOPT_READFUNCTION) { bytes, size, count, user in
                    guard let user else { return Int(CCURL_READ_ABORT) }
                    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                    return Transfer.from(user).readUpload(into: buffer) ?? Int(CCURL_READ_ABORT)
                }
            }
            setter.needed {
                ccurl_set_seek_callback($0.curl.functions, $0.pointer) { user, offset, origin in
                    // libcurl only ever seeks from the start (SEEK_SET).
                    guard let user, origin == 0, Transfer.from(user).seekUpload(to: offset) else {
                        return CCURL_SEEK_FAILED
                    }
                    return CCURL_SEEK_OK
                }
            }
        }
        if wireEvents != nil {
            setter.needed { $0.set(CCURLOPT_VERBOSE, 1) }
            setter.needed {
                ccurl_set_debug_callback($0.curl.functions, $0.pointer) { _, kind, bytes, count, user in
                    if let user {
                        let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
                        Transfer.from(user).wireEvents?.take(bytes, kind: kind)
                    }
                    return 0
                }
            }
        }
    }

    /// Prevents libcurl from repeating a request that must not be: it does so if a reused connection ends without a response.
    private func watchForRepetition(_ setter: inout OptionSetter) {
        setter.optional { $0.set(CCURLOPT_PREREQDATA, pointer: userPointer) }
        setter.needed { easy in
            let code = ccurl_set_prerequest_callback(easy.curl.functions, easy.pointer) { user, _, _, _, _ in
                guard let user, Transfer.from(user).mayBeSent() else { return CCURL_PREREQUEST_ABORT }
                return CCURL_PREREQUEST_OK
            }
            // Before 7.80 there is no such callback; on a fresh connection nothing is ever repeated.
            return code == CCURLE_UNKNOWN_OPTION ? easy.set(CCURLOPT_FRESH_CONNECT, 1) : code
        }
    }

    /// Sets which certificates are trusted: the request's own authorities, else those of ``trust``.
    func setTrust(_ setter: inout OptionSetter) {
        let connection = plan.connection
        if !connection.options.verifiesCertificate {
            // The server's only, as in the curl tool: the certificate of an HTTPS proxy is still checked.
            setter.needed { $0.set(CCURLOPT_SSL_VERIFYPEER, 0) }
            setter.needed { $0.set(CCURLOPT_SSL_VERIFYHOST, 0) }
        }
        if trust.leavesOutBundle {
            setter.needed { $0.set(CCURLOPT_CAINFO, pointer: nil) }
            setter.optional { $0.set(CCURLOPT_PROXY_CAINFO, pointer: nil) }
        } else if let bundle = trust.configuration.certificateBundle.map({ $0.exactBytes + [0] }) {
            setter.needed { $0.set(CCURLOPT_CAINFO, terminated: bundle) }
            setter.optional { $0.set(CCURLOPT_PROXY_CAINFO, terminated: bundle) }
        }
        if let directory = trust.configuration.certificateDirectory.map({ $0.exactBytes + [0] }) {
            setter.needed { $0.set(CCURLOPT_CAPATH, terminated: directory) }
            setter.optional { $0.set(CCURLOPT_PROXY_CAPATH, terminated: directory) }
        }
        if let file = connection.certificateAuthorities {
            setter.needed("certificate authorities from a file") { $0.set(CCURLOPT_CAINFO, terminated: file) }
            setter.optional { $0.set(CCURLOPT_PROXY_CAINFO, terminated: file) }
            // The directory that libcurl was built with would be trusted besides the file.
            for option in [CCURLOPT_CAPATH, CCURLOPT_PROXY_CAPATH] { setter.optional { $0.set(option, pointer: nil) } }
        }
        reportTrust()
    }

    /// The files and directories of the certificates that the server's must come from, as far as they are known.
    var trustedPlaces: [String] { plan.connection.options.certificateAuthorities.map { [$0] } ?? trust.places }

    private func reportTrust() {
        guard let onEvent = plan.onEvent, plan.server.usesTLS else { return }
        let places = trustedPlaces.isEmpty ? "those of the TLS library" : trustedPlaces.joined(separator: ", ")
        let text =
            plan.connection.options.verifiesCertificate
            ? "trusted certificates: \(places)" : "the certificate is not checked"
        onEvent(.information(earlierTime == .zero ? text : "no trusted issuer found; connecting again; \(text)"))
    }

    /// Sets the route, the addresses and the client's identity.
    func setConnection(_ setter: inout OptionSetter) {
        let connection = plan.connection
        let texts: [(option: Int32, text: [UInt8]?, feature: String)] = [
            (CCURLOPT_SSLCERT, connection.clientCertificate, "client certificates"),
            (CCURLOPT_SSLCERTTYPE, connection.isPKCS12 ? Array("P12\0".utf8) : nil, "PKCS#12 files"),
            (CCURLOPT_SSLKEY, connection.clientKey, "client certificates"),
            (CCURLOPT_PROXY, connection.proxy, "proxies"),
            (CCURLOPT_UNIX_SOCKET_PATH, connection.unixSocket, "unix sockets"),
        ]
        for (option, text, feature) in texts {
            if let text { setter.needed(feature) { $0.set(option, terminated: text) } }
        }
        setter.optional { $0.set(CCURLOPT_KEYPASSWD, terminated: connection.keyPassphrase) }
        if !connection.resolve.isEmpty {
            setter.needed("addresses in place of a name lookup") {
                $0.set(CCURLOPT_RESOLVE, pointer: resolveEntries.first)
            }
        }
        if let version = connection.options.httpVersion {
            let number = version == .http1 ? CCURL_HTTP_VERSION_1_1 : CCURL_HTTP_VERSION_2_0
            setter.needed(version == .http1 ? "HTTP/1.1" : "HTTP/2") { $0.set(CCURLOPT_HTTP_VERSION, Int(number)) }
        }
    }
}

/// Sets options until one fails.
struct OptionSetter {
    let transfer: Transfer
    private(set) var error: TransportError?

    /// `feature` is what a libcurl that was built without the option lacks.
    mutating func needed(_ feature: String? = nil, _ set: (borrowing EasyHandle) -> Int32) {
        guard error == nil else { return }
        let code = set(transfer.easy)
        let isMissing = [CCURLE_UNKNOWN_OPTION, CCURLE_NOT_BUILT_IN, CCURLE_UNSUPPORTED_PROTOCOL].contains(code)
        if let feature, isMissing {
            error = TransportError(.unsupportedOption, detail: "this machine's libcurl does not support \(feature)")
        } else if code != CCURLE_OK {
            let reason = transfer.easy.curl.describe(code: code)
            error = TransportError(.other, detail: "libcurl does not accept \(feature ?? "an option"): \(reason)")
        }
    }

    /// For options that are not essential, such as those that older versions lack.
    mutating func optional(_ set: (borrowing EasyHandle) -> Int32) {
        if error == nil { _ = set(transfer.easy) }
    }
}
