import CSystem
import EndpointKit
import SystemCalls

/// Sizes of libcurl's buffers.
enum BufferSize {
    /// The number of bytes that libcurl reads at once.
    ///
    /// libcurl decompresses all that it has read at once, and gzip makes a thousand times as much of it. A reader that
    /// is slower than the server lets libcurl hold that twice.
    static let read = 16 * 1024
    /// The number of bytes that libcurl sends at once of a large body.
    static let send = 256 * 1024
}

/// Sets libcurl's options for one transfer, until one fails.
final class OptionSetter {
    private let transfer: Transfer
    private let plan: TransferPlan
    /// The error of the first option that libcurl does not accept.
    private(set) var error: TransportError?

    private init(_ transfer: Transfer) {
        self.transfer = transfer
        plan = transfer.plan
    }

    /// Sets all of libcurl's options for `transfer`: URL, headers, limits, trusted certificates, callbacks.
    ///
    /// - Returns: The error of the first option that libcurl does not accept.
    static func setOptions(of transfer: Transfer) -> TransportError? {
        guard transfer.fillLists() else {
            return TransportError(.other, detail: "libcurl has no memory for another transfer")
        }
        let setter = OptionSetter(transfer)
        setter.setGeneralOptions()
        setter.setLimits()
        setter.setRequest()
        setter.setCookies()
        setter.setTrust()
        setter.setConnection()
        setter.setResponseCallbacks()
        setter.setUploadCallbacks()
        setter.setDebugCallback()
        if !transfer.plan.isRepeatable { setter.preventRepetition() }
        return setter.error
    }

    // MARK: One option

    /// Sets an option that the transfer can't do without, and keeps the error if libcurl does not accept it.
    ///
    /// After an error nothing more is set, so that the first error is the one that is reported.
    ///
    /// - Parameters:
    ///   - feature: What a libcurl without the option does not support, for the error: `client certificates`.
    ///   - set: Sets the option, and returns libcurl's result code.
    private func setRequired(_ feature: String? = nil, _ set: (borrowing EasyHandle) -> Int32) {
        guard error == nil else { return }
        let code = set(transfer.easy)
        if code == CCURLE_OK { return }
        let codesOfMissingOptions = [CCURLE_UNKNOWN_OPTION, CCURLE_NOT_BUILT_IN, CCURLE_UNSUPPORTED_PROTOCOL]
        if let feature, codesOfMissingOptions.contains(code) {
            error = TransportError(.unsupportedOption, detail: "this machine's libcurl does not support \(feature)")
        } else {
            let reason = transfer.easy.curl.describe(code: code)
            error = TransportError(.other, detail: "libcurl does not accept \(feature ?? "an option"): \(reason)")
        }
    }

    /// Sets an option without which the transfer works too, such as one that older versions of libcurl lack.
    private func setIfSupported(_ set: (borrowing EasyHandle) -> Int32) {
        if error == nil { _ = set(transfer.easy) }
    }

    // MARK: Groups of options

    /// Sets the options that do not depend on the request.
    private func setGeneralOptions() {
        setRequired { $0.keepErrorText() }
        // With this pointer, the loop finds the transfer that a handle belongs to.
        setRequired { $0.set(CCURLOPT_PRIVATE, pointer: transfer.userPointer) }
        // Without signals, libcurl may run on any thread.
        setRequired { $0.set(CCURLOPT_NOSIGNAL, 1) }
        setRequired { easy in
            let code = easy.set(CCURLOPT_PROTOCOLS_STR, text: "http,https")
            // Before version 7.85, libcurl takes the protocols only as a number.
            let isBefore785 = code == CCURLE_UNKNOWN_OPTION
            return isBefore785 ? easy.set(CCURLOPT_PROTOCOLS, Int(CCURL_PROTOCOL_HTTP_AND_HTTPS)) : code
        }
        setIfSupported { $0.set(CCURLOPT_BUFFERSIZE, BufferSize.read) }
        // Since version 7.87, libcurl can stop a transfer without waiting for its name lookup.
        setIfSupported { $0.set(CCURLOPT_QUICK_EXIT, 1) }
    }

    /// Sets how long the whole transfer, and connecting, may take. An earlier attempt has used up a part of both.
    private func setLimits() {
        if let limit = plan.maxMilliseconds {
            let remaining = transfer.remaining(of: limit)
            setRequired { $0.set(CCURLOPT_TIMEOUT_MS, remaining) }
        }
        if let limit = plan.connectMilliseconds {
            let remaining = transfer.remaining(of: limit)
            setRequired { $0.set(CCURLOPT_CONNECTTIMEOUT_MS, remaining) }
        }
    }

    /// Sets URL, headers and method, and whether request and response have a body.
    private func setRequest() {
        setRequired { $0.set(CCURLOPT_URL, terminated: plan.url) }
        // The URL is sent as it is, with its dots.
        setRequired { $0.set(CCURLOPT_PATH_AS_IS, 1) }
        setRequired { $0.set(CCURLOPT_HTTPHEADER, pointer: transfer.headerLines.first) }
        // An empty text stands for everything that libcurl can decompress.
        if plan.decompresses { setRequired { $0.set(CCURLOPT_ACCEPT_ENCODING, text: "") } }
        setBodies()
        // libcurl has to be told the name of a method that it would not send by itself.
        if plan.method.rawValue != methodOfLibcurl {
            setRequired { $0.set(CCURLOPT_CUSTOMREQUEST, text: plan.method.rawValue) }
        }
    }

    /// The method that libcurl sends by itself, according to whether request and response have a body.
    private var methodOfLibcurl: String {
        switch plan.kind {
        case .withoutBody: "GET"
        case .head: "HEAD"
        case .upload: "POST"
        }
    }

    /// Sets whether the request has a body, and how long it is, and whether the response has one.
    private func setBodies() {
        switch plan.kind {
        case .withoutBody:
            setRequired { $0.set(CCURLOPT_HTTPGET, 1) }
        case .head:
            setRequired { $0.set(CCURLOPT_NOBODY, 1) }
        case .upload(let source):
            // CURLOPT_UPLOAD would announce even a small body with "Expect: 100-continue".
            setRequired { $0.set(CCURLOPT_POST, 1) }
            setRequired { $0.set(CCURLOPT_POSTFIELDSIZE_LARGE, offset: source.count) }
            if source.count > BufferSize.send {
                setIfSupported { $0.set(CCURLOPT_UPLOAD_BUFFERSIZE, BufferSize.send) }
            }
        }
    }

    /// Switches libcurl's cookies on, and gives it the cookies of the jar and of the request's own headers.
    ///
    /// A libcurl that was built without cookies is an error only if the request has cookies of its own.
    private func setCookies() {
        guard let cookies = plan.cookies else { return }
        setIfSupported { $0.set(CCURLOPT_COOKIEFILE, text: "") }
        for line in cookies.lines { setIfSupported { $0.set(CCURLOPT_COOKIELIST, terminated: line.exactBytes + [0]) } }
        if let text = plan.cookieText { setRequired("cookies") { $0.set(CCURLOPT_COOKIE, terminated: text) } }
    }

    /// Sets which certificates are trusted for the server and for an HTTPS proxy.
    ///
    /// The request's own file of certificate authorities replaces the transport's file and directory. Without any of
    /// them, libcurl trusts the file and directory that it was built with. Older versions of libcurl have no options
    /// for the proxy's certificate, so a failure to set those is ignored.
    private func setTrust() {
        if !plan.connection.options.verifiesCertificate {
            // As with the curl tool's `--insecure`, the certificate of an HTTPS proxy is still checked.
            setRequired { $0.set(CCURLOPT_SSL_VERIFYPEER, 0) }
            setRequired { $0.set(CCURLOPT_SSL_VERIFYHOST, 0) }
        }
        setTrustOfTransport()
        if let file = plan.connection.certificateAuthorities {
            // This overwrites the transport's file, because the last value of an option counts.
            trustBundle(file, feature: "certificate authorities from a file")
            // Otherwise a directory, even that which libcurl was built with, would be trusted besides the file.
            setIfSupported { $0.set(CCURLOPT_CAPATH, pointer: nil) }
            setIfSupported { $0.set(CCURLOPT_PROXY_CAPATH, pointer: nil) }
        }
    }

    /// Sets the file and the directory of certificates that the transport trusts for all of its requests.
    private func setTrustOfTransport() {
        let trust = transfer.trust
        if trust.leavesOutBundle {
            // Otherwise libcurl would read the bundle that it was built with, which takes long.
            setRequired { $0.set(CCURLOPT_CAINFO, pointer: nil) }
            setIfSupported { $0.set(CCURLOPT_PROXY_CAINFO, pointer: nil) }
        } else if let bundle = trust.configuration.certificateBundle {
            requireReadable(bundle)
            trustBundle(bundle.exactBytes + [0])
        }
        if let directory = trust.configuration.certificateDirectory {
            let path = directory.exactBytes + [0]
            setRequired { $0.set(CCURLOPT_CAPATH, terminated: path) }
            setIfSupported { $0.set(CCURLOPT_PROXY_CAPATH, terminated: path) }
        }
    }

    /// Keeps an error if the transport's file of certificates can't be read.
    ///
    /// libcurl would report most problems itself. But if the file is a named pipe, it would wait for a writer.
    private func requireReadable(_ bundle: String) {
        guard error == nil, plan.server.usesTLS, let problem = RegularFile.readProblem(at: bundle.exactBytes) else {
            return
        }
        error = TransportError(
            .credentialFile(.certificateAuthorities, path: nil), detail: "\(bundle): \(problem.reason)")
    }

    /// Trusts the certificates in a file for the server and for an HTTPS proxy.
    ///
    /// - Parameters:
    ///   - path: The path of the file, with a zero byte at its end.
    ///   - feature: What a libcurl without the option does not support, for the error.
    private func trustBundle(_ path: [UInt8], feature: String? = nil) {
        setRequired(feature) { $0.set(CCURLOPT_CAINFO, terminated: path) }
        setIfSupported { $0.set(CCURLOPT_PROXY_CAINFO, terminated: path) }
    }

    /// Sets how to connect: the client's certificate, the route to the server, and the versions of HTTP and TLS.
    private func setConnection() {
        setClientCertificate()
        setRoute()
        setVersions()
    }

    /// Sets the certificate with which the client identifies itself, its key, and the passphrase of the key.
    private func setClientCertificate() {
        let connection = plan.connection
        setRequiredText(CCURLOPT_SSLCERT, to: connection.clientCertificate, feature: "client certificates")
        if connection.isPKCS12 {
            setRequiredText(CCURLOPT_SSLCERTTYPE, to: Array("P12\0".utf8), feature: "PKCS#12 files")
        }
        setRequiredText(CCURLOPT_SSLKEY, to: connection.clientKey, feature: "client certificates")
        setIfSupported { $0.set(CCURLOPT_KEYPASSWD, terminated: connection.keyPassphrase) }
    }

    /// Sets the way to the server: through a proxy, through a unix socket, or to addresses in place of a name lookup.
    private func setRoute() {
        let connection = plan.connection
        setRequiredText(CCURLOPT_PROXY, to: connection.proxy, feature: "proxies")
        setRequiredText(CCURLOPT_UNIX_SOCKET_PATH, to: connection.unixSocket, feature: "unix sockets")
        // The headers of a proxy's response to CONNECT do not belong to the server's response.
        setRequired { $0.set(CCURLOPT_SUPPRESS_CONNECT_HEADERS, 1) }
        if !connection.resolve.isEmpty {
            setRequired("addresses in place of a name lookup") {
                $0.set(CCURLOPT_RESOLVE, pointer: transfer.resolveEntries.first)
            }
        }
    }

    /// Sets an option to a text, unless there is none.
    ///
    /// - Parameters:
    ///   - option: libcurl's number for the option (`CURLOPT_…`).
    ///   - text: The text, with a zero byte at its end.
    ///   - feature: What a libcurl without the option does not support, for the error.
    private func setRequiredText(_ option: Int32, to text: [UInt8]?, feature: String) {
        guard let text else { return }
        setRequired(feature) { $0.set(option, terminated: text) }
    }

    /// Sets the versions of HTTP and TLS, if the request's options choose them.
    private func setVersions() {
        let connection = plan.connection
        switch connection.options.httpVersion {
        case .http1: setRequired("HTTP/1.1") { $0.set(CCURLOPT_HTTP_VERSION, Int(CCURL_HTTP_VERSION_1_1)) }
        case .http2: setRequired("HTTP/2") { $0.set(CCURLOPT_HTTP_VERSION, Int(CCURL_HTTP_VERSION_2_0)) }
        case nil: break
        }
        switch connection.options.tlsVersion {
        case .tls12: setRequired("TLS 1.2") { $0.set(CCURLOPT_SSLVERSION, Int(CCURL_SSLVERSION_TLSv1_2)) }
        case .tls13: setRequired("TLS 1.3") { $0.set(CCURLOPT_SSLVERSION, Int(CCURL_SSLVERSION_TLSv1_3)) }
        case nil: break
        }
    }

    // MARK: Callbacks, which find the transfer by their user pointer

    /// Sets the callbacks that take the lines of the response's head and the chunks of its body.
    ///
    /// A callback that returns another number than it was given ends the transfer. The exception is `CURL_WRITE_PAUSE`,
    /// after which libcurl keeps the chunk and delivers it again.
    private func setResponseCallbacks() {
        setRequired { $0.set(CCURLOPT_HEADERDATA, pointer: transfer.userPointer) }
        setRequired {
            $0.set(CCURLOPT_HEADERFUNCTION) { bytes, size, count, user in
                guard let user else { return 0 }
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Transfer.from(user).receiveHeadLine(line) ? line.count : 0
            }
        }
        setRequired { $0.set(CCURLOPT_WRITEDATA, pointer: transfer.userPointer) }
        setRequired {
            $0.set(CCURLOPT_WRITEFUNCTION) { bytes, size, count, user in
                guard let user else { return 0 }
                let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Transfer.from(user).receiveBody(chunk) ? chunk.count : Int(CCURL_WRITE_PAUSE)
            }
        }
    }

    /// Sets the callbacks with which libcurl reads the body of the request, if it has one.
    ///
    /// The read callback returns how many bytes it wrote into libcurl's buffer. The seek callback goes back to the
    /// start when libcurl must send the body again.
    private func setUploadCallbacks() {
        guard case .upload = plan.kind else { return }
        setRequired { $0.set(CCURLOPT_READDATA, pointer: transfer.userPointer) }
        setRequired {
            $0.set(CCURLOPT_READFUNCTION) { bytes, size, count, user in
                guard let user else { return Int(CCURL_READ_ABORT) }
                let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                return Transfer.from(user).readUpload(into: buffer) ?? Int(CCURL_READ_ABORT)
            }
        }
        setRequired { $0.set(CCURLOPT_SEEKDATA, pointer: transfer.userPointer) }
        setRequired {
            ccurl_set_seek_callback($0.curl.functions, $0.pointer) { user, offset, origin in
                // libcurl only ever seeks from the start (SEEK_SET).
                guard let user, origin == 0, Transfer.from(user).seekUpload(to: offset) else {
                    return CCURL_SEEK_FAILED
                }
                return CCURL_SEEK_OK
            }
        }
    }

    /// Sets the callback that reports libcurl's messages and the sent headers, if someone wants to see them.
    private func setDebugCallback() {
        guard transfer.wireEvents != nil else { return }
        setRequired { $0.set(CCURLOPT_VERBOSE, 1) }
        setRequired { $0.set(CCURLOPT_DEBUGDATA, pointer: transfer.userPointer) }
        setRequired {
            ccurl_set_debug_callback($0.curl.functions, $0.pointer) { _, kind, bytes, count, user in
                if let user {
                    let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
                    Transfer.from(user).wireEvents?.handleDebugCallback(bytes, kind: kind)
                }
                return 0
            }
        }
    }

    /// Prevents libcurl from sending a request twice, because a server may act on it each time.
    ///
    /// By itself, libcurl repeats a request if a reused connection ends without a response.
    private func preventRepetition() {
        setIfSupported { $0.set(CCURLOPT_PREREQDATA, pointer: transfer.userPointer) }
        setRequired { easy in
            let code = ccurl_set_prerequest_callback(easy.curl.functions, easy.pointer) { user, _, _, _, _ in
                guard let user, Transfer.from(user).permitSending() else { return CCURL_PREREQUEST_ABORT }
                return CCURL_PREREQUEST_OK
            }
            // Before version 7.80, libcurl has no such callback. A new connection for the request serves instead,
            // because on a new connection nothing is ever repeated.
            let isBefore780 = code == CCURLE_UNKNOWN_OPTION
            return isBefore780 ? easy.set(CCURLOPT_FRESH_CONNECT, 1) : code
        }
    }
}
