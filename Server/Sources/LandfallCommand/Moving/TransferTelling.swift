// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// Tells people how far a transfer is: a line for each table with rows, and one each five seconds within a large table.
final class TransferTelling {
    private static let pause = Duration.seconds(5)

    private var last = ContinuousClock.now

    func tell(_ progress: StoreTransfer.Progress) {
        if progress.step == .copied ? progress.rows == 0 : ContinuousClock.now - last < Self.pause { return }
        last = .now
        let doing = progress.step == .comparing ? "rows compared" : progress.step == .copied ? "rows" : "rows copied"
        Output.remark("\(progress.table): \(progress.rows) \(doing)")
    }
}

/// A transfer's result for people, with a line for each table.
struct TransferTable {
    let tables: [StoreTransfer.Table]

    var lines: [String] {
        let rows = [("table", "rows", "checksum")] + tables.map { ($0.table, "\($0.rows)", "\($0.checksum.prefix(16))…") }
        let (names, counts) = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
        return rows.map { name, count, checksum in
            [name.padded(to: names), count.padded(to: counts, toTheRight: true), checksum].joined(separator: "  ")
        }
    }
}
