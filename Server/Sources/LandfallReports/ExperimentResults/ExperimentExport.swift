// SPDX-License-Identifier: Apache-2.0
import LandfallServer
import LandfallWire

/// A page of an experiment's units with everything that its results are computed from: `GET /v1/experiments/{name}/units`.
package struct ExperimentExport: Hashable, Sendable, Codable {
    struct Epoch: Hashable, Sendable, Codable {
        let epoch: Int64
        /// Of the draw in the namespace `experiment`.
        let salt: String
        let startedAtMilliseconds: Int64
        /// In the order of the file: the ranges of buckets follow from them.
        let weights: [Weight]
    }

    struct Weight: Hashable, Sendable, Codable {
        let variation: String
        let weight: Int64
        /// The buckets from this one on,
        let from: Int64
        /// and before this one.
        let to: Int64
    }

    struct Metric: Hashable, Sendable, Codable {
        let metric: String
        let windowMilliseconds: Int64
        /// False: nothing is known of it.
        let measured: Bool
        /// True: units have an amount in `paidMilliunits`, and no outcome.
        let money: Bool
    }

    struct Unit: Hashable, Sendable, Codable {
        let unit: String
        let epoch: Int64
        let variation: String
        let bucket: Int64
        /// `drawn`, `echoed`, `override` or `holdout`.
        let step: String
        let revision: Int64
        let assignedAtMilliseconds: Int64
        let decidedAtMilliseconds: Int64?
        let shownAtMilliseconds: Int64?
        let fallbackAtMilliseconds: Int64?
        /// The first exposure by the results' rule; null for a unit that the results do not count.
        let exposedAtMilliseconds: Int64?
        /// The first time of each metric within its window.
        let outcomes: [String: Int64]
        /// What the unit paid for each metric of money within its window, less what came back; without zeros.
        let paidMilliunits: [String: Int64]
    }

    let experiment: String
    /// `shown` or `decided`: the rule by which results count units.
    package let basis: String
    /// In order; the first is the control.
    let variations: [String]
    let metrics: [Metric]
    /// Of all amounts; null without metrics of money.
    let currency: String?
    let epochs: [Epoch]
    let units: [Unit]
    /// The `after` of the next page; null on the last one.
    package let next: String?
}

/// The export as lines of text.
package struct ExperimentExportLines: Sendable {
    package enum Form: String, Sendable { case csv, json }

    private let form: Form

    package init(_ form: Form) { self.form = form }

    /// What stands above all units: of JSON lines the experiment, of CSV the names of columns.
    package func head(_ page: ExperimentExport) throws -> [String] {
        switch form {
        case .csv:
            let names = [
                "unit", "epoch", "salt", "variation", "bucket", "from", "to", "step", "revision", "assignedAtMilliseconds",
                "decidedAtMilliseconds", "shownAtMilliseconds", "fallbackAtMilliseconds", "exposedAtMilliseconds",
            ]
            let outcomes = page.metrics.map { SpreadsheetCell.text(($0.money ? "paidMilliunits." : "outcome.") + $0.metric) }
            return [(names + outcomes).joined(separator: ",")]
        case .json:
            let head = ExperimentExport(
                experiment: page.experiment, basis: page.basis, variations: page.variations, metrics: page.metrics,
                currency: page.currency, epochs: page.epochs, units: [], next: nil)
            return [try line(head)]
        }
    }

    package func lines(_ page: ExperimentExport) throws -> [String] {
        switch form {
        case .csv: page.units.map { cells($0, page).joined(separator: ",") }
        case .json: try page.units.map { try line($0) }
        }
    }

    private func cells(_ unit: ExperimentExport.Unit, _ page: ExperimentExport) -> [String] {
        let epoch = page.epochs.first { $0.epoch == unit.epoch }
        let weight = epoch?.weights.first { $0.variation.utf8.elementsEqual(unit.variation.utf8) }
        func cell(_ number: Int64?) -> String { number.map { String($0) } ?? "" }
        return [
            SpreadsheetCell.text(unit.unit), cell(unit.epoch), SpreadsheetCell.text(epoch?.salt), SpreadsheetCell.text(unit.variation),
            cell(unit.bucket), cell(weight?.from), cell(weight?.to), unit.step, cell(unit.revision),
            cell(unit.assignedAtMilliseconds), cell(unit.decidedAtMilliseconds), cell(unit.shownAtMilliseconds),
            cell(unit.fallbackAtMilliseconds), cell(unit.exposedAtMilliseconds),
        ] + page.metrics.map { cell($0.money ? unit.paidMilliunits[$0.metric] : unit.outcomes[$0.metric]) }
    }

    private func line(_ value: some Encodable) throws -> String {
        String(decoding: try WireCoding.encode(value), as: UTF8.self)
    }
}
