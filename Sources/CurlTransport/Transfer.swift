import CSystem
import EndpointKit

/// A transfer on the loop's thread. Nothing else uses it, so it needs no lock.
final class Transfer {
    let plan: TransferPlan
    let delivery: Delivery
    let easy: EasyHandle
    let trust: Trust
    private let startTime: ContinuousClock.Instant
    /// How long an earlier attempt took that sent nothing of the request.
    let earlierTime: Duration
    /// Lists that libcurl reads during the transfer.
    private(set) var headerLines: CurlTextList
    private(set) var resolveEntries: CurlTextList
    var wireEvents: WireEvents?

    private var upload: UploadSource?
    private var headParser: HeadParser
    /// A final head that is not delivered yet.
    private var head: ResponseHead?
    /// A 417, after which libcurl may repeat the request without `Expect` (RFC 9110, section 10.1.1).
    private var refusedExpectation: ResponseHead?
    private var finalStatus: Int?
    /// Whether libcurl decompresses the body.
    private(set) var isCompressed = false
    /// Whether the response is complete although libcurl waits for more.
    private var isResponseComplete = false
    /// Bytes of the body that are not delivered yet.
    private var bytes: [UInt8] = []
    /// Whether something has not been delivered yet.
    private(set) var hasNews = false
    /// Whether the write callback has told libcurl to wait.
    private var isPaused = false
    /// Whether libcurl is delivering what it held while the transfer was paused.
    private var isResuming = false
    private var sendings = Sendings()
    /// The error for which this program has stopped the transfer. libcurl only knows that it was stopped.
    private var stopError: TransportError?
    /// When the server last sent or accepted anything, or nil if its silence has no limit.
    private var lastActivity: ContinuousClock.Instant?

    /// How often and over which connections a request was sent that must not be repeated.
    private struct Sendings {
        var count = 0
        /// How many connections libcurl had made for the request when it was last sent.
        var connectionCount = 0
        /// Whether the connection that it was last sent over had been used before.
        var lastReusedConnection = false
    }

    /// Makes a transfer that has not been started.
    ///
    /// - Parameters:
    ///   - plan: The request.
    ///   - delivery: Where the response goes.
    ///   - easy: A handle without options.
    ///   - trust: The certificates that the connection trusts.
    ///   - earlier: An attempt at the same request that failed before anything was sent. Its time counts as a part of
    ///     this one.
    init(_ plan: TransferPlan, delivery: Delivery, easy: consuming EasyHandle, trust: Trust, earlier: Transfer?) {
        self.plan = plan
        self.delivery = delivery
        headerLines = CurlTextList(easy.curl)
        resolveEntries = CurlTextList(easy.curl)
        self.easy = easy
        self.trust = trust
        headParser = HeadParser(server: plan.server)
        let now = ContinuousClock.now
        startTime = now
        earlierTime = earlier.map { now - $0.startTime } ?? .zero
        if case .upload(let source) = plan.kind { upload = source }
        wireEvents = plan.onEvent.map { WireEvents($0) }
    }

    /// Copies the header lines and addresses of the plan into lists in libcurl's form.
    ///
    /// - Returns: False if memory is short.
    func fillLists() -> Bool {
        for line in plan.headerLines {
            guard headerLines.append(line) else { return false }
        }
        for address in plan.connection.resolve {
            guard resolveEntries.append(address) else { return false }
        }
        return true
    }

    /// Returns the part of a time limit that an earlier attempt has left. It is at least 1, because libcurl takes 0 for
    /// no limit.
    func remaining(of milliseconds: Int) -> Int { max(1, milliseconds - Int(earlierTime / .milliseconds(1))) }

    /// The `user` pointer of callbacks. ``LoopThread`` holds the transfer as long as libcurl may call back.
    var userPointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Returns the transfer that a callback's `user` pointer stands for.
    static func from(_ user: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
    }

    /// The files and directories of the certificates that the server's must come from, as far as they are known.
    var trustedPaths: [String] { plan.connection.options.certificateAuthorities.map { [$0] } ?? trust.paths }

    /// Reports which certificates the connection trusts as an event of the transfer, such as
    /// `trusted certificates: /etc/ssl/certs`.
    ///
    /// Nothing is reported without TLS, or if nobody follows the transfer's events.
    func reportTrust() {
        guard let onEvent = plan.onEvent, plan.server.usesTLS else { return }
        var text: String
        if !plan.connection.options.verifiesCertificate {
            text = "the certificate is not checked"
        } else if trustedPaths.isEmpty {
            text = "trusted certificates: those of the TLS library"
        } else {
            text = "trusted certificates: \(trustedPaths.joined(separator: ", "))"
        }
        // The first attempt has found no trusted issuer. Its time counts too, so it is kept.
        let isSecondAttempt = earlierTime != .zero
        if isSecondAttempt { text = "no trusted issuer found; connecting again; \(text)" }
        onEvent(.information(text))
    }

    // MARK: The response's head

    private var hasFinalHead: Bool { finalStatus != nil }

    /// Receives one line of a response's headers from libcurl: a status line, a header, or the empty line at the end.
    ///
    /// An error is kept for the end of the transfer, because a callback of libcurl can't pass it on.
    ///
    /// - Returns: False to stop the transfer, because something is wrong or the response is complete.
    func receiveHeadLine(_ line: UnsafeRawBufferPointer) -> Bool {
        noteActivity()
        if !hasFinalHead { wireEvents?.collectHeadLine(line) }
        do throws(TransportError) {
            let completeHead = try headParser.parseLine(line, isTrailer: isTrailer(line))
            guard let completeHead else { return true }
            try receiveHead(completeHead)
            return !isResponseComplete
        } catch {
            stopError = error
            return false
        }
    }

    /// Whether a header line comes after the response's body, in its trailer section (RFC 9110, section 6.5).
    private func isTrailer(_ line: UnsafeRawBufferPointer) -> Bool {
        if hasFinalHead { return true }
        // After a 417, either its trailer follows or the head of the response to the repeated request.
        let startsHead = line.starts(with: "HTTP/".utf8)
        return refusedExpectation != nil && !startsHead && !headParser.isInHead
    }

    /// Receives the status and headers of a response: skips an interim response, and delivers a final one.
    ///
    /// A first 417 is only kept, because libcurl may repeat the request without `Expect` (RFC 9110, section 10.1.1). If
    /// it does not, the 417 is the response.
    ///
    /// - Throws: `TransportError` if the headers contradict each other about the body's length.
    private func receiveHead(_ head: ResponseHead) throws(TransportError) {
        // After a 1xx follows a final response (RFC 9110, section 15.2), except after a change to another protocol.
        let isInterim = (100..<200).contains(head.status)
        let endsHTTP = head.status == 101 && !isUpgradeToHTTP2(head)
        if isInterim, !endsHTTP { return }
        if let problem = BodyLength.problem(head, method: plan.method) {
            throw TransportError(.malformedResponse, server: plan.server, detail: problem)
        }
        let mayBeRepeated = head.status == 417 && upload != nil && refusedExpectation == nil
        if mayBeRepeated {
            refusedExpectation = head
        } else {
            accept(head)
        }
        // A response to HEAD has no body. libcurl waits for one if the request itself has a body.
        isResponseComplete = upload != nil && plan.method == .head
    }

    /// Whether this 101 answers libcurl's own request to continue in HTTP/2.
    private func isUpgradeToHTTP2(_ head: ResponseHead) -> Bool {
        plan.connection.options.httpVersion == .http2 && head["Upgrade"]?.lowercased() == "h2c"
    }

    /// Accepts a 417 as the final response, if there was one, because libcurl has not repeated the request.
    private func acceptRefusedExpectation() {
        if let refusedExpectation, !hasFinalHead { accept(refusedExpectation) }
    }

    /// Accepts a head as that of the final response: the reader gets it with the next delivery.
    private func accept(_ finalHead: ResponseHead) {
        // libcurl has read the cookies of the headers before it passes on the end of the head.
        plan.cookies?.replace(with: easy.cookieLines)
        head = finalHead
        finalStatus = finalHead.status
        isCompressed = plan.decompresses && finalHead.hasContentCoding
        hasNews = true
    }

    // MARK: The response's body

    /// The number of bytes that one delivery to the reader has at the most, unless libcurl passes more at once.
    private static let deliverySize = 64 * 1024
    /// The number of waiting bytes above which a resumed transfer pauses again.
    ///
    /// It is higher than ``Delivery/highWater``. libcurl decompresses all that it has read and holds what is postponed,
    /// up to 64 MB. If little of that were taken at a time, it would copy the rest each time.
    private static let resumedHighWater = 64 << 20
    /// The greatest number of bytes that libcurl delivers at once.
    private static let largestChunk = 16 * 1024

    /// Receives a chunk of the response's body from libcurl, which has decompressed it.
    ///
    /// Chunks are collected and delivered to the reader together. If too many bytes wait for a slow reader, the
    /// transfer pauses, so that memory stays bounded.
    ///
    /// - Returns: False if there is no room now. Then libcurl keeps the chunk and passes it again later.
    func receiveBody(_ chunk: UnsafeRawBufferPointer) -> Bool {
        noteActivity()
        // The body after a 417 belongs to that response, so libcurl has not repeated the request.
        acceptRefusedExpectation()
        // A pause is news too.
        hasNews = true
        guard hasRoom(for: chunk.count) else {
            isPaused = true
            return false
        }
        let isDeliveryComplete = bytes.count + chunk.count > Self.deliverySize
        if isDeliveryComplete {
            // The reader can work in parallel, and no array grows by copying. The result is only about a paused
            // transfer, which this one is not.
            _ = publish()
        }
        // A large chunk is rarely the last: reserve once what libcurl usually reads in one turn.
        if bytes.isEmpty, chunk.count >= Self.largestChunk { bytes.reserveCapacity(BufferSize.read) }
        bytes.append(contentsOf: chunk)
        return true
    }

    /// Whether a chunk fits to the bytes that wait to be read. If nothing waits, a chunk of any size fits, because it
    /// could never be delivered otherwise.
    private func hasRoom(for chunkSize: Int) -> Bool {
        let waitingBytes = bytes.count + delivery.byteCount
        if waitingBytes == 0 { return true }
        let limit = isResuming ? Self.resumedHighWater : Delivery.highWater
        return waitingBytes + chunkSize <= limit
    }

    /// Resumes a paused transfer: libcurl passes on the chunks that it holds, and continues to read.
    ///
    /// - Returns: libcurl's result code.
    func resume() -> Int32 {
        isPaused = false
        isResuming = true
        defer { isResuming = false }
        return easy.curl.functions.pointee.easy_pause(easy.pointer, CCURL_PAUSE_NOTHING)
    }

    /// Delivers the head and the bytes that have arrived since the last call to the task that reads the response.
    ///
    /// - Parameter outcome: How the transfer has ended, or nil if it continues.
    /// - Returns: Whether a paused transfer should resume at once.
    func publish(outcome: Result<Void, any Error>? = nil) -> Bool {
        let news = Delivery.News(head: head, bytes: bytes, outcome: outcome, isPaused: isPaused)
        head = nil
        bytes = []
        hasNews = false
        return delivery.publish(news)
    }

    // MARK: The request

    /// Fills a buffer with the next bytes of the request's body, for libcurl to send.
    ///
    /// libcurl asks for more when it has sent the bytes of the last call, so that these are reported as sent. An error
    /// is kept for the end of the transfer, because a callback of libcurl can't pass it on.
    ///
    /// - Returns: The number of bytes, which is 0 at the end of the body. Nil stops the transfer.
    func readUpload(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        noteActivity()
        if let upload, let onSent = plan.onSent { onSent(upload.position, upload.count) }
        do throws(TransportError) {
            return try upload?.read(into: buffer) ?? 0
        } catch {
            stopError = error
            return nil
        }
    }

    /// Moves to a position in the request's body, to send it again from there, and returns whether that is possible.
    func seekUpload(to position: Int64) -> Bool { upload?.seek(to: position) ?? false }

    /// Decides whether a request that must not be repeated may be sent now, and if so, counts the sending.
    ///
    /// libcurl asks before each sending. If a connection that was kept open ends without a response, libcurl would send
    /// the request again, although the server may have acted on it: that is refused. After a 417, libcurl may send it
    /// once more without `Expect` (RFC 9110, section 10.1.1). On a new connection libcurl repeats a request only if the
    /// server has said that it did nothing (RFC 9113, section 8.7).
    ///
    /// - Returns: False to stop the transfer with the error that the request was lost.
    func permitSending() -> Bool {
        let isRepeatedWithoutExpect = sendings.count == 1 && refusedExpectation != nil
        if sendings.lastReusedConnection, !isRepeatedWithoutExpect {
            stopError = lostRequest
            return false
        }
        let connectionCount = easy.number(CCURLINFO_NUM_CONNECTS)
        let madeNoConnection = connectionCount == sendings.connectionCount
        sendings.count += 1
        sendings.lastReusedConnection = madeNoConnection
        sendings.connectionCount = connectionCount
        return true
    }

    /// Whether libcurl has connected again for a request that must not be repeated, because the used connection that it
    /// was sent over ended without a response.
    private var isConnectingAgain: Bool {
        guard sendings.lastReusedConnection, !hasFinalHead else { return false }
        return easy.number(CCURLINFO_NUM_CONNECTS) > sendings.connectionCount
    }

    /// The error for a request that may have reached the server, but got no response and must not be repeated.
    private var lostRequest: TransportError {
        TransportError(.cutShort(.requestLost(method: plan.method)), server: plan.server)
    }

    // MARK: The server's silence

    /// Remembers that the server has just sent or accepted something, if its silence has a limit.
    private func noteActivity() {
        if plan.idleSeconds != nil { lastActivity = .now }
    }

    /// How long the server may still be silent, or nil if there is no limit.
    ///
    /// While the transfer is paused, the time starts again and again, because the reader is slow and not the server.
    var remainingSilence: Duration? {
        guard let limit = plan.idleSeconds else { return nil }
        let now = ContinuousClock.now
        guard let lastActivity, !isPaused else {
            self.lastActivity = now
            return .seconds(limit)
        }
        return .seconds(limit) - (now - lastActivity)
    }

    /// Makes the server's silence the error that ends the transfer.
    func failForSilence() {
        stopError = TransportError(
            .timedOut(.idle(.seconds(plan.idleSeconds ?? 0))), server: plan.server, receivedBytes: easy.receivedBytes)
    }

    // MARK: The end

    /// Concludes how the transfer ended, from libcurl's result code and what the callbacks saw.
    ///
    /// If libcurl has succeeded without repeating a request that got a 417, the 417 is accepted as the response.
    ///
    /// - Parameter code: libcurl's result code (`CURLE_…`).
    func concludeOutcome(code: Int32) -> Result<Void, any Error> {
        // If this program has stopped the transfer, the code only says that, and not why.
        if let stopError { return .failure(stopError) }
        if isResponseComplete { return .success(()) }
        if code == CCURLE_OK {
            acceptRefusedExpectation()
            if hasFinalHead { return .success(()) }
        }
        if isConnectingAgain { return .failure(lostRequest) }
        let facts = TransferFacts(self, hasHeaders: hasFinalHead)
        let error = facts.error(code: code, generalText: easy.curl.describe(code: code))
        // A code other than CURLE_OK may be no error: the server may respond before it has read the whole request.
        guard let error else { return .success(()) }
        return .failure(error)
    }

    /// Whether the transfer should be started again with more trusted certificates.
    ///
    /// A transfer first trusts only a directory of certificates, because reading the large file with all of them (the
    /// bundle) takes long. If the issuer is not in the directory, it may be in the bundle. The request has not been
    /// sent then, so a second attempt is safe.
    ///
    /// - Parameter code: libcurl's result code for the transfer (`CURLE_…`).
    func needsBundle(code: Int32) -> Bool {
        // A request that must not be repeated is never started again if it may have been sent. Of others, sendings are
        // not counted.
        guard trust.leavesOutBundle, code == CCURLE_PEER_FAILED_VERIFICATION, sendings.count == 0 else { return false }
        for verifyResult in [CCURLINFO_SSL_VERIFYRESULT, CCURLINFO_PROXY_SSL_VERIFYRESULT] {
            let problem = TransferFacts.certificateProblem(easy.number(verifyResult))
            if problem.isIssuerUntrusted { return true }
        }
        return false
    }

    /// Reports how long the transfer took, once it has ended.
    func reportTimes(failed: Bool) {
        guard let onTimes = plan.onTimes, !delivery.isAbandoned else { return }
        let elapsed = ContinuousClock.now - startTime
        onTimes(easy.times(plan, status: finalStatus, elapsed: elapsed, earlier: earlierTime, failed: failed))
    }
}
