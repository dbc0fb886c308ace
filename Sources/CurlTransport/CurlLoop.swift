import CCurl
import EndpointKit
import Synchronization
import SystemCalls

/// A thread that runs transfers, and the way to it. The thread ends with the last reference to this object.
final class CurlLoop: Sendable {
    private let mailbox = Mailbox()

    /// Starts the thread, which first loads libcurl; if that fails, every transfer fails with the reason.
    ///
    /// Throws ``TransportError`` if the system can't start a thread.
    init(
        trust: TrustStore,
        load: @escaping @Sendable () -> Result<LibCurl, TransportError> = { LibCurl.shared }
    ) throws(TransportError) {
        do throws(SystemError) {
            try SystemThread.start { [mailbox] in
                do throws(TransportError) {
                    let multi = try MultiHandle(load().get())
                    mailbox.open(multi)
                    LoopThread(multi, mailbox: mailbox, trust: trust).run()
                    mailbox.close(for: TransportError(.other, detail: "libcurl's thread has ended"))
                } catch {
                    mailbox.close(for: error)
                }
            }
        } catch {
            throw TransportError(.other, detail: "no thread for libcurl: \(error.inSentence)")
        }
    }

    deinit { mailbox.post(.quit) }

    func post(_ command: Command) { mailbox.post(command) }
}

/// An instruction to the loop's thread.
enum Command: Sendable {
    case start(TransferPlan, Delivery)
    /// The delivery has room again.
    case resume(Delivery)
    case stop(Delivery)
    case quit
}

/// libcurl's multi handle.
///
/// `@unchecked Sendable`: only the loop's thread uses the handle. The exception is `curl_multi_wakeup`, which libcurl allows on any
/// thread; ``Mailbox`` calls it only while the handle exists.
struct MultiHandle: @unchecked Sendable {
    let curl: LibCurl
    let pointer: OpaquePointer

    init(_ curl: LibCurl) throws(TransportError) {
        guard let pointer = curl.functions.pointee.multi_init() else {
            throw TransportError(.other, detail: "libcurl has no memory for its connections")
        }
        self.curl = curl
        self.pointer = pointer
    }
}

/// The queue of commands for the loop's thread.
final class Mailbox: Sendable {
    private enum Stage {
        /// The thread has not started: commands wait for it.
        case opening
        case open(MultiHandle)
        /// The thread has ended: every new transfer fails with this reason.
        case closed(TransportError)
    }

    private struct State {
        var commands: [Command] = []
        var stage = Stage.opening
        /// Whether the thread must be woken: it checks the queue before it sleeps, and one wake-up serves many commands.
        var isAsleep = false
    }

    private let state = Mutex(State())

    func post(_ command: Command) {
        let refusal: TransportError? = state.withLock { state in
            if case .closed(let reason) = state.stage { return reason }
            state.commands.append(command)
            if state.isAsleep, case .open(let multi) = state.stage {
                state.isAsleep = false
                _ = multi.curl.functions.pointee.multi_wakeup(multi.pointer)
            }
            return nil
        }
        if let refusal { command.refuse(refusal) }
    }

    func open(_ multi: MultiHandle) { state.withLock { $0.stage = .open(multi) } }

    /// Exchanges `commands`, an empty array, for those that are waiting; false if there are none.
    func collect(into commands: inout [Command]) -> Bool {
        state.withLock { state in
            swap(&state.commands, &commands)
            state.isAsleep = false
        }
        return !commands.isEmpty
    }

    /// Whether no command is waiting. If so, the next one wakes the thread.
    func prepareToSleep() -> Bool {
        state.withLock { state in
            state.isAsleep = state.commands.isEmpty
            return state.isAsleep
        }
    }

    /// Frees the multi handle, if there is one, and fails all transfers that are waiting or will be started.
    func close(for reason: TransportError) {
        let commands = state.withLock { state in
            if case .open(let multi) = state.stage { _ = multi.curl.functions.pointee.multi_cleanup(multi.pointer) }
            state.stage = .closed(reason)
            defer { state.commands = [] }
            return state.commands
        }
        for command in commands { command.refuse(reason) }
    }
}

extension Command {
    /// Fails the transfer that this command would have started.
    fileprivate func refuse(_ reason: TransportError) {
        switch self {
        case .start(_, let delivery):
            _ = delivery.publish(head: nil, bytes: [], end: .failure(reason), isPaused: false)
        case .resume, .stop, .quit: break
        }
    }
}
