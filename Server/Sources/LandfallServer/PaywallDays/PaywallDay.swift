// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// Counts the exposures of one day, and what the installs did that saw a paywall there for the first time. A pure sum of their rows:
/// the order of events changes nothing.
struct PaywallDay: Sendable {
    /// Installs that are listed at a time. Every list is made from all exposures of the day, so it has more than one read of events.
    static let page = 100_000
    /// Installs of one read; each has a place in the texts.
    static let part = 500
    private static let partsAtOnce = 2

    let app: AppID
    let rules: RollupRules
    let testDevices: TestDevices
    var page = page
    /// At most ``part``.
    var part = part

    /// - Returns: the cells of every cut.
    /// - Throws: the errors of the store; `CancellationError`.
    func cells(of day: Int64, _ database: any Database) async throws -> [PaywallCut: [ReportSheet.Key: [Int64]]] {
        var sums = PaywallSums(day: rules.zone.startMs(ofDay: day)..<rules.zone.startMs(ofDay: day + 1), metrics: rules.metrics)
        var after = ""
        while true {
            let values: [SQLValue] = [
                .text(app.rawValue), .integer(sums.day.lowerBound), .integer(sums.day.upperBound), .text(after), .integer(Int64(page)),
            ]
            let installs = try await database.read { try $0.rows(Self.seenText, values).map { try $0.text(0) } }
            let atOnce = part * Self.partsAtOnce
            for start in stride(from: 0, to: installs.count, by: atOnce) {
                try Task.checkCancellation()
                let seen = try await Array(installs[start...].prefix(atOnce)).readInParts(of: part) { try await read(Array($0), database) }
                for one in seen { sums.add(one.events, attributedAtMs: one.attributedAtMs) }
            }
            guard installs.count >= page, let last = installs.last else { break }
            after = last
        }
        return sums.cells
    }

    /// What an install saw and did.
    private struct Seen: Sendable {
        let events: [PaywallSums.Event]
        let attributedAtMs: Int64?
    }

    private func read(_ installs: [String], _ database: any Database) async throws -> [Seen] {
        let places = (0..<Self.part).map { SQLValue.text(installs[min($0, installs.count - 1)]) }
        let values = [.text(app.rawValue)] + places
        let (events, facts) = try await database.read { [types] connection in
            (try connection.rows(Self.eventsText, values + types), try connection.rows(Self.installsText, values))
        }
        let eventsOf = try Dictionary(grouping: events) { try $0.text(0) }
        return try Dictionary(grouping: facts, by: { try $0.text(0) }).compactMap { id, rows in
            // The installs of the team's own phones say nothing about its users.
            guard let install = try ReportedInstall(id, rows), testDevices.device(install.id, first: install.firstInstall) == nil else {
                return nil
            }
            return Seen(events: try eventsOf[id, default: []].map { try .init($0) }, attributedAtMs: install.origin?.recordedAtMs)
        }
    }

    private var types: [SQLValue] {
        let types = [Event.Kind.paywallShown.rawValue] + rules.types.map(\.rawValue).sorted()
        return (0..<EventReading.mostTypes).map { .text(types.indices.contains($0) ? types[$0] : types[0]) }
    }

    /// The next installs that saw a paywall on the day. The condition on the install is written so that no index answers it: the one of
    /// all events by their install would be read from end to end.
    static let seenText = """
        SELECT install_id FROM (
          SELECT DISTINCT install_id FROM event WHERE app_id = $1 AND type = 'paywall_shown' AND occurred_at_ms >= $2 AND occurred_at_ms < $3
        ) AS seen
        WHERE install_id || '' > $4 ORDER BY install_id LIMIT $5
        """
    private static let installs = Statement.places(2..<2 + part)
    /// Each install's events are found by the install: the condition on the id makes that the shortest way.
    static let eventsText = """
        SELECT install_id, type, occurred_at_ms, placement, paywall, variation_id, audience, origin, elapsed_ms FROM event
        WHERE app_id = $1 AND install_id IN (\(installs)) AND id > ''
          AND type || '' IN (\(Statement.places(2 + part..<2 + part + EventReading.mostTypes)))
        """
    static let installsText = InstallReading.columns + "\nFROM install i " + InstallReading.facts
        + "\nWHERE i.app_id = $1 AND i.install_id IN (\(installs))"
}
