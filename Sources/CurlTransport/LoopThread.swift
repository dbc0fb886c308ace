import CCurl
import EndpointKit

/// The work of the loop's thread: it alone uses the multi handle, the easy handles and the transfers.
final class LoopThread {
    /// Connections that stay open for later requests.
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

    /// Runs transfers until it is told to quit.
    func run() {
        _ = ccurl_set_multi_long(curl, multi.pointer, CCURLM_MAXCONNECTS, Self.connectionLimit)
        var commands: [Command] = []
        var quits = false
        while !quits {
            if mailbox.collect(into: &commands) {
                for command in commands where !handle(command) { quits = true }
                commands.removeAll(keepingCapacity: true)
            }
            if quits { break }
            var running: Int32 = 0
            let code = curl.pointee.multi_perform(multi.pointer, &running)
            finishTransfers()
            for transfer in transfers.values where transfer.hasNews && transfer.publish(end: nil) {
                // After the other transfers: a chunk may decompress to any number of bytes.
                mailbox.post(.resume(transfer.delivery))
            }
            let sleep = endSilentTransfers()
            if code == 0, !mailbox.prepareToSleep() { continue }
            if code != 0 || curl.pointee.multi_poll(multi.pointer, nil, 0, sleep, nil) != 0 {
                // Memory or descriptors ran out: no transfer would ever end.
                for transfer in transfers.values { finish(transfer, code: CCURLE_OUT_OF_MEMORY) }
            }
        }
        for transfer in transfers.values { _ = curl.pointee.multi_remove_handle(multi.pointer, transfer.easy.pointer) }
        transfers = [:]
    }

    /// False if the thread should end.
    private func handle(_ command: Command) -> Bool {
        switch command {
        case .start(let plan, let delivery): start(plan, delivery)
        case .resume(let delivery):
            if let transfer = transfers[ObjectIdentifier(delivery)] { resume(transfer) }
        case .stop(let delivery):
            if let transfer = transfers[ObjectIdentifier(delivery)] { remove(transfer) }
        case .quit: return false
        }
        return true
    }

    /// Starts a transfer; `earlier` is the same one, which has failed before anything of the request was sent.
    private func start(_ plan: TransferPlan, _ delivery: Delivery, after earlier: Transfer? = nil) {
        guard !delivery.isAbandoned else { return }
        // Each transfer has its own handle: before 8.1.1, libcurl adds a folded first line to a field of the handle's last response, which is
        // free memory.
        guard let easy = EasyHandle(multi.curl, sessions: sessions) else {
            return fail(delivery, TransportError(.other, detail: "libcurl has no memory for another transfer"))
        }
        // Of the store, a transfer with authorities of its own needs nothing.
        let needsStore = plan.server.usesTLS && plan.connection.certificateAuthorities == nil
        let trust = needsStore ? self.trust.current(easy) : Trust(self.trust.configuration)
        let transfer = Transfer(plan, delivery: delivery, easy: easy, trust: trust, earlier: earlier)
        if let error = transfer.setOptions() { return fail(delivery, error) }
        guard curl.pointee.multi_add_handle(multi.pointer, transfer.easy.pointer) == 0 else {
            return fail(delivery, TransportError(.other, detail: "libcurl does not accept another transfer"))
        }
        transfers[ObjectIdentifier(delivery)] = transfer
    }

    private func fail(_ delivery: Delivery, _ error: TransportError) {
        _ = delivery.publish(head: nil, bytes: [], end: .failure(error), isPaused: false)
    }

    private func resume(_ transfer: Transfer) {
        transfer.isPaused = false
        // From here libcurl calls the write callback with the chunk it kept.
        let code = curl.pointee.easy_pause(transfer.easy.pointer, CCURL_PAUSE_NOTHING)
        if code != CCURLE_OK { finish(transfer, code: code) }
    }

    /// Ends the transfers whose server has been silent for too long. Returns the milliseconds until the next may be.
    private func endSilentTransfers() -> Int32 {
        var shortest = Duration.milliseconds(Self.idleMilliseconds)
        for transfer in transfers.values {
            guard let patience = transfer.remainingSilence else { continue }
            if patience > .zero {
                shortest = min(shortest, patience)
            } else {
                transfer.failForSilence()
                finish(transfer, code: CCURLE_OPERATION_TIMEDOUT)
            }
        }
        // At most an hour, so it fits.
        return Int32(shortest / .milliseconds(1)) + 1
    }

    private func finishTransfers() {
        var left: Int32 = 0
        while let message = curl.pointee.multi_info_read(multi.pointer, &left)?.pointee {
            guard message.kind == CCURL_MESSAGE_DONE, let easy = message.easy,
                let user = ccurl_get_pointer(curl, easy, CCURLINFO_PRIVATE)
            else { continue }
            finish(Transfer.from(user), code: message.data.result)
        }
    }

    private func finish(_ transfer: Transfer, code: Int32) {
        if transfer.needsBundle(code: code) {
            trust.addBundle()
            remove(transfer)
            return start(transfer.plan, transfer.delivery, after: transfer)
        }
        let end = transfer.end(code: code)
        transfer.reportTimes(failed: code != CCURLE_OK)
        remove(transfer)
        _ = transfer.publish(end: end)
    }

    private func remove(_ transfer: Transfer) {
        _ = curl.pointee.multi_remove_handle(multi.pointer, transfer.easy.pointer)
        transfers[ObjectIdentifier(transfer.delivery)] = nil
    }
}
