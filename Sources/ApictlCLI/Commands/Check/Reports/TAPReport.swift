import EndpointKit

/// The Test Anything Protocol, version 13 (testanything.org).
struct TAPReport {
    private let report: CheckReport

    init(_ report: CheckReport) { self.report = report }

    /// Throws what the output does.
    func write(to text: inout BufferedText) throws {
        try text.write("TAP version 13\n1..\(report.records.count)\n")
        for (number, item) in report.items.enumerated() {
            let run = item.record.run > 1 ? ", run \(item.record.run)" : ""
            // Not `#1`: a number sign begins a directive.
            let name = "\(number + 1) - \(item.check.name) (\(item.check.title)\(run))"
            if let reason = item.skipReason {
                try text.write("ok \(name) # SKIP \(reason)\n")
            } else {
                try text.write("\(item.outcome.verdict == .failed ? "not ok" : "ok") \(name)\n")
            }
            let isSkipped = item.outcome.verdict == .skipped
            for line in (isSkipped ? [] : item.problemLines) + [item.flakyText, item.curlLine].compactMap(\.self) {
                try text.write("# \(line)\n")
            }
        }
        // Readers of TAP count what was skipped as passed.
        if report.isInterrupted {
            try text.write("Bail out! interrupted\n")
        } else if report.isEmpty {
            try text.write("Bail out! nothing was checked\n")
        }
    }
}
