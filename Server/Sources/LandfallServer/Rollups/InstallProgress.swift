// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallDatabase
import LandfallWire

/// What reports count of one install. Computed from its rows, never changed by an event: the same rows in any order give the
/// same value.
struct InstallProgress: Hashable, Sendable {
    /// What installs have in common: most installs of a day share a few of these.
    struct Facts: Hashable, Sendable, Codable {
        enum Origin: Int64, Codable, Sendable { case unknown, organic, attributed }

        /// Source, channel, campaign, ad group, ad set, creative, keyword.
        let acquisition: [String?]
        /// Source, country, platform.
        let market: [String?]
        let origin: Origin
        /// A test device of the team. It is counted nowhere.
        let isTest: Bool
        /// The first paywall was shown before the source was known.
        let isLate: Bool
        /// Days from the first open to the first paywall, rounded up; nil if none was shown in time.
        let shownDays: Int64?
        /// The same for the first own event of each type that a metric counts.
        let firsts: [String: Int64]
        /// Of the days that retention asks for, those on which the install was seen. Nil if its first call came a day or more
        /// after its first open: nobody knows what it did before.
        let seenDays: [Int64]?

        private enum CodingKeys: String, CodingKey {
            case acquisition = "a", market = "m", origin = "o", isTest = "t", isLate = "l", shownDays = "s", firsts = "f", seenDays = "d"
        }
    }

    let firstOpenAtMs: Int64
    let facts: Facts
}

extension InstallProgress.Facts {
    var text: String { get throws { String(decoding: try WireCoding.encode(self), as: UTF8.self) } }

    init(_ text: String) throws { self = try WireCoding.decode(Self.self, from: Data(text.utf8)) }
}

extension InstallProgress {
    /// - Parameters:
    ///   - firsts: by type, the time of the first event after the first open.
    ///   - types: the own events that metrics count.
    init(
        _ install: ReportedInstall, firsts: [Event.Kind: Int64], types: Set<Event.Kind>, activity: InstallActivity,
        testDevices: TestDevices
    ) {
        firstOpenAtMs = install.firstOpenAtMs
        let origin = install.origin
        let openedAtMs = install.firstOpenAtMs
        func days(to atMs: Int64) -> Int64 { (atMs - openedAtMs + Retention.dayMs - 1) / Retention.dayMs }
        let shownAtMs = firsts[.paywallShown].flatMap { days(to: $0) <= ReportCohort.shownDays ? $0 : nil }
        facts = Facts(
            acquisition: RollupCut.acquisition.fields.map { $0.value(of: install) },
            market: RollupCut.market.fields.map { $0.value(of: install) },
            origin: origin != nil ? .attributed : install.isOrganic ? .organic : .unknown,
            isTest: testDevices.device(install.id, first: install.firstInstall) != nil,
            isLate: origin.map { fact in shownAtMs.map { $0 < fact.recordedAtMs } ?? false } ?? false,
            shownDays: shownAtMs.map(days),
            firsts: Dictionary(
                firsts.filter { types.contains($0.key) }.map { ($0.key.rawValue, min(days(to: $0.value), Metric.windowDays.upperBound + 1)) }
            ) { first, _ in first },
            seenDays: install.firstCallAtMs - openedAtMs < Retention.dayMs ? activity.asked : nil)
    }
}

/// Reads what is needed to compute the progress of one install.
struct InstallProgressReading: Sendable {
    let app: AppID
    /// The own events that metrics count.
    let types: Set<Event.Kind>
    let testDevices: TestDevices

    /// - Returns: nil if there is no such install any more.
    func progress(of install: String, _ connection: any ReadConnection) throws -> InstallProgress? {
        let rows = try connection.rows(InstallReading.oneText, [.text(app.rawValue), .text(install)])
        guard let found = try ReportedInstall(install, rows) else { return nil }
        var firsts: [Event.Kind: Int64] = [:]
        let values: [SQLValue] = [.text(app.rawValue), .text(install), .integer(found.firstOpenAtMs)]
        for row in try connection.rows(Self.firstsText, values) { firsts[Event.Kind(try row.text(0))] = try row.integer(1) }
        let activity = try InstallActivity.stored(of: install, in: app, connection)
        return InstallProgress(found, firsts: firsts, types: types, activity: activity, testDevices: testDevices)
    }

    static let firstsText = """
        SELECT type, MIN(occurred_at_ms) AS first_ms FROM event
        WHERE app_id = $1 AND install_id = $2 AND occurred_at_ms >= $3 GROUP BY type
        """
}
