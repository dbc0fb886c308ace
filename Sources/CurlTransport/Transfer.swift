import CCurl
import EndpointKit

/// One transfer as the loop's thread sees it. Nothing else touches it, so it needs no lock.
final class Transfer {
    let plan: TransferPlan
    let delivery: Delivery
    let easy: EasyHandle
    /// Whether the write callback has told libcurl to wait.
    var isPaused = false
    /// Whether there is something that the delivery has not got yet.
    private(set) var hasNews = false
    /// Kept as long as libcurl uses it.
    var headerList: UnsafeMutablePointer<CCurlList>?
    var wireEvents: WireEvents?

    private var upload: UploadSource?
    private var headParser = HeadParser()
    /// A final head that is not handed over yet.
    private var head: ResponseHead?
    /// A 417 that libcurl may answer by sending the request again without `Expect`.
    private var refusedExpectation: ResponseHead?
    private var hasFinalHead = false
    private var isComplete = false
    private var bytes: [UInt8] = []
    /// What a callback found wrong; libcurl only knows that it was stopped.
    private var failure: TransportError?

    init(_ plan: TransferPlan, delivery: Delivery, easy: EasyHandle) {
        self.plan = plan
        self.delivery = delivery
        self.easy = easy
        if case .upload(let source) = plan.kind { upload = source }
        wireEvents = plan.onEvent.map { WireEvents($0) }
    }

    deinit { easy.curl.functions.pointee.slist_free_all(headerList) }

    /// What callbacks get as their `user` pointer. ``LoopThread`` holds the transfer as long as libcurl may call back.
    var userPointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func from(_ user: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
    }

    /// Takes one line of a head; false stops the transfer: something is wrong, or it is complete.
    func receiveHeadLine(_ line: UnsafeRawBufferPointer) -> Bool {
        if !hasFinalHead { wireEvents?.takeHeadLine(line) }
        do throws(HeadParser.Problem) {
            let startsHead = line.starts(with: "HTTP/".utf8)
            let isTrailer = hasFinalHead || refusedExpectation != nil && !startsHead && !headParser.isInHead
            guard let complete = try headParser.take(line, isTrailer: isTrailer) else { return true }
            // 1xx tells of a final head to come (RFC 9110, section 15.2), but after 101 there is no more HTTP.
            if (100..<200).contains(complete.status), complete.status != 101 { return true }
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

    /// Takes a piece of the body; false where there is no room for it now.
    func receiveBody(_ piece: UnsafeRawBufferPointer) -> Bool {
        if let refused = refusedExpectation, !hasFinalHead { accept(refused) }
        let waiting = bytes.count + delivery.byteCount
        guard waiting == 0 || waiting + piece.count <= Delivery.highWater else {
            isPaused = true
            hasNews = true
            return false
        }
        // A body of more than one piece grows to the size of a read, in one step.
        if bytes.isEmpty, piece.count >= EasyOptions.curlPieceSize { bytes.reserveCapacity(EasyOptions.readSize) }
        bytes.append(contentsOf: piece)
        hasNews = true
        return true
    }

    /// Fills `buffer` from the request's body; nil stops the transfer.
    func readUpload(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        do throws(TransportError) {
            return try upload?.read(into: buffer) ?? 0
        } catch {
            failure = error
            return nil
        }
    }

    func seekUpload(to position: Int64) -> Bool { upload?.seek(to: position) ?? false }

    /// How the transfer ended, by libcurl's result and what the callbacks saw.
    func end(code: Int32) -> Result<Void, any Error> {
        if let failure { return .failure(failure) }
        if isComplete { return .success(()) }
        if code == CCURLE_OK, let refused = refusedExpectation, !hasFinalHead { accept(refused) }
        if let error = CurlErrors.error(code: code, of: self, hasHead: hasFinalHead) { return .failure(error) }
        return .success(())
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
        hasFinalHead = true
        hasNews = true
    }
}
