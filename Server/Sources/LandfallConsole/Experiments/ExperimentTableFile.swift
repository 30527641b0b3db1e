// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallReports
import LandfallResults
import LandfallServer

/// Experiments as comma-separated values.
enum ExperimentTableFile {
    static func response(_ lines: [String], named name: String) -> Response {
        ConsoleAnswer.file(lines.map { $0 + "\r\n" }.joined().utf8, type: "text/csv; charset=utf-8", name: name)
    }

    static func list(_ list: ExperimentList) -> [String] {
        ["experiment,state,day,primary,basis,units,plannedUnits,variations"]
            + list.experiments.map { one in
                [
                    SpreadsheetCell.text(one.experiment), one.state, one.day.map(String.init) ?? "", SpreadsheetCell.text(one.primary), one.basis,
                    "\(one.units)", "\(one.plannedUnits)", SpreadsheetCell.text(one.variations.joined(separator: " ")),
                ].joined(separator: ",")
            }
    }

    /// A line for each variation; what is not known is empty.
    static func variations(_ results: ResultsDocument) -> [String] {
        ["variation,units,conversions,rate,rateLower,rateUpper,mean,lift,liftLower,liftUpper,verdict,currency"]
            + results.variations.map { one in
                let compared = results.comparisons.first { $0.role == .primary && $0.variation == one.variation }
                return [
                    SpreadsheetCell.text(one.variation), "\(one.units)", one.conversions.map(String.init) ?? "", number(one.rate),
                    number(one.rateInterval?.lower), number(one.rateInterval?.upper), number(one.mean), number(compared?.lift),
                    number(compared?.liftInterval?.lower), number(compared?.liftInterval?.upper), compared?.verdict.rawValue ?? "",
                    one.mean == nil ? "" : results.currency ?? "",
                ].joined(separator: ",")
            }
    }

    private static func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }
}
