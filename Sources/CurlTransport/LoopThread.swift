import CSystem
import EndpointKit

/// The work of the loop's thread: it alone uses the multi handle, the easy handles and the transfers.
final class LoopThread {
    /// The number of connections that stay open for later requests.
    private static let connectionLimit = 256
    /// How long to sleep if nothing is due: commands wake the thread.
    private static let idleMilliseconds: Int32 = 3_600_000

    private let multi: MultiHandle
    private let mailbox: Mailbox
    private let trust: TrustStore
    private let sessions: SessionCache?
    private var transfers: [ObjectIdentifier: Transfer] = [:]

    init(_ multi: MultiHandle, mailbox: Mailbox, trust: TrustStore) {
        self.multi = multi
        self.mailbox = mailbox
        self.trust = trust
        sessions = SessionCache(multi.curl)
    }

    private var curl: UnsafePointer<CCurlFunctions> { multi.curl.functions }

    /// Runs transfers until a command tells the thread to quit.
    func run() {
        _ = ccurl_set_multi_long(curl, multi.pointer, CCURLM_MAXCONNECTS, Self.connectionLimit)
        var commands: [Command] = []
        var shouldQuit = false
        while !shouldQuit {
            mailbox.collect(into: &commands)
            for command in commands {
                let continues = carryOut(command)
                if !continues { shouldQuit = true }
            }
            commands.removeAll(keepingCapacity: true)
            if !shouldQuit { advanceTransfers() }
        }
        // A handle must be removed from libcurl before it is freed with its transfer.
        for transfer in transfers.values { _ = curl.pointee.multi_remove_handle(multi.pointer, transfer.easy.pointer) }
        transfers = [:]
    }

    /// Carries out a command of another thread: starts, resumes or stops the transfer that it names.
    ///
    /// A transfer that has ended meanwhile is left alone.
    ///
    /// - Returns: False if the thread should end.
    private func carryOut(_ command: Command) -> Bool {
        switch command {
        case .start(let plan, let delivery): start(plan, delivery: delivery)
        case .resume(let delivery):
            if let transfer = transfers[ObjectIdentifier(delivery)] { resume(transfer) }
        case .stop(let delivery):
            if let transfer = transfers[ObjectIdentifier(delivery)] { remove(transfer) }
        case .quit: return false
        }
        return true
    }

    // MARK: One turn

    /// Has libcurl send and receive what is possible now, delivers what has arrived to the readers, and sleeps until a
    /// connection, a time limit or a command needs the thread again.
    private func advanceTransfers() {
        // libcurl also tells how many transfers are running, which is known here anyway.
        var runningCount: Int32 = 0
        let performCode = curl.pointee.multi_perform(multi.pointer, &runningCount)
        finishTransfers()
        deliverNews()
        let millisecondsToSleep = endSilentTransfers()
        // No transfer can continue after an error of the multi handle.
        if performCode != 0 { return failAll() }
        let hasCommands = !mailbox.prepareToSleep()
        if hasCommands { return }
        let pollCode = curl.pointee.multi_poll(multi.pointer, nil, 0, millisecondsToSleep, nil)
        if pollCode != 0 { failAll() }
    }

    /// Delivers what has arrived for each transfer to the task that reads its response.
    private func deliverNews() {
        for transfer in transfers.values where transfer.hasNews {
            let shouldResume = transfer.publish()
            // It resumes in the next turn, after the other transfers, because a chunk may decompress to many bytes.
            if shouldResume { mailbox.post(.resume(transfer.delivery)) }
        }
    }

    /// Fails every transfer, because memory or descriptors ran out: none would ever end.
    private func failAll() {
        for transfer in transfers.values { finish(transfer, code: CCURLE_OUT_OF_MEMORY) }
    }

    /// Ends the transfers whose server has been silent for too long.
    ///
    /// - Returns: The milliseconds until the next transfer may have to end.
    private func endSilentTransfers() -> Int32 {
        var timeToNextEnd = Duration.milliseconds(Self.idleMilliseconds)
        for transfer in transfers.values {
            guard let remainingSilence = transfer.remainingSilence else { continue }
            if remainingSilence > .zero {
                timeToNextEnd = min(timeToNextEnd, remainingSilence)
            } else {
                transfer.failForSilence()
                finish(transfer, code: CCURLE_OPERATION_TIMEDOUT)
            }
        }
        // It is an hour at most, so the number fits. The division rounds down, but the thread must not wake too early.
        return Int32(timeToNextEnd / .milliseconds(1)) + 1
    }

    /// Ends the transfers that libcurl reports as done, each with libcurl's result code.
    private func finishTransfers() {
        var remainingMessages: Int32 = 0
        while let message = curl.pointee.multi_info_read(multi.pointer, &remainingMessages)?.pointee {
            guard message.kind == CCURL_MESSAGE_DONE, let easy = message.easy else { continue }
            // The pointer that was stored in the handle leads to the transfer.
            guard let user = ccurl_get_pointer(curl, easy, CCURLINFO_PRIVATE) else { continue }
            finish(Transfer.from(user), code: message.data.result)
        }
    }

    // MARK: One transfer

    /// Starts a transfer: makes a handle of libcurl, sets all of its options, and adds it to those that run.
    ///
    /// If that fails, the reader of the response gets the error.
    ///
    /// - Parameters:
    ///   - plan: The request.
    ///   - delivery: Where the response goes.
    ///   - earlier: An attempt at the same request, which has failed before anything was sent.
    private func start(_ plan: TransferPlan, delivery: Delivery, after earlier: Transfer? = nil) {
        if delivery.isAbandoned { return }
        // Each transfer has its own handle, because a second response on the same handle is not safe: if its first
        // header line is folded, libcurl before 8.1.1 appends it to a header of the first response, which is freed.
        guard let easy = EasyHandle(multi.curl, sessions: sessions) else {
            return delivery.fail(TransportError(.other, detail: "libcurl has no memory for another transfer"))
        }
        let trust = trust(for: plan, using: easy)
        let transfer = Transfer(plan, delivery: delivery, easy: easy, trust: trust, earlier: earlier)
        if let error = OptionSetter.setOptions(of: transfer) { return delivery.fail(error) }
        transfer.reportTrust()
        guard curl.pointee.multi_add_handle(multi.pointer, transfer.easy.pointer) == 0 else {
            return delivery.fail(TransportError(.other, detail: "libcurl does not accept another transfer"))
        }
        transfers[ObjectIdentifier(delivery)] = transfer
    }

    /// Returns the certificates that the connection for a request trusts.
    ///
    /// Without TLS, or with certificate authorities of its own, the request does not need the transport's certificates.
    /// Then it is not worth the time to find out which ones to use.
    private func trust(for plan: TransferPlan, using easy: borrowing EasyHandle) -> Trust {
        let needsCertificates = plan.server.usesTLS && plan.connection.certificateAuthorities == nil
        return needsCertificates ? trust.current(using: easy) : Trust(trust.configuration)
    }

    /// Lets a paused transfer continue, and ends it if libcurl can't.
    private func resume(_ transfer: Transfer) {
        let code = transfer.resume()
        if code != CCURLE_OK { finish(transfer, code: code) }
    }

    /// Ends a transfer with libcurl's result code, or starts it again with more trusted certificates.
    private func finish(_ transfer: Transfer, code: Int32) {
        if transfer.needsBundle(code: code) {
            trust.addBundle()
            remove(transfer)
            return start(transfer.plan, delivery: transfer.delivery, after: transfer)
        }
        let outcome = transfer.concludeOutcome(code: code)
        transfer.reportTimes(failed: code != CCURLE_OK)
        remove(transfer)
        // The transfer is over, so it can't resume.
        _ = transfer.publish(outcome: outcome)
    }

    /// Removes a transfer from libcurl and from those that run. Its connection closes unless the response is complete.
    private func remove(_ transfer: Transfer) {
        _ = curl.pointee.multi_remove_handle(multi.pointer, transfer.easy.pointer)
        transfers[ObjectIdentifier(transfer.delivery)] = nil
    }
}
