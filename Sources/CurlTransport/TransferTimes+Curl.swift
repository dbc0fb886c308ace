import CSystem
import EndpointKit

/// A phase of a transfer, in the order in which they follow each other.
private enum TransferPhase {
    case nameLookup
    case connect
    case tls
    /// Sending the request, and waiting for the first byte of the response.
    case firstByte
    case content
}

extension EasyHandle {
    /// Returns how long the phases of this handle's transfer took.
    ///
    /// libcurl counts the time from the start of the transfer to the end of each phase. The length of a phase is the
    /// difference to the end of the phase before it.
    ///
    /// - Parameters:
    ///   - plan: The request.
    ///   - status: The response's status, if there was one.
    ///   - elapsed: The time since the transfer was started.
    ///   - earlierDuration: The duration of an earlier attempt that ended in the TLS handshake. It counts as part of
    ///     this handshake, or of connecting if there is none.
    ///   - failed: Whether the transfer failed.
    func times(
        _ plan: TransferPlan, status: Int?, elapsed: Duration, earlier earlierDuration: Duration, failed: Bool
    ) -> TransferTimes {
        var times = TransferTimes()
        times.url = plan.shownURL
        times.status = status
        times.reusedConnection = isReused
        // For a failed transfer libcurl's total ends with its last activity and leaves out the final wait.
        let total = failed ? Int64(elapsed / .microseconds(1)) : max(0, offset(CCURLINFO_TOTAL_TIME_T))
        let isConnected = offset(CCURLINFO_CONNECT_TIME_T) > 0
        let hasTLS = plan.server.usesTLS && isConnected && !isReused
        let durations = phaseDurations(total: total, hasTLS: hasTLS)
        times.nameLookup = durations[.nameLookup] ?? .zero
        times.connect = durations[.connect] ?? .zero
        times.firstByte = durations[.firstByte] ?? .zero
        times.content = durations[.content] ?? .zero
        if let tls = durations[.tls] {
            times.tls = tls + earlierDuration
        } else {
            times.connect += earlierDuration
        }
        times.total = .microseconds(total) + earlierDuration
        times.remoteIP = text(CCURLINFO_PRIMARY_IP) ?? ""
        times.remotePort = times.remoteIP.isEmpty ? 0 : number(CCURLINFO_PRIMARY_PORT)
        times.receivedBytes = max(0, receivedBytes)
        return times
    }

    /// Whether the transfer used a connection that was open already: libcurl made none, but the request could be sent.
    private var isReused: Bool {
        number(CCURLINFO_NUM_CONNECTS) == 0 && offset(CCURLINFO_PRETRANSFER_TIME_T) > 0
    }

    /// Returns the duration of each phase of the transfer.
    ///
    /// - Parameters:
    ///   - total: The duration of the whole transfer in microseconds.
    ///   - hasTLS: Whether there was a TLS handshake. Without one, the result has no duration for it.
    private func phaseDurations(total: Int64, hasTLS: Bool) -> [TransferPhase: Duration] {
        var phases: [TransferPhase] = [.nameLookup, .connect]
        var ends = [offset(CCURLINFO_NAMELOOKUP_TIME_T), offset(CCURLINFO_CONNECT_TIME_T)]
        if hasTLS {
            phases.append(.tls)
            ends.append(offset(CCURLINFO_APPCONNECT_TIME_T))
        }
        phases.append(.firstByte)
        ends.append(offset(CCURLINFO_STARTTRANSFER_TIME_T))
        // The content ends with the transfer.
        phases.append(.content)

        var durations: [TransferPhase: Duration] = [:]
        for (phase, length) in zip(phases, PhaseLengths.lengths(ends: ends, total: total)) {
            durations[phase] = .microseconds(length)
        }
        return durations
    }
}

/// The lengths of consecutive phases, from libcurl's numbers: the time from the start to the end of each.
enum PhaseLengths {
    /// Returns the length of each phase. The lengths add up to `total`.
    ///
    ///     ends 10, 30, total 50    lengths 10, 20, 20
    ///     ends 10, 0, total 50     lengths 10, 40, 0: the transfer ended in the second phase
    ///
    /// - Parameters:
    ///   - ends: The end of each phase except the last one, counted from the start. Zero is an end that was never
    ///     reached: the rest of the time belongs to the phase in which the transfer ended.
    ///   - total: The end of the last phase.
    static func lengths(ends: [Int64], total: Int64) -> [Int64] {
        // If no end was reached, the transfer ended in the first phase, whose number is 0.
        let lastReached = ends.lastIndex { $0 > 0 } ?? -1
        var lengths: [Int64] = []
        var start: Int64 = 0
        for phase in 0...ends.count {
            var end = start
            if phase <= lastReached {
                // libcurl's ends may be in disorder, or after the total.
                end = min(max(start, ends[phase]), total)
            } else if phase == lastReached + 1 {
                end = total
            }
            lengths.append(end - start)
            start = end
        }
        return lengths
    }
}
