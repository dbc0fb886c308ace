import EndpointKit
import Synchronization

/// The queue of commands for the loop's thread.
final class Mailbox: Sendable {
    /// The state of the thread that takes the commands.
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
        /// Whether the thread must be woken: it checks the queue before it sleeps, and one wake-up serves many
        /// commands.
        var isAsleep = false
    }

    private let state = Mutex(State())

    /// Adds a command to the queue, and wakes the thread if it sleeps.
    ///
    /// If the thread has ended, nothing is added. A transfer that the command would have started fails then.
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

    /// Lets commands wake the thread, which waits with `multi`.
    func open(_ multi: MultiHandle) { state.withLock { $0.stage = .open(multi) } }

    /// Exchanges `commands`, an empty array, for the commands that are waiting. So both arrays keep their memory.
    ///
    /// - Returns: False if no command is waiting.
    func collect(into commands: inout [Command]) -> Bool {
        state.withLock { state in
            swap(&state.commands, &commands)
            state.isAsleep = false
        }
        return !commands.isEmpty
    }

    /// Whether no command is waiting, so that the thread may sleep. If so, the next command wakes the thread.
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
            let waitingCommands = state.commands
            state.commands = []
            return waitingCommands
        }
        // Without the lock: a task that gets the error may post a command at once.
        for command in commands { command.refuse(reason) }
    }
}

extension Command {
    /// Fails the transfer that this command would have started.
    fileprivate func refuse(_ reason: TransportError) {
        guard case .start(_, let delivery) = self else { return }
        delivery.fail(reason)
    }
}
