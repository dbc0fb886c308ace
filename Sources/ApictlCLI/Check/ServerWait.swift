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

    /// Waits for all servers side by side, until each has responded or the time of `--wait` is over.
    ///
    /// Returns at once without `--wait`, or if nothing is sent.
    ///
    /// - Returns: The URLs of the servers that were silent until the time was over, in alphabetical order.
    func waitForServers() async -> [String] {
        guard let wait = options.running.wait, options.call.purpose == .send else { return [] }
        let deadline = ContinuousClock.now + wait
        return await withTaskGroup(of: String?.self) { tasks in
            for (server, exchange) in exchangesByServer {
                tasks.addTask {
                    let stayedSilent = await Self.waitForServer(of: exchange, until: deadline)
                    return stayedSilent ? server : nil
                }
            }
            var silentServers: [String] = []
            for await case let silentServer? in tasks { silentServers.append(silentServer) }
            return silentServers.sorted()
        }
    }

    /// The first exchange with each server, by the URLs of the servers. Its client is used to reach the server.
    private var exchangesByServer: [String: PlannedExchange] {
        let exchanges = checks.compactMap { $0.exchange ?? $0.preview }
        let serversAndExchanges = exchanges.map { ($0.check.request.base.text, $0) }
        return Dictionary(serversAndExchanges, uniquingKeysWith: { first, _ in first })
    }

    /// Sends requests to a server until it responds, or fails in a way that waiting can't change, such as a wrong
    /// certificate. The checks then report that failure.
    ///
    /// - Parameters:
    ///   - exchange: An exchange with the server, whose client sends the requests.
    ///   - deadline: The time to give up.
    /// - Returns: Whether the server stayed silent until the deadline. False if the task was cancelled before, because
    ///   then nothing is known about the server.
    private static func waitForServer(
        of exchange: PlannedExchange, until deadline: ContinuousClock.Instant
    ) async -> Bool {
        let client = exchange.client
        // The request has no credentials, parameters and body. Whatever status it gets, the server is there.
        let probe = Request(.head, exchange.check.request.base, path: "/")
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
                // Waiting can't change this failure.
                return false
            }
        } while ContinuousClock.now < deadline && !Task.isCancelled
        return !Task.isCancelled
    }
}
