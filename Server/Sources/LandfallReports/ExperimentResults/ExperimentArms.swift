// SPDX-License-Identifier: Apache-2.0
import LandfallResults
import LandfallRules
import LandfallStore

/// Counts the units of an experiment by ranges of the index `experiment_unit_by_arm`: no unit becomes a row in memory.
struct ExperimentArms: Sendable {
    /// Units of one step, epoch and variation. Holdout units and overrides are not arms.
    struct Arm: Hashable, Sendable {
        let step: String
        let epoch: Int64
        let variation: String
    }

    static let steps = ["drawn", "echoed"]

    let database: any StoreReading
    let app: AppID
    let experiment: String
    /// See ``CountedExperiment/countedEpochs``. Units of other epochs are not read.
    let epochs: [ClosedRange<Int64>]

    init(database: any StoreReading, app: AppID, _ experiment: CountedExperiment) {
        (self.database, self.app, self.experiment, epochs) = (database, app, experiment.name, experiment.countedEpochs)
    }

    /// The arms that have units.
    func all() async throws -> [Arm] {
        var arms: [Arm] = []
        for step in Self.steps {
            for epochs in epochs {
                var last: Arm?
                while let next = try await arm(after: last, step, epochs) {
                    arms.append(next)
                    last = next
                }
            }
        }
        return arms
    }

    private func arm(after last: Arm?, _ step: String, _ epochs: ClosedRange<Int64>) async throws -> Arm? {
        try Task.checkCancellation()
        let values = key + [.text(step), .integer(last?.epoch ?? epochs.lowerBound - 1)]
        let row = try await database.read { connection -> Row? in
            // Two steps of the index: comparing both columns at once would read every unit of the last arm.
            if let last, let next = try connection.row(Self.nextVariationText, values + [.text(last.variation)]) { return next }
            return try connection.row(Self.nextEpochText, values + [.integer(epochs.upperBound)])
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

    /// The units of an arm by the day of their first time: those that were shown their variation, and the others for whom it was
    /// decided.
    struct Days: Sendable {
        let shown: [Int64: Int]
        let decidedOnly: [Int64: Int]

        var shownUnits: Int { shown.values.reduce(0, +) }
        var decidedUnits: Int { shownUnits + decidedOnly.values.reduce(0, +) }
    }

    func days(_ arm: Arm) async throws -> Days {
        Days(
            shown: try await days(of: Self.shownText, Self.firstShownText, arm),
            decidedOnly: try await days(of: Self.decidedText, Self.firstDecidedText, arm))
    }

    /// The first exposures of an arm by day.
    func exposures(_ arm: Arm, _ found: Days, _ basis: ExperimentNumbers.Basis) async throws -> [Int64: Int] {
        guard basis == .decided else { return found.shown }
        var days = found.shown
        // Who was shown a paywall on one day may have been decided about on an earlier one.
        for day in found.shown.keys {
            for (before, count) in try await earlier(arm, day * Self.dayMs..<(day + 1) * Self.dayMs) {
                days[day, default: 0] -= count
                days[before, default: 0] += count
            }
        }
        days.merge(found.decidedOnly) { $0 + $1 }
        return days.filter { $0.value > 0 }
    }

    /// Units that were shown their variation in this time and decided about before it, by day.
    private func earlier(_ arm: Arm, _ range: Range<Int64>) async throws -> [(Int64, Int)] {
        try Task.checkCancellation()
        let values = key(arm) + [.integer(range.lowerBound), .integer(range.upperBound)]
        return try await database.read { connection in
            try connection.rows(Self.earlierText, values).map { (try $0.integer(0), Int(try $0.integer(1))) }
        }
    }

    /// Units that were first exposed before this time, of those whose exposures by day are known: only one day is read again.
    func count(_ arm: Arm, exposedBeforeMs: Int64, _ exposures: [Int64: Int], _ basis: ExperimentNumbers.Basis) async throws -> Int {
        let day = CountedExperiment.day(exposedBeforeMs), range = day * Self.dayMs..<exposedBeforeMs
        let before = exposures.reduce(0) { $1.key < day ? $0 + $1.value : $0 }
        guard !range.isEmpty, exposures[day] != nil else { return before }
        return before + (try await count(arm, exposedIn: range, basis))
    }

    private func count(_ arm: Arm, exposedIn range: Range<Int64>, _ basis: ExperimentNumbers.Basis) async throws -> Int {
        let values = key(arm) + [.integer(range.lowerBound), .integer(range.upperBound)]
        let count: Int = try await database.read { connection in
            var count = try connection.row(Self.shownText, values)?.integer(0) ?? 0
            if basis == .decided {
                count += try connection.row(Self.decidedText, values)?.integer(0) ?? 0
                count += try connection.row(Self.shownLaterText, values)?.integer(0) ?? 0
            }
            return Int(count)
        }
        guard basis == .decided else { return count }
        return try await earlier(arm, range).reduce(count) { $0 - $1.1 }
    }

    /// From the first exposure of these arms to the last one; no unit is read for it, except by the rule `decided`. Nil if there
    /// is none.
    func span(of arms: [Arm], _ basis: ExperimentNumbers.Basis) async throws -> ClosedRange<Int64>? {
        var times: [Int64] = []
        for arm in arms {
            try Task.checkCancellation()
            let key = key(arm)
            let found: [Int64] = try await database.read { connection in
                let least = key + [.integer(Int64.min)], most = key + [.integer(Int64.max)]
                var rows = [try connection.row(Self.firstShownText, least), try connection.row(Self.lastShownText, most)]
                if basis == .decided {
                    rows.append(try connection.row(Self.firstDecidedText, least))
                    rows.append(try connection.row(Self.lastDecidedText, most))
                    rows.append(try connection.row(Self.earliestText, least))
                }
                return rows.compactMap { $0?.optionalInteger(0) }
            }
            times += found
        }
        guard let first = times.min(), let last = times.max() else { return nil }
        return first...last
    }

    /// About when the first unit was exposed, also with a variation that the experiment no longer has; no unit is read for it. Nil if none was.
    func firstExposureMs(_ basis: ExperimentNumbers.Basis) async throws -> Int64? {
        let texts = basis == .decided ? [Self.firstShownText, Self.firstDecidedText] : [Self.firstShownText]
        var times: [Int64] = []
        for arm in try await all() {
            try Task.checkCancellation()
            let values = key(arm) + [.integer(Int64.min)]
            let found: [Int64] = try await database.read { connection in
                try texts.compactMap { try connection.row($0, values)?.integer(0) }
            }
            times += found
        }
        return times.min()
    }

    private static let dayMs = CountedExperiment.dayMs

    /// Days that one read counts.
    private static let daysAtOnce = 16

    private func days(of text: String, _ first: String, _ arm: Arm) async throws -> [Int64: Int] {
        var days: [Int64: Int] = [:], fromMs = Int64.min
        let key = key(arm)
        while true {
            try Task.checkCancellation()
            let found: [(day: Int64, units: Int)] = try await database.read { [fromMs] connection in
                var found: [(Int64, Int)] = [], fromMs = fromMs
                while found.count < Self.daysAtOnce, let row = try connection.row(first, key + [.integer(fromMs)]) {
                    let day = CountedExperiment.day(try row.integer(0))
                    fromMs = (day + 1) * Self.dayMs
                    let range: [SQLValue] = [.integer(day * Self.dayMs), .integer(fromMs)]
                    found.append((day, Int(try connection.row(text, key + range)?.integer(0) ?? 0)))
                }
                return found
            }
            for (day, units) in found { days[day] = units }
            guard found.count == Self.daysAtOnce, let last = found.last else { return days }
            fromMs = (last.day + 1) * Self.dayMs
        }
    }

    /// Units that the phone brought back, exposed or not.
    func echoed() async throws -> Int {
        try await sum(Self.echoedText, [])
    }

    /// Units that saw the app's bundled paywall before their variation.
    func fallbackFirst(_ basis: ExperimentNumbers.Basis) async throws -> Int {
        try await sum(Self.fallbackText, [.flag(basis == .decided)])
    }

    /// - Parameter text: counts units of some epochs.
    private func sum(_ text: String, _ rest: [SQLValue]) async throws -> Int {
        var count: Int64 = 0
        for epochs in epochs {
            try Task.checkCancellation()
            let values = key + [.integer(epochs.lowerBound), .integer(epochs.upperBound)] + rest
            count += try await database.read { try $0.row(text, values)?.integer(0) ?? 0 }
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
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch > $4 AND epoch <= $5 ORDER BY epoch, variation LIMIT 1
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
    /// Units that were decided about in this time and shown a paywall after it.
    static let shownLaterText = """
        SELECT COUNT(*) AS units FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch = $4 AND variation = $5 AND shown_at_ms >= $7
          AND decided_at_ms >= $6 AND decided_at_ms < $7
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
    static let lastShownText = """
        SELECT shown_at_ms FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch = $4 AND variation = $5 AND shown_at_ms <= $6
        ORDER BY shown_at_ms DESC LIMIT 1
        """
    static let lastDecidedText = """
        SELECT decided_at_ms FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch = $4 AND variation = $5 AND shown_at_ms IS NULL
          AND decided_at_ms <= $6
        ORDER BY decided_at_ms DESC LIMIT 1
        """
    /// Reads the whole arm in its index.
    static let earliestText = """
        SELECT MIN(decided_at_ms) AS first_at_ms FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch = $4 AND variation = $5 AND shown_at_ms >= $6
        """
    /// Units that were shown a paywall in this time and decided about before it, by day.
    static let earlierText = """
        SELECT decided_at_ms / 86400000 AS day, COUNT(*) AS units FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = $3 AND epoch = $4 AND variation = $5 AND shown_at_ms >= $6
          AND shown_at_ms < $7 AND decided_at_ms < $6
        GROUP BY 1
        """
    static let echoedText = """
        SELECT COUNT(*) AS units FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step = 'echoed' AND epoch >= $3 AND epoch <= $4
        """
    static let fallbackText = """
        SELECT COUNT(*) AS units FROM experiment_unit
        WHERE app_id = $1 AND experiment = $2 AND step IN ('drawn', 'echoed') AND epoch >= $3 AND epoch <= $4
          AND fallback_at_ms IS NOT NULL
          AND (fallback_at_ms < shown_at_ms OR ($5 = 1 AND shown_at_ms IS NULL AND decided_at_ms IS NOT NULL))
        """
}
