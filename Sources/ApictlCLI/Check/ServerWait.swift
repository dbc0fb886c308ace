import EndpointKit
import EndpointTools

/// Waits for the servers of checks before the first check, as `--wait` asks for.
struct ServerWait {
    let checks: [PlannedCheck]
    let options: CheckOptions

    /// The longest time for one attempt, so that the next one soon notices a server that has started meanwhile.
    private static let maxAttempt = Duration.seconds(5)
    /// The time between two attempts.
    private static let pause = Duration.milliseconds(250)

    /// Waits for all servers at once.
    ///
    /// - Returns: The servers that were silent until the time was over; none without `--wait`.
    func silentServers() async -> [String] {
        guard let wait = options.running.wait, options.call.purpose == .send else { return [] }
        let deadline = ContinuousClock.now + wait
        var exchanges: [String: PlannedExchange] = [:]
        for exchange in checks.compactMap({ $0.exchange ?? $0.preview }) {
            let server = exchange.check.request.base.text
            if exchanges[server] == nil { exchanges[server] = exchange }
        }
        return await withTaskGroup(of: String?.self) { group in
            for (server, exchange) in exchanges {
                group.addTask {
                    let isSilent = await Self.isSilent(
                        exchange.check.request.base, exchange.client, until: deadline)
                    return isSilent ? server : nil
                }
            }
            var silentServers: [String] = []
            for await case let server? in group { silentServers.append(server) }
            return silentServers.sorted()
        }
    }

    /// Waits until a server sends any response, or fails in a way that waiting can't change, such as a wrong
    /// certificate.
    ///
    /// - Returns: Whether neither happened before the deadline. False if the task was cancelled.
    private static func isSilent(
        _ server: BaseURL, _ client: Client, until deadline: ContinuousClock.Instant
    ) async -> Bool {
        // The probe has no credentials, parameters and body. Whatever status it gets, the server is there.
        let probe = Request(.head, server, path: "/")
        var transfer = client.transfer
        repeat {
            // At least 1 ms, because the deadline may have passed just now.
            transfer.maxTime = max(min(deadline - .now, maxAttempt), .milliseconds(1))
            do {
                _ = try await client.transport.send(probe, options: transfer)
                return false
            } catch let error as TransportError where RetryPolicy.isTransient(error) {
                // Sleeping only fails if the task is cancelled, which ends the loop.
                try? await Task.sleep(for: pause)
            } catch {
                return false
            }
        } while ContinuousClock.now < deadline && !Task.isCancelled
        return !Task.isCancelled
    }
}
