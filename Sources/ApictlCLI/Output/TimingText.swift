import EndpointKit

/// Formats the lines of `--timing`, one for each transfer.
enum TimingText {
    /// Returns a line for each transfer. Redirects are transfers of their own:
    ///
    ///     timing: 200, name lookup 1 ms, connect 12 ms, TLS 20 ms, first byte 80 ms, content 3 ms, total 116 ms, 512 B
    ///
    /// - Parameter transfers: The times of the transfers, in the order in which these ended.
    static func text(_ transfers: [TransferTimes]) -> String {
        transfers.map { "timing: " + phases(of: $0).joined(separator: ", ") + "\n" }.joined()
    }

    /// Returns the parts of the line about a transfer: its status, the time of each phase and the size of its body.
    ///
    /// If no response came, the parts about it are left out.
    private static func phases(of times: TransferTimes) -> [String] {
        var phases = [times.status.map(String.init) ?? "no response"]
        if times.reusedConnection {
            phases.append("connection reused")
        } else {
            phases.append("name lookup \(times.nameLookup.shown)")
            phases.append("connect \(times.connect.shown)")
            if let tls = times.tls { phases.append("TLS \(tls.shown)") }
        }
        let hasResponse = times.status != nil
        if hasResponse {
            phases.append("first byte \(times.firstByte.shown)")
            phases.append("content \(times.content.shown)")
        }
        phases.append("total \(times.total.shown)")
        if hasResponse { phases.append(ByteCountText.shown(times.size)) }
        return phases
    }
}
