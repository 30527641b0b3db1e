// SPDX-License-Identifier: Apache-2.0
import Crypto
import LandfallRules
import LandfallServer
import LandfallStore
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
        var seenDays: [Int64]?
        /// True, or nil: days that were kept before it was recorded have none.
        var isReinstall: Bool?
        /// Host and path of the link that brought the install.
        var link: String?
        /// True, or nil: nobody has verified who brought the install.
        var isUnverified: Bool?
        /// Of the app, at the first open.
        var appVersion: String?

        private enum CodingKeys: String, CodingKey {
            case acquisition = "a", market = "m", origin = "o", isTest = "t", isLate = "l", shownDays = "s", firsts = "f", seenDays = "d"
            case isReinstall = "r", link = "k", isUnverified = "u", appVersion = "v"
        }
    }

    let firstOpenAtMs: Int64
    let facts: Facts
    /// What the days of exposures count of the install.
    let exposures: Exposures

    struct Exposures: Hashable, Sendable {
        /// Two hashes of 32 bits of what these days read of the install: the upper one of its source and of whether it is a test device,
        /// the lower one of its events. It is 0 until a paywall was there: sources and own events count only after an exposure.
        let hash: Int64
        /// When each paywall was seen first: what the install did later counts on these days.
        let firstMs: [Int64]

        /// Whether its source, or whether it is a test device, has changed since this hash: then every day of ``firstMs`` counts it otherwise.
        func isOtherwise(than stored: Int64) -> Bool { hash >> 32 != stored >> 32 }
    }
}

extension InstallProgress.Facts {
    /// Nil if the install has no value, and for the day, which is no fact of the install.
    subscript(dimension: CampaignReport.Dimension) -> String? {
        switch dimension {
        case .day: nil
        case .source: acquisition[0]
        case .channel: acquisition[1]
        case .campaign: acquisition[2]
        case .adGroup: acquisition[3]
        case .adSet: acquisition[4]
        case .creative: acquisition[5]
        case .keyword: acquisition[6]
        case .country: market[1]
        case .platform: market[2]
        case .link: link
        case .appVersion: appVersion
        }
    }

    /// Whether what the install has bought counts for the same campaign.
    func hasOrigin(of other: InstallProgress.Facts) -> Bool {
        origin == other.origin && acquisition == other.acquisition && link == other.link
    }

    /// These facts, with what came later or what earlier releases did not compute. It comes from rows that are kept as long as the install.
    func completed(by fresh: InstallProgress.Facts) -> InstallProgress.Facts {
        var facts = self
        (facts.isReinstall, facts.appVersion, facts.seenDays) = (fresh.isReinstall, fresh.appVersion, fresh.seenDays)
        // Another source brought its own link.
        guard origin == fresh.origin, acquisition == fresh.acquisition else { return facts }
        (facts.link, facts.isUnverified) = (fresh.link, fresh.isUnverified)
        return facts
    }
}

extension InstallProgress {
    /// - Parameters:
    ///   - events: what the install sent, in groups.
    ///   - types: the own events that metrics count.
    init(
        _ install: ReportedInstall, events: [InstallEvents], types: Set<Event.Kind>, activity: InstallActivity, testDevices: TestDevices
    ) {
        firstOpenAtMs = install.firstOpenAtMs
        let origin = install.origin
        let openedAtMs = install.firstOpenAtMs
        func days(to atMs: Int64) -> Int64 { (atMs - openedAtMs + Retention.dayMs - 1) / Retention.dayMs }
        let shownAtMs = events.first(.paywallShown).flatMap { days(to: $0) <= ReportCohort.shownDays ? $0 : nil }
        let isTest = testDevices.device(install.id, first: install.firstInstall) != nil
        facts = Facts(
            acquisition: RollupDimensions.acquisition.list.map { $0.value(of: install) },
            market: RollupDimensions.market.list.map { $0.value(of: install) },
            origin: origin != nil ? .attributed : install.isOrganic ? .organic : .unknown,
            isTest: isTest,
            isLate: origin.map { fact in shownAtMs.map { $0 < fact.recordedAtMs } ?? false } ?? false,
            shownDays: shownAtMs.map(days),
            firsts: Dictionary(
                types.compactMap { type in
                    events.first(type).map { (type.rawValue, min(days(to: $0), Metric.windowDays.upperBound + 1)) }
                }
            ) { first, _ in first },
            seenDays: install.firstCallAtMs - openedAtMs < Retention.dayMs ? activity.asked : nil,
            isReinstall: install.isReinstall ? true : nil, link: origin?.link?.code, isUnverified: origin?.verified == false ? true : nil,
            appVersion: install.appVersion)
        exposures = Exposures(
            events, types: types, attributedAtMs: origin?.recordedAtMs, isTest: isTest)
    }
}

/// The events of an install that are alike.
struct InstallEvents: Hashable, Sendable {
    let type: Event.Kind
    /// In the order of ``PaywallDimensions/all``.
    let texts: [String?]
    let count: Int64
    let firstMs: Int64
    let lastMs: Int64
    /// The first one after the install's first open.
    let firstOpenedMs: Int64?
}

extension [InstallEvents] {
    /// When the install first sent an event of the type after its first open.
    fileprivate func first(_ type: Event.Kind) -> Int64? { lazy.filter { $0.type == type }.compactMap(\.firstOpenedMs).min() }
}

extension InstallProgress.Exposures {
    fileprivate init(_ events: [InstallEvents], types: Set<Event.Kind>, attributedAtMs: Int64?, isTest: Bool) {
        let shown = events.filter { $0.type == .paywallShown }
        firstMs = shown.map(\.firstMs)
        guard !shown.isEmpty else { hash = 0; return }
        let groups = events.filter { $0.type == .paywallShown || types.contains($0.type) }.map(\.bytes)
        let source = "\(attributedAtMs.map { "\($0)" } ?? "-") \(isTest)"
        hash = Self.part([Array(source.utf8)]) << 32 | Self.part(groups.sorted { $0.lexicographicallyPrecedes($1) })
    }

    /// 32 bits.
    private static func part(_ texts: [[UInt8]]) -> Int64 {
        var hasher = SHA256()
        for text in texts { hasher.update(data: text) }
        return hasher.finalize().prefix(4).reduce(0) { $0 << 8 | Int64($1) }
    }
}

extension InstallEvents {
    /// A length before each text: no two lists are written alike.
    fileprivate var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(128)
        bytes += type.rawValue.utf8
        for number in [count, firstMs, lastMs] {
            bytes.append(UInt8(ascii: " "))
            bytes += String(number).utf8
        }
        for text in texts {
            bytes.append(UInt8(ascii: " "))
            guard let text else { bytes.append(UInt8(ascii: "-")); continue }
            bytes += String(text.utf8.count).utf8
            bytes.append(UInt8(ascii: ":"))
            bytes += text.utf8
        }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}

/// Reads what is needed to compute the progress of one install.
struct InstallProgressReader: Sendable {
    /// Groups of events of one install that are read: no app has so many paywalls.
    static let mostGroups: Int64 = 2_000

    let app: AppID
    /// The own events that metrics count.
    let types: Set<Event.Kind>
    let testDevices: TestDevices
    /// Exposures that are read at a time.
    var page = mostGroups

    /// - Returns: nil if there is no such install any more.
    func progress(of install: String, _ connection: any ReadConnection) throws -> InstallProgress? {
        let rows = try connection.rows(InstallReader.oneText, [.text(app.rawValue), .text(install)])
        guard let found = try ReportedInstall(install, rows) else { return nil }
        let values: [SQLValue] = [.text(app.rawValue), .text(install), .integer(found.firstOpenAtMs), .integer(Self.mostGroups)]
        let events = try connection.rows(Self.eventsText, values).map { row in
            InstallEvents(
                type: Event.Kind(try row.text(0)), texts: (1...5).map { row.optionalText($0) }, count: try row.integer(6),
                firstMs: try row.integer(7), lastMs: try row.integer(8), firstOpenedMs: row.optionalInteger("first_opened_ms"))
        }
        let activity = try InstallActivity.stored(of: install, in: app, connection)
        return InstallProgress(found, events: events, types: types, activity: activity, testDevices: testDevices)
    }

    static let eventsText = """
        SELECT type, placement, paywall, variation_id, audience, origin, COUNT(*) AS events, MIN(occurred_at_ms) AS first_ms,
          MAX(occurred_at_ms) AS last_ms, MIN(CASE WHEN occurred_at_ms >= $3 THEN occurred_at_ms END) AS first_opened_ms
        FROM event WHERE app_id = $1 AND install_id = $2
        GROUP BY type, placement, paywall, variation_id, audience, origin ORDER BY first_ms LIMIT $4
        """

    /// What the server received of an install since an instant: when its first exposure happened, and its first own event of any kind.
    func news(of install: String, sinceMs: Int64, _ connection: any ReadConnection) throws -> (shownMs: Int64?, ownMs: Int64?) {
        let values: [SQLValue] = [
            .text(app.rawValue), .text(install), .text(Event.Kind.paywallShown.rawValue), .text(UUIDv7.earliest(atMs: sinceMs)),
        ]
        let row = try connection.row(Self.newText, values)
        return (row?.optionalInteger("shown_ms"), row?.optionalInteger("own_ms"))
    }

    /// When an install saw paywalls, from an instant on: what was its first time until now may not be any more. To the quarter of an
    /// hour, and in no particular order.
    func exposures(of install: String, fromMs: Int64, _ connection: any ReadConnection) throws -> [Int64] {
        let values: [SQLValue] = [.text(app.rawValue), .text(install), .text(Event.Kind.paywallShown.rawValue), .integer(fromMs)]
        var quarters: Set<Int64> = [], after = ""
        while true {
            let rows = try connection.rows(Self.laterText, values + [.text(after), .integer(page)])
            for row in rows { quarters.insert(try row.integer(1) / Self.quarterMs) }
            guard rows.count >= page, let last = try rows.last?.text(0) else { return quarters.map { $0 * Self.quarterMs } }
            after = last
        }
    }

    /// Every zone's days begin at a quarter of an hour.
    private static let quarterMs: Int64 = 900_000

    static let newText = """
        SELECT MIN(CASE WHEN type = $3 THEN occurred_at_ms END) AS shown_ms, MIN(CASE WHEN type <> $3 THEN occurred_at_ms END) AS own_ms
        FROM event WHERE app_id = $1 AND install_id = $2 AND id > $4
        """
    static let laterText = """
        SELECT id, occurred_at_ms FROM event
        WHERE app_id = $1 AND install_id = $2 AND id > $5 AND type = $3 AND occurred_at_ms >= $4 ORDER BY id LIMIT $6
        """
}
