// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

extension UnitAssignment {
    /// Only the columns that decide.
    private enum Column: Int, TableColumn { case unit, experiment, epoch, variation, bucket, step, revision }

    /// What the store has for an install and for the first install of its device.
    static func all(
        of install: InstallID, first: InstallID?, in app: AppID, from connection: any ReadConnection
    ) throws -> [UnitAssignment] {
        let rows = try connection.rows(
            Self.text, [.text(app.rawValue), .text(install.rawValue), .text((first ?? install).rawValue)])
        let at = ColumnIndexes<Column>()
        return try rows.map { row in
            UnitAssignment(
                unit: InstallID(try row.text(at[.unit])), experiment: ExperimentID(try row.text(at[.experiment])),
                epoch: try row.integer(at[.epoch]), variation: VariationName(try row.text(at[.variation])),
                bucket: try row.integer(at[.bucket]),
                // A step of a later release: the unit has its variation all the same.
                step: Step(rawValue: try row.text(at[.step])) ?? .echoed, revision: try row.integer(at[.revision]))
        }
    }

    func insertion(in app: AppID, nowMs: Int64, marks: ExperimentMarks = ExperimentMarks()) -> Statement {
        Statement(
            Self.insertText,
            [
                .text(app.rawValue), .text(unit.rawValue), .text(experiment.rawValue), .integer(epoch), .text(variation.rawValue),
                .integer(bucket), .text(step.rawValue), .integer(revision), .integer(nowMs), .integer(marks.decidedAtMs),
                .integer(marks.shownAtMs), .integer(marks.fallbackAtMs),
            ])
    }

    /// Marks a stored row with this step; its variation stays.
    func marking(in app: AppID) -> Statement {
        Statement(
            "UPDATE experiment_unit SET step = $4 WHERE app_id = $1 AND unit = $2 AND experiment = $3",
            [.text(app.rawValue), .text(unit.rawValue), .text(experiment.rawValue), .text(step.rawValue)])
    }

    private static let text = "SELECT \(Column.names()) FROM experiment_unit WHERE app_id = $1 AND unit IN ($2, $3)"
    /// The first one to write wins: another node's row stays.
    private static let insertText = """
        INSERT INTO experiment_unit (app_id, unit, experiment, epoch, variation, bucket, step, revision, assigned_at_ms,
          decided_at_ms, shown_at_ms, fallback_at_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING
        """
}

/// What events say about an assignment. Each is the earliest by event time, so order and repetition do not matter.
struct ExperimentMarks: Hashable, Sendable {
    var decidedAtMs: Int64?
    var shownAtMs: Int64?
    var fallbackAtMs: Int64?

    mutating func add(_ other: ExperimentMarks) {
        func earliest(_ one: Int64?, _ other: Int64?) -> Int64? { [one, other].compactMap(\.self).min() }
        decidedAtMs = earliest(decidedAtMs, other.decidedAtMs)
        shownAtMs = earliest(shownAtMs, other.shownAtMs)
        fallbackAtMs = earliest(fallbackAtMs, other.fallbackAtMs)
    }

    var isEmpty: Bool { decidedAtMs == nil && shownAtMs == nil && fallbackAtMs == nil }

    /// Adds them to a stored row.
    func adding(to assignment: UnitAssignment, in app: AppID) -> Statement {
        Statement(
            Self.text,
            [
                .text(app.rawValue), .text(assignment.unit.rawValue), .text(assignment.experiment.rawValue), .integer(decidedAtMs),
                .integer(shownAtMs), .integer(fallbackAtMs),
            ])
    }

    private static let text = """
        UPDATE experiment_unit SET
          decided_at_ms = CASE WHEN decided_at_ms IS NULL OR decided_at_ms > $4 THEN $4 ELSE decided_at_ms END,
          shown_at_ms = CASE WHEN shown_at_ms IS NULL OR shown_at_ms > $5 THEN $5 ELSE shown_at_ms END,
          fallback_at_ms = CASE WHEN fallback_at_ms IS NULL OR fallback_at_ms > $6 THEN $6 ELSE fallback_at_ms END
        WHERE app_id = $1 AND unit = $2 AND experiment = $3
        """
}
