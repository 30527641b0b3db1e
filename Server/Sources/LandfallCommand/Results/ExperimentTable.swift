// SPDX-License-Identifier: Apache-2.0
import LandfallReports

/// All experiments, one in a line.
struct ExperimentTable {
    let list: ExperimentList

    init(_ list: ExperimentList) { self.list = list }

    var lines: [String] {
        guard !list.experiments.isEmpty else { return ["There is no experiment in the configuration (docs/features/experiments.md)."] }
        let head = ["experiment", "state", "day", "units", "planned", "primary", "variations"]
        let rows = list.experiments.map { one in
            [
                one.experiment, one.state, one.day.map { String($0) } ?? "–", "\(ResultsFigures.count(one.units)) \(one.basis)",
                ResultsFigures.count(one.plannedUnits), one.primary ?? "–", one.variations.joined(separator: ", "),
            ]
        }
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        return ([head] + rows).map { row in
            var line = row.indices.map { ResultsFigures.left(row[$0], widths[$0]) }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
