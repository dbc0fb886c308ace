import CCurl
import EndpointKit
import Synchronization

/// The way to the thread that carries a transport's transfers. The thread ends when nobody holds this any more.
final class CurlLoop: Sendable {
    private let mailbox = Mailbox()

    /// Starts the thread, which loads libcurl first: requests can be made ready meanwhile. What goes wrong with that is told to
    /// those that start a transfer. Throws ``TransportError`` where threads are short.
    init(
        configuration: CurlConfiguration,
        load: @escaping @Sendable () -> Result<LibCurl, TransportError> = { LibCurl.shared }
    ) throws(TransportError) {
        do throws(SystemThread.Shortage) {
            try SystemThread.start { [mailbox] in
                do throws(TransportError) {
                    let multi = try MultiHandle(load().get())
                    mailbox.open(multi)
                    LoopThread(multi, mailbox: mailbox, configuration: configuration).run()
                    mailbox.close(for: TransportError(.other, "libcurl's thread has ended"))
                } catch {
                    mailbox.close(for: error)
                }
            }
        } catch {
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

    init(_ curl: LibCurl) throws(TransportError) {
        guard let pointer = curl.functions.pointee.multi_init() else {
            throw TransportError(.other, "libcurl has no memory for its connections")
        }
        self.curl = curl
        self.pointer = pointer
    }
}

/// Commands on their way to the loop's thread.
final class Mailbox: Sendable {
    private enum Stage {
        /// The thread is not there yet: commands wait for it.
        case opening
        case open(MultiHandle)
        /// The thread is gone: no transfer begins any more, for this reason.
        case closed(TransportError)
    }

    private struct State {
        var commands: [Command] = []
        var stage = Stage.opening
        /// Whether the thread has to be woken: it looks by itself before it rests, and one wake-up serves many commands.
        var rests = false
    }

    private let state = Mutex(State())

    func post(_ command: Command) {
        let refusal: TransportError? = state.withLock { state in
            if case .closed(let reason) = state.stage { return reason }
            state.commands.append(command)
            if state.rests, case .open(let multi) = state.stage {
                state.rests = false
                _ = multi.curl.functions.pointee.multi_wakeup(multi.pointer)
            }
            return nil
        }
        if let refusal { command.refuse(refusal) }
    }

    func open(_ multi: MultiHandle) { state.withLock { $0.stage = .open(multi) } }

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

    /// Frees the multi handle, if there is one; what was or will be asked for is refused.
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
    /// Tells whoever waits for the outcome that there will be none. Tasks go on where they are, and learn it from their requests.
    fileprivate func refuse(_ reason: TransportError) {
        switch self {
        case .start(_, let delivery):
            _ = delivery.publish(head: nil, bytes: [], end: .failure(reason), isPaused: false)
        case .run(let job, let executor): job.runSynchronously(on: executor.asUnownedTaskExecutor())
        case .readOn, .stop, .quit: break
        }
    }
}
