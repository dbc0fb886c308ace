import EndpointKit

/// Waits for a server that is still starting.
struct ServerProbe {
    /// The time between two attempts.
    private static let interval = Duration.milliseconds(250)
    /// The longest time for one attempt.
    private static let longestAttempt = Duration.seconds(5)

    let request: Request
    let client: Client

    /// Returns once the server has sent any response, fails in a way that waiting does not change, or `deadline` has passed.
    func wait(until deadline: ContinuousClock.Instant) async {
        // Without credentials, parameters and body: whatever the status is, the server is there.
        let probe = Request(.head, request.base, path: "/")
        var transfer = client.transfer
        while true {
            transfer.maxTime = max(min(deadline - .now, Self.longestAttempt), .milliseconds(1))
            do {
                _ = try await client.transport.send(probe, options: transfer)
                return
            } catch let error as TransportError {
                guard error.mayPass else { return }
            } catch {
                return
            }
            guard ContinuousClock.now + Self.interval < deadline else { return }
            do { try await Task.sleep(for: Self.interval) } catch { return }
        }
    }
}

extension TransportError {
    /// Whether the failure may be that of a server that is still starting.
    fileprivate var mayPass: Bool {
        switch cause {
        case .nameNotResolved, .notConnected, .timedOut, .cutShort: true
        default: false
        }
    }
}
