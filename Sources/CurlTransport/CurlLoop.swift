import CCurl
import EndpointKit
import Synchronization

/// The way to the thread that carries a transport's transfers. The thread ends when nobody holds this any more.
final class CurlLoop: Sendable {
    private let mailbox: Mailbox

    /// Starts the thread. Throws ``TransportError`` where memory or threads are short.
    init(curl: LibCurl, configuration: CurlConfiguration) throws(TransportError) {
        guard let multi = curl.functions.pointee.multi_init() else {
            throw TransportError(.other, "libcurl has no memory for its connections")
        }
        let handle = MultiHandle(curl: curl, pointer: multi)
        let mailbox = Mailbox(handle)
        self.mailbox = mailbox
        let isStarted = Platform.startThread {
            LoopThread(handle, mailbox: mailbox, configuration: configuration).run()
        }
        guard isStarted else {
            mailbox.close()
            throw TransportError(.other, "the system has no thread for libcurl")
        }
    }

    deinit { mailbox.post(.quit) }

    func post(_ command: Command) { mailbox.post(command) }
}

/// What the loop's thread is asked to do.
enum Command: Sendable {
    case start(TransferPlan, Delivery)
    /// The delivery has room again.
    case readOn(Delivery)
    case stop(Delivery)
    /// A task of the executor's has something to do.
    case run(UnownedJob, LoopExecutor)
    case quit
}

/// libcurl's multi handle.
///
/// `@unchecked Sendable`: once the loop's thread runs, it alone touches the handle. The one exception is
/// `curl_multi_wakeup`, which libcurl makes for other threads; ``Mailbox`` sees to it that the handle lives then.
struct MultiHandle: @unchecked Sendable {
    let curl: LibCurl
    let pointer: OpaquePointer
}

/// Commands on their way to the loop's thread.
final class Mailbox: Sendable {
    private struct State {
        var commands: [Command] = []
        /// Nil once the handle is gone.
        var multi: MultiHandle?
        /// Whether the thread has to be woken: it looks by itself before it rests, and one wake-up serves many commands.
        var rests = false
    }

    private let state: Mutex<State>

    init(_ multi: MultiHandle) { state = Mutex(State(multi: multi)) }

    func post(_ command: Command) {
        state.withLock { state in
            guard let multi = state.multi else { return }
            state.commands.append(command)
            if state.rests {
                state.rests = false
                _ = multi.curl.functions.pointee.multi_wakeup(multi.pointer)
            }
        }
    }

    /// Exchanges `commands`, an empty array, for those that have come in; false where none have.
    func collect(into commands: inout [Command]) -> Bool {
        state.withLock { state in
            swap(&state.commands, &commands)
            state.rests = false
        }
        return !commands.isEmpty
    }

    /// Whether no command waits: the next one then wakes the thread.
    func mayRest() -> Bool {
        state.withLock { state in
            state.rests = state.commands.isEmpty
            return state.rests
        }
    }

    /// Frees the multi handle; commands that come later are dropped.
    func close() {
        state.withLock { state in
            guard let multi = state.multi else { return }
            _ = multi.curl.functions.pointee.multi_cleanup(multi.pointer)
            state.multi = nil
            state.commands = []
        }
    }
}
