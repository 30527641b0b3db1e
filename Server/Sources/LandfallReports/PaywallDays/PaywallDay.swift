// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Counts the exposures of one day, and what the installs did that saw a paywall there for the first time. A pure sum of their rows:
/// the order of events changes nothing.
struct PaywallDay: Sendable {
    /// Installs that are listed at a time. Every list is made from all exposures of the day, so it has more than one read of events.
    static let page = 100_000
    /// Installs of one read; each is a value of the statements.
    static let part = 500
    private static let partsAtOnce = 2
    /// Events of one read: most parts have fewer.
    static let eventPage = 20_000
    /// A bound, because everybody with an SDK key can send events: further ones of an install are left out. They are read in the order of
    /// their receipt.
    static let mostEvents = 100_000

    let app: AppID
    let rules: RollupRules
    let testDevices: TestDevices
    var page = page
    /// At most ``part``.
    var part = part
    var eventPage = eventPage
    var mostEvents = mostEvents

    /// - Returns: the cells of every table.
    /// - Throws: the errors of the store; `CancellationError`.
    func cells(of day: Int64, _ database: any StoreReading) async throws -> [PaywallDimensions: [ReportSheet.Key: [Int64]]] {
        var sums = PaywallSums(day: rules.zone.startMs(ofDay: day)..<rules.zone.startMs(ofDay: day + 1), metrics: rules.metrics)
        var after = ""
        while true {
            let values: [SQLValue] = [
                .text(app.rawValue), .integer(sums.day.lowerBound), .integer(sums.day.upperBound), .text(after), .integer(Int64(page)),
            ]
            let installs = try await database.read { try $0.rows(Self.seenText, values).map { try $0.text(0) } }
            let atOnce = part * Self.partsAtOnce
            for start in stride(from: 0, to: installs.count, by: atOnce) {
                let pages = try await Array(installs[start...].prefix(atOnce)).readInParts(of: part) { installs in
                    [try await read(Unread(installs: Array(installs)), database)]
                }
                for page in pages { try await add(page, to: &sums, database) }
            }
            guard installs.count >= page, let last = installs.last else { break }
            after = last
        }
        return sums.cells
    }

    /// Adds a page, and then the pages after it, one at a time: nothing but the sums stays in memory.
    private func add(_ first: Page, to sums: inout PaywallSums, _ database: any StoreReading) async throws {
        var page = first
        while true {
            try Task.checkCancellation()
            for one in page.seen {
                sums.add(one.events)
                if one.isComplete { sums.endInstall(attributedAtMs: page.known[one.install]?.attributedAtMs) }
            }
            guard let unread = page.unread else { return }
            page = try await read(unread, database)
        }
    }

    /// What is not read yet of a part.
    private struct Unread: Sendable {
        /// Those of which no event is read.
        var installs: [String]
        /// The install in whose events the page before ended.
        var begun: (install: String, lastID: String, count: Int)?
        /// Nil before the first page.
        var known: [String: Known]?
    }

    /// An install that is counted.
    private struct Known: Sendable {
        let attributedAtMs: Int64?
    }

    private struct Page: Sendable {
        let seen: [Seen]
        let known: [String: Known]
        /// Nil when all events of the part are read.
        let unread: Unread?
    }

    /// What an install saw and did.
    private struct Seen: Sendable {
        let install: String
        var events: [PaywallSums.Event] = []
        /// No more of its events are read.
        var isComplete = true
    }

    private func read(_ unread: Unread, _ database: any StoreReading) async throws -> Page {
        let begun = unread.begun, asked = begun.map { [$0.install] } ?? unread.installs
        let ids = (0..<Self.part).map { SQLValue.text(asked[min($0, asked.count - 1)]) }
        let limit = begun.map { min(eventPage, mostEvents - $0.count) } ?? eventPage
        let key: [SQLValue] = [.text(app.rawValue)] + ids
        let rest: [SQLValue] = types + [.text(begun?.lastID ?? ""), .integer(Int64(limit))]
        let isFirst = unread.known == nil
        let (rows, facts) = try await database.read { connection in
            (try connection.rows(Self.eventsText, key + rest), try isFirst ? connection.rows(Self.installsText, key) : [])
        }
        let known = try unread.known ?? self.known(facts)
        var seen = begun.map { [Seen(install: $0.install)] } ?? []
        for row in rows {
            let install = try row.text(PaywallSums.Event.at[.install_id])
            if seen.last?.install != install { seen.append(Seen(install: install)) }
            seen[seen.count - 1].events.append(try PaywallSums.Event(row))
        }
        var left = Unread(installs: unread.installs, begun: nil, known: known)
        if rows.count >= limit, let row = rows.last, let last = seen.last {
            let read = Set(seen.map(\.install)), count = (begun?.count ?? 0) + last.events.count
            left.installs.removeAll { read.contains($0) }
            if known[last.install] != nil, count < mostEvents {
                left.begun = (install: last.install, lastID: try row.text(PaywallSums.Event.at[.id]), count: count)
                seen[seen.count - 1].isComplete = false
            }
        } else if begun == nil {
            left.installs = []
        }
        let isOver = left.begun == nil && left.installs.isEmpty
        return Page(seen: seen.filter { known[$0.install] != nil }, known: known, unread: isOver ? nil : left)
    }

    private func known(_ facts: [Row]) throws -> [String: Known] {
        var known: [String: Known] = [:]
        for (id, rows) in try Dictionary(grouping: facts, by: { try $0.text(InstallReader.install[.install_id]) }) {
            // The installs of the team's own phones say nothing about its users.
            guard let install = try ReportedInstall(id, rows), testDevices.device(install.id, first: install.firstInstall) == nil else {
                continue
            }
            known[id] = Known(attributedAtMs: install.origin?.recordedAtMs)
        }
        return known
    }

    private var types: [SQLValue] {
        let types = [Event.Kind.paywallShown.rawValue] + rules.types.map(\.rawValue).sorted()
        return (0..<EventReader.mostTypes).map { .text(types.indices.contains($0) ? types[$0] : types[0]) }
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
    /// Each install's events are found by the install: the condition on the id makes that the shortest way, and its index has the order.
    static let eventsText = """
        SELECT \(PaywallSums.Event.Column.names()) FROM event
        WHERE app_id = $1 AND install_id IN (\(installs)) AND id > $\(afterEvent)
          AND type || '' IN (\(Statement.places(2 + part..<2 + part + EventReader.mostTypes)))
        ORDER BY install_id, id LIMIT $\(afterEvent + 1)
        """
    private static let afterEvent = 2 + part + EventReader.mostTypes
    static let installsText = InstallReader.columns + "\nFROM install i " + InstallReader.facts
        + "\nWHERE i.app_id = $1 AND i.install_id IN (\(installs))"
}
