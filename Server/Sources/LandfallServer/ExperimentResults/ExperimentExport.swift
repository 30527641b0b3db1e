// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A page of an experiment's units with everything that its results are computed from: `GET /v1/experiments/{name}/units`.
public struct ExperimentExport: Hashable, Sendable, Codable {
    public struct Epoch: Hashable, Sendable, Codable {
        public let epoch: Int64
        /// Of the draw in the namespace `experiment`.
        public let salt: String
        public let startedAtMilliseconds: Int64
        /// In the order of the file: the ranges of buckets follow from them.
        public let weights: [Weight]
    }

    public struct Weight: Hashable, Sendable, Codable {
        public let variation: String
        public let weight: Int64
        /// The buckets from this one on,
        public let from: Int64
        /// and before this one.
        public let to: Int64
    }

    public struct Metric: Hashable, Sendable, Codable {
        public let metric: String
        public let windowMilliseconds: Int64
        /// False: nothing is known of it.
        public let measured: Bool
    }

    public struct Unit: Hashable, Sendable, Codable {
        public let unit: String
        public let epoch: Int64
        public let variation: String
        public let bucket: Int64
        /// `drawn`, `echoed`, `override` or `holdout`.
        public let step: String
        public let revision: Int64
        public let assignedAtMilliseconds: Int64
        public let decidedAtMilliseconds: Int64?
        public let shownAtMilliseconds: Int64?
        public let fallbackAtMilliseconds: Int64?
        /// The first exposure by the results' rule; null for a unit that the results do not count.
        public let exposedAtMilliseconds: Int64?
        /// The first time of each metric within its window.
        public let outcomes: [String: Int64]
    }

    public let experiment: String
    /// `shown` or `decided`: the rule by which results count units.
    public let basis: String
    /// In order; the first is the control.
    public let variations: [String]
    public let metrics: [Metric]
    public let epochs: [Epoch]
    public let units: [Unit]
    /// The `after` of the next page; null on the last one.
    public let next: String?
}

/// The export as lines of text.
public struct ExperimentExportLines: Sendable {
    public enum Form: String, Sendable { case csv, json }

    private let form: Form

    public init(_ form: Form) { self.form = form }

    /// What stands above all units: of JSON lines the experiment, of CSV the names of columns.
    public func head(_ page: ExperimentExport) throws -> [String] {
        switch form {
        case .csv:
            let names = [
                "unit", "epoch", "salt", "variation", "bucket", "from", "to", "step", "revision", "assignedAtMilliseconds",
                "decidedAtMilliseconds", "shownAtMilliseconds", "fallbackAtMilliseconds", "exposedAtMilliseconds",
            ]
            return [(names + page.metrics.map { SpreadsheetCell.text("outcome." + $0.metric) }).joined(separator: ",")]
        case .json:
            let head = ExperimentExport(
                experiment: page.experiment, basis: page.basis, variations: page.variations, metrics: page.metrics,
                epochs: page.epochs, units: [], next: nil)
            return [try line(head)]
        }
    }

    public func lines(_ page: ExperimentExport) throws -> [String] {
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
        ] + page.metrics.map { cell(unit.outcomes[$0.metric]) }
    }

    private func line(_ value: some Encodable) throws -> String {
        String(decoding: try WireCoding.encode(value), as: UTF8.self)
    }
}
