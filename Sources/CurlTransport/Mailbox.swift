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
    /// If the thread has ended, nothing is added, and a transfer that the command would have started fails.
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

    /// Opens the queue when the thread starts: from now on, commands wake it.
    ///
    /// - Parameter multi: The handle with which the thread sleeps.
    func open(_ multi: MultiHandle) { state.withLock { $0.stage = .open(multi) } }

    /// Moves the waiting commands to an array.
    ///
    /// - Parameter commands: An empty array. It changes places with the queue, so that both keep their memory.
    func collect(into commands: inout [Command]) {
        state.withLock { state in
            swap(&state.commands, &commands)
            state.isAsleep = false
        }
    }

    /// Notes that the thread is about to sleep, so that the next command wakes it, unless a command is waiting already.
    ///
    /// - Returns: Whether the thread may sleep.
    func prepareToSleep() -> Bool {
        state.withLock { state in
            state.isAsleep = state.commands.isEmpty
            return state.isAsleep
        }
    }

    /// Closes the queue when the thread ends: frees the multi handle, and fails all transfers that wait to be started
    /// or will be posted later.
    ///
    /// - Parameter reason: The error of these transfers.
    func close(for reason: TransportError) {
        let commands = state.withLock { state in
            if case .open(let multi) = state.stage { _ = multi.curl.functions.pointee.multi_cleanup(multi.pointer) }
            state.stage = .closed(reason)
            let waitingCommands = state.commands
            state.commands = []
            return waitingCommands
        }
        // Without the lock, because a task that gets the error may post a command at once.
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
