import CCurl
import EndpointKit

extension EasyHandle {
    /// How long the phases of this handle's transfer took, which an earlier handshake may have preceded.
    func times(
        _ plan: TransferPlan, status: Int?, elapsed: Duration, earlier: Duration, failed: Bool
    ) -> TransferTimes {
        let isReused = number(CCURLINFO_NUM_CONNECTS) == 0 && offset(CCURLINFO_PRETRANSFER_TIME_T) > 0
        // For a failed transfer libcurl's total ends with its last activity and leaves out the final wait.
        let total = failed ? Int64(elapsed / .microseconds(1)) : max(0, offset(CCURLINFO_TOTAL_TIME_T))
        var ends = [offset(CCURLINFO_NAMELOOKUP_TIME_T), offset(CCURLINFO_CONNECT_TIME_T)]
        let hasTLS = plan.server.usesTLS && !isReused && ends[1] > 0
        if hasTLS { ends.append(offset(CCURLINFO_APPCONNECT_TIME_T)) }
        ends.append(offset(CCURLINFO_STARTTRANSFER_TIME_T))
        let lengths = PhaseLengths.lengths(ends: ends, total: total).map { Duration.microseconds($0) }
        var times = TransferTimes()
        (times.url, times.status, times.reusedConnection) = (plan.shownURL, status, isReused)
        times.nameLookup = lengths[0]
        times.connect = lengths[1] + (hasTLS ? .zero : earlier)
        if hasTLS { times.tls = lengths[2] + earlier }
        times.firstByte = lengths[ends.count - 1]
        times.content = lengths[ends.count]
        times.total = .microseconds(total) + earlier
        times.remoteIP = text(CCURLINFO_PRIMARY_IP) ?? ""
        times.remotePort = times.remoteIP.isEmpty ? 0 : number(CCURLINFO_PRIMARY_PORT)
        times.receivedBytes = max(0, offset(CCURLINFO_SIZE_DOWNLOAD_T))
        return times
    }
}

/// The lengths of consecutive phases, from libcurl's numbers: the time from the start to the end of each.
enum PhaseLengths {
    /// One more length than there are `ends`: the last phase ends at `total`, to which all lengths add up.
    ///
    /// An end of zero was never reached: the rest of the time belongs to the phase that the transfer ended in.
    static func lengths(ends: [Int64], total: Int64) -> [Int64] {
        let reached = ends.lastIndex { $0 > 0 } ?? -1
        var before: Int64 = 0
        return (0...ends.count).map { phase in
            guard phase <= reached + 1 else { return 0 }
            let end = phase > reached ? total : min(max(before, ends[phase]), total)
            defer { before = end }
            return end - before
        }
    }
}
