import EndpointKit
import Synchronization

/// Collects the duration of each phase of each transfer of a call.
final class TimingLog: Sendable {
    private let collected = Mutex<[TransferTimes]>([])

    func add(_ times: TransferTimes) { collected.withLock { $0.append(times) } }

    /// The transfers, in the order they ended.
    var transfers: [TransferTimes] { collected.withLock { $0 } }

    /// One line per transfer, in the order they ended, with aligned phases.
    var text: String { Self.text(transfers) }

    static func text(_ transfers: [TransferTimes]) -> String {
        let rows = transfers.map(cells)
        let widths = rows.reduce(into: [Int](repeating: 0, count: 8)) { widths, row in
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell?.value.count ?? 0) }
        }
        let lines = rows.map { row in
            zip(row, widths).map { cell, width in
                guard let cell else { return "" }
                if cell.name.isEmpty || cell.value.isEmpty { return cell.name + cell.value }
                return cell.name + String(repeating: " ", count: width - cell.value.count) + cell.value
            }
        }
        return aligned(lines).map { "timing: \($0)\n" }.joined()
    }

    /// A phase's name and duration.
    private typealias Cell = (name: String, value: String)

    private static func cells(_ times: TransferTimes) -> [Cell?] {
        func phase(_ name: String, _ time: Duration) -> Cell { ("\(name) ", time.shownAsPhase) }
        let isNew = !times.reusedConnection
        let hasResponse = times.status != nil
        return [
            ("", times.status.map(String.init) ?? "no response"),
            isNew ? phase("name lookup", times.nameLookup) : ("connection reused", ""),
            isNew ? phase("connect", times.connect) : nil,
            isNew ? times.tls.map { phase("TLS", $0) } : nil,
            hasResponse ? phase("first byte", times.firstByte) : nil,
            hasResponse ? phase("content", times.content) : nil,
            phase("total", times.total),
            hasResponse ? ("", size(times)) : nil,
        ]
    }

    /// The body's size and the average speed over the whole transfer, as in curl.
    private static func size(_ times: TransferTimes) -> String {
        let bytes = Int(max(times.receivedBytes, 0))
        let seconds = times.total.inSeconds
        guard bytes > 0, seconds > 0 else { return ByteCountText.shown(bytes) }
        // A higher rate is a measuring error, and would overflow.
        let rate = Int(min(Double(bytes) / seconds, 1e18))
        return "\(ByteCountText.shown(bytes)) at \(ByteCountText.shown(rate))/s"
    }

    /// Joins the cells of each line with commas, in aligned columns; columns that are empty in all lines are omitted.
    private static func aligned(_ lines: [[String]]) -> [String] {
        let columns = lines.first?.indices.filter { column in lines.contains { !$0[column].isEmpty } } ?? []
        let widths = columns.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in
            let last = columns.last { !cells[$0].isEmpty }
            return zip(columns, widths).map { column, width in
                let cell = cells[column]
                if column == last { return cell }
                let comma = cell.isEmpty ? "  " : ", "
                return last.map { column < $0 } == true
                    ? cell + comma + String(repeating: " ", count: width - cell.count) : ""
            }.joined()
        }
    }
}
