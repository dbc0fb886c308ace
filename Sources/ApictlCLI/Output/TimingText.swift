import EndpointKit

/// The text of `--timing`: a line for each transfer.
enum TimingText {
    /// Returns the phases of each transfer, redirects among them, in the order in which they ended.
    static func text(_ transfers: [TransferTimes]) -> String {
        transfers.map { "timing: " + phases($0).joined(separator: ", ") + "\n" }.joined()
    }

    private static func phases(_ times: TransferTimes) -> [String] {
        var phases = [times.status.map(String.init) ?? "no response"]
        if times.reusedConnection {
            phases.append("connection reused")
        } else {
            phases += ["name lookup \(times.nameLookup.shown)", "connect \(times.connect.shown)"]
            if let tls = times.tls { phases.append("TLS \(tls.shown)") }
        }
        if times.status != nil {
            phases += ["first byte \(times.firstByte.shown)", "content \(times.content.shown)"]
        }
        phases.append("total \(times.total.shown)")
        if times.status != nil { phases.append(ByteCountText.shown(times.size)) }
        return phases
    }
}
