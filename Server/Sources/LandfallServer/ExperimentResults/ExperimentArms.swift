// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallResults

/// Counts the units of an experiment by ranges of the index `experiment_unit_by_arm`: no unit becomes a row in memory.
struct ExperimentArms: Sendable {
    /// Units of one step, epoch and variation. Holdout units and overrides are no arms.
    struct Arm: Hashable, Sendable {
        let step: String
        let epoch: Int64
        let variation: String
    }

    static let steps = ["drawn", "echoed"]

    let database: any Database
    let app: AppID
    let experiment: String

    /// The arms that have units.
    func all() async throws -> [Arm] {
        var arms: [Arm] = []
        for step in Self.steps {
            var last: Arm?
            while let next = try await arm(after: last, step) {
                arms.append(next)
                last = next
            }
        }
        return arms
    }

    private func arm(after last: Arm?, _ step: String) async throws -> Arm? {
        try Task.checkCancellation()
        let values = key + [.text(step), .integer(last?.epoch ?? Int64.min)]
        let row = try await database.read { connection -> Row? in
            // Two steps of the index: comparing both columns at once would read every unit of the last arm.
            if let last, let next = try connection.row(Self.nextVariationText, values + [.text(last.variation)]) { return next }
            return try connection.row(Self.nextEpochText, values)
        }
        return try row.map { Arm(step: step, epoch: try $0.integer(0), variation: try $0.text(1)) }
    }

    private var key: [SQLValue] { [.text(app.rawValue), .text(experiment)] }

    private func key(_ arm: Arm) -> [SQLValue] { key + [.text(arm.step), .integer(arm.epoch), .text(arm.variation)] }

    /// - Returns: units that were shown their variation, and those that were not but for whom it was decided.
    func counts(_ arm: Arm) async throws -> (shown: Int, decidedOnly: Int) {
        let values = key(arm)
        return try await database.read { connection in
            let shown = try connection.row(Self.shownText, values + [.integer(Int64.min), .integer(Int64.max)])?.integer(0) ?? 0
            let decided = try connection.row(Self.decidedText, values + [.integer(Int64.min), .integer(Int64.max)])?.integer(0) ?? 0
            return (Int(shown), Int(decided))
        }
    }

    /// The first exposures of an arm by day.
    func days(_ arm: Arm, _ basis: ExperimentNumbers.Basis) async throws -> [Int64: Int] {
        var days = try await days(of: Self.shownText, Self.firstShownText, arm)
        guard basis == .decided else { return days }
        for (day, count) in try await self.days(of: Self.decidedText, Self.firstDecidedText, arm) { days[day, default: 0] += count }
        // Who was shown a paywall on one day may have been decided about on an earlier one.
        for (day, _) in days {
            try Task.checkCancellation()
            let values = key(arm) + [.integer(day * Self.dayMs), .integer((day + 1) * Self.dayMs)]
            for row in try await database.read({ try $0.rows(Self.earlierText, values) }) {
                let count = Int(try row.integer(1))
                days[day, default: 0] -= count
                days[try row.integer(0), default: 0] += count
            }
        }
        return days.filter { $0.value > 0 }
    }

    private static let dayMs = CountedExperiment.dayMs

    private func days(of text: String, _ first: String, _ arm: Arm) async throws -> [Int64: Int] {
        var days: [Int64: Int] = [:], fromMs = Int64.min
        let key = key(arm)
        while true {
            try Task.checkCancellation()
            let day: (Int64, Int)? = try await database.read { [fromMs] connection in
                guard let row = try connection.row(first, key + [.integer(fromMs)]) else { return nil }
                let day = CountedExperiment.day(try row.integer(0))
                let range: [SQLValue] = [.integer(day * Self.dayMs), .integer((day + 1) * Self.dayMs)]
                return (day, Int(try connection.row(text, key + range)?.integer(0) ?? 0))
            }
            guard let day else { return days }
            days[day.0] = day.1
            fromMs = (day.0 + 1) * Self.dayMs
        }
    }

    /// Units that were first exposed before this time.
    func count(_ arm: Arm, exposedBeforeMs: Int64, _ basis: ExperimentNumbers.Basis) async throws -> Int {
        let values = key(arm)
        return try await database.read { connection in
            let before = values + [.integer(Int64.min), .integer(exposedBeforeMs)]
            var count = try connection.row(Self.shownText, before)?.integer(0) ?? 0
            if basis == .decided {
                count += try connection.row(Self.decidedText, before)?.integer(0) ?? 0
                count += try connection.row(Self.decidedBeforeText, values + [.integer(exposedBeforeMs)])?.integer(0) ?? 0
            }
            return Int(count)
        }
    }

    /// Units that the phone brought back, exposed or not.
    func echoed() async throws -> Int {
        let values = key + [.text("echoed")]
        return Int(try await database.read { try $0.row(Self.stepText, values)?.integer(0) ?? 0 })
    }

    /// Units that saw the app's bundled paywall before their variation.
    func fallbackFirst(_ basis: ExperimentNumbers.Basis) async throws -> Int {
        var count: Int64 = 0
        for step in Self.steps {
            let values = key + [.text(step), .flag(basis == .decided)]
            count += try await database.read { try $0.row(Self.fallbackText, values)?.integer(0) ?? 0 }
        }
        return Int(count)
    }
}

extension ExperimentArms {
    static let nextVariationText = """
        SELECT epoch, variation FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch = $4 AND variation > $5 ORDER BY variation LIMIT 1
        """
    static let nextEpochText = """
        SELECT epoch, variation FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch > $4 ORDER BY epoch, variation LIMIT 1
        """
    static let shownText = """
        SELECT COUNT(*) AS units FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch = $4 AND variation = $5
          AND shown_at_ms >= $6 AND shown_at_ms < $7
        """
    static let decidedText = """
        SELECT COUNT(*) AS units FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch = $4 AND variation = $5 AND shown_at_ms IS NULL
          AND decided_at_ms >= $6 AND decided_at_ms < $7
        """
    static let decidedBeforeText = """
        SELECT COUNT(*) AS units FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch = $4 AND variation = $5 AND shown_at_ms >= $6
          AND decided_at_ms < $6
        """
    static let firstShownText = """
        SELECT shown_at_ms FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch = $4 AND variation = $5 AND shown_at_ms >= $6
        ORDER BY shown_at_ms LIMIT 1
        """
    static let firstDecidedText = """
        SELECT decided_at_ms FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch = $4 AND variation = $5 AND shown_at_ms IS NULL
          AND decided_at_ms >= $6
        ORDER BY decided_at_ms LIMIT 1
        """
    /// Units that were shown a paywall in this time and decided about before it, by day.
    static let earlierText = """
        SELECT decided_at_ms / 86400000 AS day, COUNT(*) AS units FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch = $4 AND variation = $5 AND shown_at_ms >= $6
          AND shown_at_ms < $7 AND decided_at_ms < $6
        GROUP BY 1
        """
    static let stepText = """
        SELECT COUNT(*) AS units FROM experiment_unit WHERE app_id = $1 AND experiment = $2 AND step = $3
        """
    static let fallbackText = """
        SELECT COUNT(*) AS units FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND fallback_at_ms IS NOT NULL
          AND (fallback_at_ms < shown_at_ms OR ($4 = 1 AND shown_at_ms IS NULL AND decided_at_ms IS NOT NULL))
        """
}
