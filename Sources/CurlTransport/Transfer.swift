import CCurl
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
    /// Whether the write callback has told libcurl to wait.
    var isPaused = false
    /// Whether something has not been delivered yet.
    private(set) var hasNews = false
    /// Lists that libcurl reads during the transfer.
    var headerLines: CurlTextList
    var resolveEntries: CurlTextList
    var wireEvents: WireEvents?

    private var upload: UploadSource?
    private var headParser: HeadParser
    /// A final head that is not delivered yet.
    private var head: ResponseHead?
    /// A 417, after which libcurl may repeat the request without `Expect`.
    private var refusedExpectation: ResponseHead?
    private var finalStatus: Int?
    private var isComplete = false
    private var bytes: [UInt8] = []
    /// Nil if the body is not compressed, or wanted as it is.
    private var decompressor: Decompressor?
    /// How many bytes of a chunk were already decompressed when it was postponed for lack of room: libcurl delivers it again.
    private var decompressedCount = 0
    /// How a request that must not be repeated was last sent.
    private var sending = (count: 0, isOverUsedConnection: false, connections: 0)
    /// The error that a callback stopped the transfer with; libcurl only knows that it was stopped.
    private var failure: TransportError?
    /// When the server last sent or accepted anything; nil if its silence has no limit.
    private var lastActivity: ContinuousClock.Instant?

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

    private func noteActivity() {
        if plan.idleSeconds != nil { lastActivity = .now }
    }

    private var hasFinalHead: Bool { finalStatus != nil }

    /// The `user` pointer of callbacks. ``LoopThread`` holds the transfer as long as libcurl may call back.
    var userPointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ user: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
    }

    /// Takes one line of a head. False stops the transfer: something is wrong, or it is complete.
    func receiveHeadLine(_ line: UnsafeRawBufferPointer) -> Bool {
        noteActivity()
        if !hasFinalHead { wireEvents?.takeHeadLine(line) }
        do throws(TransportError) {
            let startsHead = line.starts(with: "HTTP/".utf8)
            let isTrailer = hasFinalHead || refusedExpectation != nil && !startsHead && !headParser.isInHead
            guard let complete = try headParser.take(line, isTrailer: isTrailer) else { return true }
            // A 1xx is followed by a final response (RFC 9110, section 15.2), but a 101 ends HTTP.
            if (100..<200).contains(complete.status), complete.status != 101 || isUpgradeToHTTP2(complete) {
                return true
            }
            if let problem = BodyLength.problem(complete, method: plan.method) {
                failure = .malformedResponse(problem, from: plan.server)
                return false
            }
            if complete.status == 417, upload != nil, refusedExpectation == nil {
                refusedExpectation = complete
            } else {
                accept(complete)
            }
            // A response to HEAD has no body. libcurl knows that only of requests without a body.
            isComplete = upload != nil && plan.method == .head
            return !isComplete
        } catch {
            failure = error
            return false
        }
    }

    /// Whether this 101 answers libcurl's own request to continue in HTTP/2.
    private func isUpgradeToHTTP2(_ head: ResponseHead) -> Bool {
        plan.connection.options.httpVersion == .http2 && head["Upgrade"]?.lowercased() == "h2c"
    }

    /// What happens to a chunk of the body.
    enum Reception {
        case accepted
        /// There is no room now: libcurl keeps the chunk and delivers it again.
        case postponed
        /// The transfer ends.
        case refused
    }

    /// Takes a chunk of the body.
    func receiveBody(_ chunk: UnsafeRawBufferPointer) -> Reception {
        noteActivity()
        if let refused = refusedExpectation, !hasFinalHead { accept(refused) }
        hasNews = true
        if let decompressor { return receive(chunk, through: decompressor) }
        let waiting = bytes.count + delivery.byteCount
        guard waiting == 0 || waiting + chunk.count <= Delivery.highWater else {
            isPaused = true
            return .postponed
        }
        // A large chunk is rarely the last: reserve once what libcurl usually reads in one turn.
        if bytes.isEmpty, chunk.count >= Self.largeChunk { bytes.reserveCapacity(EasyOptions.readSize) }
        bytes.append(contentsOf: chunk)
        return .accepted
    }

    /// The most that libcurl delivers at once.
    private static let largeChunk = 16 * 1024

    /// Decompresses a chunk as far as there is room for the result, and accepts it once it is used up. The result is delivered
    /// meanwhile, so that the reader can work in parallel.
    private func receive(_ chunk: UnsafeRawBufferPointer, through decompressor: Decompressor) -> Reception {
        defer { hasNews = true }
        // libcurl redelivers the postponed chunk, perhaps in parts: skip the bytes that are already decompressed.
        let known = min(decompressedCount, chunk.count)
        decompressedCount -= known
        if decompressedCount > 0 { return .accepted }
        var rest = UnsafeRawBufferPointer(rebasing: chunk[known...])
        // Bounded even if the reader keeps up: one chunk may decompress to any number of bytes.
        var room = Delivery.highWater - bytes.count - delivery.byteCount
        while !rest.isEmpty || decompressor.holdsMore {
            guard room > 0 else {
                decompressedCount = chunk.count - rest.count
                isPaused = true
                return .postponed
            }
            let decompressed = decompressor.decompress(&rest)
            room -= decompressed.count
            if bytes.isEmpty {
                bytes = decompressed
            } else if bytes.count + decompressed.count <= Decompressor.chunkSize {
                bytes.append(contentsOf: decompressed)
            } else {
                _ = publish(end: nil)
                bytes = decompressed
            }
            if let problem = decompressor.problem {
                failure = decompressionError(problem)
                return .refused
            }
        }
        return .accepted
    }

    /// Fills `buffer` from the request's body; nil stops the transfer.
    func readUpload(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        noteActivity()
        do throws(TransportError) {
            return try upload?.read(into: buffer) ?? 0
        } catch {
            failure = error
            return nil
        }
    }

    func seekUpload(to position: Int64) -> Bool { upload?.seek(to: position) ?? false }

    /// Whether a request that must not be repeated may be sent now: for the first time, or again without `Expect` after a 417
    /// (RFC 9110, section 10.1.1).
    ///
    /// On a new connection libcurl repeats a request only if the server has said that it did nothing (RFC 9113, section 8.7).
    func mayBeSent() -> Bool {
        let connections = easy.number(CCURLINFO_NUM_CONNECTS)
        let isRepetition = sending.isOverUsedConnection && !(sending.count == 1 && refusedExpectation != nil)
        if isRepetition {
            failure = .lostRequest(plan.method, to: plan.server)
            return false
        }
        sending.count += 1
        sending.isOverUsedConnection = connections == sending.connections
        sending.connections = connections
        return true
    }

    /// How long the server may still be silent; nil if there is no limit. The time starts over while the reader is waited for.
    var remainingSilence: Duration? {
        guard let limit = plan.idleSeconds else { return nil }
        let now = ContinuousClock.now
        if isPaused || lastActivity == nil { lastActivity = now }
        return lastActivity.map { .seconds(limit) - (now - $0) }
    }

    /// Makes the server's silence the error that ends the transfer.
    func failForSilence() {
        failure = TransportError(
            .timedOut(.idle(.seconds(plan.idleSeconds ?? 0))), server: plan.server, receivedBytes: easy.receivedBytes)
    }

    /// How the transfer ended, from libcurl's result and what the callbacks saw.
    func end(code: Int32) -> Result<Void, any Error> {
        if let failure { return .failure(failure) }
        if isComplete { return .success(()) }
        if code == CCURLE_OK, let refused = refusedExpectation, !hasFinalHead { accept(refused) }
        if code != CCURLE_OK || !hasFinalHead, let error = error(code: code) { return .failure(error) }
        if let problem = decompressor?.finish() {
            return .failure(decompressionError(problem))
        }
        return .success(())
    }

    private func error(code: Int32) -> TransportError? {
        TransferFacts(self, hasHeaders: hasFinalHead, isLost: sending.isOverUsedConnection && !hasFinalHead)
            .error(code: code, generalText: easy.curl.describe(code: code))
    }

    private func decompressionError(_ problem: DecompressionProblem) -> TransportError {
        let cause: TransportError.Cause = if case .cut = problem { .cutShort(.inContentCoding) } else { .contentCoding }
        return TransportError(cause, server: plan.server, detail: problem.reason)
    }

    /// Whether the transfer failed for an issuer that is not in the directory of certificates, but may be in the bundle, before
    /// anything of the request was sent.
    func needsBundle(code: Int32) -> Bool {
        guard trust.leavesOutBundle, code == CCURLE_PEER_FAILED_VERIFICATION, sending.count == 0 else { return false }
        return [CCURLINFO_SSL_VERIFYRESULT, CCURLINFO_PROXY_SSL_VERIFYRESULT].contains { result in
            let problem = TransferFacts.certificateProblem(easy.number(result))
            return problem == .unknownIssuer || problem == .selfSigned
        }
    }

    /// Reports how long the transfer took, once it has ended.
    func reportTimes(failed: Bool) {
        guard let onTimes = plan.onTimes, !delivery.isAbandoned else { return }
        let elapsed = ContinuousClock.now - startTime
        onTimes(easy.times(plan, status: finalStatus, elapsed: elapsed, earlier: earlierTime, failed: failed))
    }

    /// Delivers what is new. True if a paused transfer should resume at once.
    func publish(end: Result<Void, any Error>?) -> Bool {
        defer {
            head = nil
            bytes = []
            hasNews = false
        }
        return delivery.publish(head: head, bytes: bytes, end: end, isPaused: isPaused)
    }

    private func accept(_ final: ResponseHead) {
        head = final
        finalStatus = final.status
        decompressor = plan.decompresses ? ContentCoding.listing(final).map { Decompressor($0) } : nil
        hasNews = true
    }
}
