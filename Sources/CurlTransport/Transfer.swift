import CCurl
import EndpointKit

/// One transfer as the loop's thread sees it. Nothing else touches it, so it needs no lock.
final class Transfer {
    let plan: TransferPlan
    let delivery: Delivery
    let easy: EasyHandle
    private let startTime = ContinuousClock.now
    /// Whether the write callback has told libcurl to wait.
    var isPaused = false
    /// Whether there is something that the delivery has not got yet.
    private(set) var hasNews = false
    /// Lists that libcurl reads while it transfers.
    let headerLines: CurlTextList
    let resolveEntries: CurlTextList
    var wireEvents: WireEvents?

    private var upload: UploadSource?
    private var headParser = HeadParser()
    /// A final head that is not handed over yet.
    private var head: ResponseHead?
    /// A 417 that libcurl may answer by sending the request again without `Expect`.
    private var refusedExpectation: ResponseHead?
    private var finalStatus: Int?
    private var isComplete = false
    private var bytes: [UInt8] = []
    /// What undoes the body's codings, where it has any and that is asked for.
    private var unpacker: Unpacker?
    /// How many bytes of a piece are unpacked that libcurl is to bring again because there was no room for all they come to.
    private var unpackedCount = 0
    /// How a request that must not be repeated was last sent.
    private var sending = (count: 0, isOverUsedConnection: false, connections: 0)
    /// What a callback found wrong; libcurl only knows that it was stopped.
    private var failure: TransportError?
    /// When the server was heard of last; nil where its silence has no limit.
    private var heard: ContinuousClock.Instant?

    init(_ plan: TransferPlan, delivery: Delivery, easy: EasyHandle) {
        self.plan = plan
        self.delivery = delivery
        self.easy = easy
        headerLines = CurlTextList(easy.curl)
        resolveEntries = CurlTextList(easy.curl)
        if case .upload(let source) = plan.kind { upload = source }
        wireEvents = plan.onEvent.map { WireEvents($0) }
    }

    private func noteSign() {
        if plan.idleSeconds != nil { heard = .now }
    }

    private var hasFinalHead: Bool { finalStatus != nil }

    /// What callbacks get as their `user` pointer. ``LoopThread`` holds the transfer as long as libcurl may call back.
    var userPointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ user: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
    }

    /// Takes one line of a head; false stops the transfer: something is wrong, or it is complete.
    func receiveHeadLine(_ line: UnsafeRawBufferPointer) -> Bool {
        noteSign()
        if !hasFinalHead { wireEvents?.takeHeadLine(line) }
        do throws(HeadParser.Problem) {
            let startsHead = line.starts(with: "HTTP/".utf8)
            let isTrailer = hasFinalHead || refusedExpectation != nil && !startsHead && !headParser.isInHead
            guard let complete = try headParser.take(line, isTrailer: isTrailer) else { return true }
            // 1xx tells of a final head to come (RFC 9110, section 15.2), but after 101 there is no more HTTP.
            if (100..<200).contains(complete.status), complete.status != 101 || isUpgradeToHTTP2(complete) {
                return true
            }
            if let problem = BodyLength.problem(complete, method: plan.method) {
                failure = CurlErrors.malformedAnswer(problem, from: plan.server)
                return false
            }
            if complete.status == 417, upload != nil, refusedExpectation == nil {
                refusedExpectation = complete
            } else {
                accept(complete)
            }
            // An answer to HEAD has no body. libcurl knows that only where it is a request without a body.
            isComplete = upload != nil && plan.method == "HEAD"
            return !isComplete
        } catch {
            failure = CurlErrors.malformedHead(error, from: plan.server)
            return false
        }
    }

    /// HTTP/2 goes on where HTTP/1.1 ends, which libcurl then asked for.
    private func isUpgradeToHTTP2(_ head: ResponseHead) -> Bool {
        plan.connection.httpVersion == .http2 && head["Upgrade"]?.lowercased() == "h2c"
    }

    /// What becomes of a piece of the body.
    enum Reception {
        case taken
        /// There is no room for it now: libcurl keeps it and brings it again.
        case postponed
        /// The transfer is to end.
        case refused
    }

    /// Takes a piece of the body.
    func receiveBody(_ piece: UnsafeRawBufferPointer) -> Reception {
        noteSign()
        if let refused = refusedExpectation, !hasFinalHead { accept(refused) }
        hasNews = true
        if let unpacker { return receive(piece, through: unpacker) }
        let waiting = bytes.count + delivery.byteCount
        guard waiting == 0 || waiting + piece.count <= Delivery.highWater else {
            isPaused = true
            return .postponed
        }
        // A body of more than one piece grows to what is often read in one go, in one step.
        if bytes.isEmpty, piece.count >= Self.largePiece { bytes.reserveCapacity(EasyOptions.readSize) }
        bytes.append(contentsOf: piece)
        return .taken
    }

    /// What libcurl hands over at once: a piece of that length hardly comes alone.
    private static let largePiece = 16 * 1024

    /// Unpacks a piece as far as there is room for what it comes to, and takes it once nothing of it is left. What is unpacked is
    /// handed over as it grows, so that the reader has work meanwhile.
    private func receive(_ piece: UnsafeRawBufferPointer, through unpacker: Unpacker) -> Reception {
        defer { hasNews = true }
        let known = min(unpackedCount, piece.count)
        unpackedCount -= known
        // It comes again in parts: this one was unpacked, and what the last one comes to goes on behind it.
        if unpackedCount > 0 { return .taken }
        var rest = UnsafeRawBufferPointer(rebasing: piece[known...])
        // However fast the reader is: one piece may come to more than anybody can wait for.
        var room = Delivery.highWater - bytes.count - delivery.byteCount
        while !rest.isEmpty || unpacker.holdsMore {
            guard room > 0 else {
                unpackedCount = piece.count - rest.count
                isPaused = true
                return .postponed
            }
            let unpacked = unpacker.unpack(&rest)
            room -= unpacked.count
            if bytes.isEmpty {
                bytes = unpacked
            } else if bytes.count + unpacked.count <= Unpacker.pieceSize {
                bytes.append(contentsOf: unpacked)
            } else {
                _ = publish(end: nil)
                bytes = unpacked
            }
            if let problem = unpacker.problem {
                failure = CurlErrors.unpacking(problem, from: plan.server)
                return .refused
            }
        }
        return .taken
    }

    /// Fills `buffer` from the request's body; nil stops the transfer.
    func readUpload(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        noteSign()
        do throws(TransportError) {
            return try upload?.read(into: buffer) ?? 0
        } catch {
            failure = error
            return nil
        }
    }

    func seekUpload(to position: Int64) -> Bool { upload?.seek(to: position) ?? false }

    /// Whether a request that must not be repeated may go out now: for the first time, or once more because the server did
    /// not want to be asked before (RFC 9110, section 10.1.1).
    ///
    /// From a new connection libcurl only ever turns back where the server has told it that it did nothing (RFC 9113, section
    /// 8.7).
    func mayBeSent() -> Bool {
        let connections = easy.number(CCURLINFO_NUM_CONNECTS)
        let isRepetition = sending.isOverUsedConnection && !(sending.count == 1 && refusedExpectation != nil)
        if isRepetition {
            failure = CurlErrors.lostRequest(plan.method, to: plan.server)
            return false
        }
        sending.count += 1
        sending.isOverUsedConnection = connections == sending.connections
        sending.connections = connections
        return true
    }

    /// How long the server may still be silent; nil where there is no limit. Its time begins anew while the reader is waited for.
    var patience: Duration? {
        guard let limit = plan.idleSeconds else { return nil }
        let now = ContinuousClock.now
        if isPaused || heard == nil { heard = now }
        return heard.map { .seconds(limit) - (now - $0) }
    }

    /// Makes the server's silence the reason of the end.
    func endForSilence() {
        failure = CurlErrors.silence(of: self, seconds: plan.idleSeconds ?? 0)
    }

    /// How the transfer ended, by libcurl's result and what the callbacks saw.
    func end(code: Int32) -> Result<Void, any Error> {
        if let failure { return .failure(failure) }
        if isComplete { return .success(()) }
        if code == CCURLE_OK, let refused = refusedExpectation, !hasFinalHead { accept(refused) }
        if code != CCURLE_OK || !hasFinalHead, let error = error(code: code) { return .failure(error) }
        if let problem = unpacker?.finish() { return .failure(CurlErrors.unpacking(problem, from: plan.server)) }
        return .success(())
    }

    private func error(code: Int32) -> TransportError? {
        TransferFacts(self, hasHead: hasFinalHead, isLost: sending.isOverUsedConnection && !hasFinalHead)
            .error(code: code, generalText: easy.curl.describe(code: code))
    }

    /// Tells how long the transfer took that has just ended.
    func reportTimes(failed: Bool) {
        guard let onTimes = plan.onTimes, !delivery.isAbandoned else { return }
        let elapsed = ContinuousClock.now - startTime
        onTimes(easy.times(status: finalStatus, usesTLS: plan.server.usesTLS, elapsed: elapsed, failed: failed))
    }

    /// Hands over what is new; true where a paused transfer is to go on at once.
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
        unpacker = plan.decompresses ? Coding.listing(final).map { Unpacker($0) } : nil
        hasNews = true
    }
}
