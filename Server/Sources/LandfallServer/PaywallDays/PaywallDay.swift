// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// Counts the exposures of one day, and what the installs did that saw a paywall there for the first time. A pure sum of their rows:
/// the order of events changes nothing.
struct PaywallDay: Sendable {
    /// Installs of one read.
    static let page = 2_000

    let app: AppID
    let rules: RollupRules
    let testDevices: TestDevices
    var page = page

    /// - Returns: the cells of every cut.
    /// - Throws: the errors of the store; `CancellationError`.
    func cells(of day: Int64, _ database: any Database) async throws -> [PaywallCut: [ReportSheet.Key: [Int64]]] {
        var sums = PaywallSums(day: rules.zone.startMs(ofDay: day)..<rules.zone.startMs(ofDay: day + 1), metrics: rules.metrics)
        var after = ""
        while true {
            try Task.checkCancellation()
            let values: [SQLValue] = [
                .text(app.rawValue), .integer(sums.day.lowerBound), .integer(sums.day.upperBound), .text(after), .integer(Int64(page)),
            ]
            let (events, installs) = try await database.read { connection in
                (try connection.rows(Self.eventsText, values + types), try connection.rows(Self.installsText, values))
            }
            let rows = try Dictionary(grouping: installs) { try $0.text(0) }
            var known: [String: ReportedInstall] = [:]
            for (id, rows) in rows { known[id] = try ReportedInstall(id, rows) }
            for (id, events) in try Dictionary(grouping: events, by: { try $0.text(0) }) {
                // The installs of the team's own phones say nothing about its users.
                guard let install = known[id], testDevices.device(install.id, first: install.firstInstall) == nil else { continue }
                try sums.add(events.map { try PaywallSums.Event($0) }, attributedAtMs: install.origin?.recordedAtMs)
            }
            guard rows.count >= page, let last = rows.keys.max() else { break }
            after = last
        }
        return sums.cells
    }

    private var types: [SQLValue] {
        let types = [Event.Kind.paywallShown.rawValue] + rules.types.map(\.rawValue).sorted()
        return (0..<EventReading.mostTypes).map { .text(types.indices.contains($0) ? types[$0] : types[0]) }
    }

    /// The next installs that saw a paywall on the day. The condition on the install is written so that no index answers it: the one of
    /// all events by their install would be read from end to end.
    private static let installs = """
        SELECT install_id FROM (
          SELECT DISTINCT install_id FROM event WHERE app_id = $1 AND type = 'paywall_shown' AND occurred_at_ms >= $2 AND occurred_at_ms < $3
        ) AS seen
        WHERE install_id || '' > $4 ORDER BY install_id LIMIT $5
        """
    /// Each install's events are found by the install: the condition on the id makes that the shortest way.
    static let eventsText = """
        SELECT e.install_id, e.type, e.occurred_at_ms, e.placement, e.paywall, e.variation_id, e.audience, e.origin, e.elapsed_ms
        FROM (
        \(installs)
        ) d CROSS JOIN event e
        WHERE e.app_id = $1 AND e.install_id = d.install_id AND e.id > ''
          AND e.type IN (\(Statement.places(6..<6 + EventReading.mostTypes)))
        """
    static let installsText = InstallReading.columns + "\nFROM (\n\(installs)\n) d CROSS JOIN install i\n" + InstallReading.facts
        + "\nWHERE i.app_id = $1 AND i.install_id = d.install_id"
}
