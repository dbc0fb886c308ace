import EndpointKit
import SystemCalls

/// A thread that runs transfers, and the way to it. The thread ends with the last reference to this object.
final class CurlLoop: Sendable {
    private let mailbox = Mailbox()

    /// Starts the thread, which first loads libcurl. If that fails, every transfer fails with the reason.
    ///
    /// - Parameters:
    ///   - trust: The certificates that connections trust.
    ///   - load: Loads libcurl, on the new thread.
    /// - Throws: ``TransportError`` if the system can't start a thread.
    init(
        trust: TrustStore,
        load: @escaping @Sendable () -> Result<LibCurl, TransportError> = { LibCurl.shared }
    ) throws(TransportError) {
        do throws(SystemError) {
            try SystemThread.start { [mailbox] in
                let reasonOfEnd = CurlLoop.runTransfers(from: mailbox, trust: trust, load: load)
                // Transfers that are posted from now on fail with this error.
                mailbox.close(for: reasonOfEnd)
            }
        } catch {
            throw TransportError(.other, detail: "no thread for libcurl: \(error.reason)")
        }
    }

    /// Loads libcurl, and runs the transfers that are posted to a mailbox until it gets the command to quit.
    ///
    /// - Returns: The reason why no transfer runs any more: libcurl could not be loaded, or the thread ends.
    private static func runTransfers(
        from mailbox: Mailbox, trust: TrustStore, load: () -> Result<LibCurl, TransportError>
    ) -> TransportError {
        do throws(TransportError) {
            let multi = try MultiHandle(load().get())
            mailbox.open(multi)
            LoopThread(multi, mailbox: mailbox, trust: trust).run()
            return TransportError(.other, detail: "libcurl's thread has ended")
        } catch {
            return error
        }
    }

    deinit { mailbox.post(.quit) }

    /// Hands a command to the thread.
    func post(_ command: Command) { mailbox.post(command) }
}
