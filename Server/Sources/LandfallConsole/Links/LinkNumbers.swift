// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Clicks of the last days, and the first opens that links brought on them, for pages: what takes too long or is too much is left out, so that no page waits for it.
struct LinkNumbers: Sendable {
    static let days = 28
    static let patience = Duration.seconds(2)

    let reports: Reports
    let time: ServerTime

    struct Count: Hashable, Sendable {
        let clicks: Int64
        let unique: Int64
    }

    /// What the report about links counts.
    struct All: Sendable {
        fileprivate var counts = CellTable(size: 0)
        /// Grouped by link; nil where they are not known.
        private var opened: CampaignReport.Installs?
        /// Those whose first opens are not told: they say something about single people.
        private var few: Set<ReportSheet.Key> = []
        /// Everything that came before is counted; nil where nothing could be counted.
        var completeToMs: Int64?
        /// False if some links have no row of their own, or clicks were deleted: then a link without a row may have clicks.
        var isWhole = false

        init(isWhole: Bool = false) { self.isWhole = isWhole }

        /// Nil where it is not known.
        func count(_ place: LinkPlace) -> Count? {
            let found = counts.counts(CellTable.fields([Array(place.host.utf8), Array(place.path.text.utf8)])).map(Array.init)
            guard let found else { return isWhole ? Count(clicks: 0, unique: 0) : nil }
            return Count(clicks: found[LinkReport.layout[.clicks]], unique: found[LinkReport.layout[.uniqueClicks]])
        }

        /// The first opens that the link brought; nil where they are not known, or not told. Days may have some of a link's first opens
        /// in their rest, and a link without labels brings installs that nobody can tell from others.
        func firstOpens(_ link: StoredLink) -> Int64? {
            let key = Self.key(link.place)
            guard let opened, !few.contains(key), opened.rows[[Array(DayCells.other.utf8)]] == nil else { return nil }
            let count = opened.rows[key].map { $0[opened.layout[.firstOpens]] } ?? 0
            return count == 0 && link.labels.isEmpty ? nil : count
        }

        /// True if the first opens are fewer than ten, or too few others hide them.
        func hasFewOpens(_ place: LinkPlace) -> Bool { few.contains(Self.key(place)) }

        private static func key(_ place: LinkPlace) -> ReportSheet.Key { [Array((place.host + place.path.text).utf8)] }

        /// - Parameters:
        ///   - found: grouped by link.
        ///   - isMerging: the links that the report shows only together have no number here either.
        mutating func take(_ found: CampaignReport.Installs, isMerging: Bool) {
            opened = found
            guard isMerging else { return }
            let groups = found.rows.sorted { ReportSheet.precedes($0.key, $1.key) }, counted = [found.layout[.firstOpens], found.layout[.reinstalls]]
            let merged = SmallGroups.merged(
                groups.map { ReportSheet.size($0.value, counted) }, smallest: groups.map { ReportSheet.smallest($0.value, counted) })
            few = Set(merged.map { groups[$0].key })
        }
    }

    /// The first opens that links brought in the last days, without their clicks.
    func firstOpens(_ snapshot: Snapshot, isMerging: Bool) async throws -> All {
        let moment = try await reports.moment(snapshot)
        var all = All()
        all.completeToMs = moment.nowMs
        let days = try moment.days(Self.days, endingOn: moment.today)
        add(try await reports.firstOpensOfLinks(days, snapshot, at: moment), to: &all, isMerging)
        return all
    }

    private func add(_ found: CampaignReport.Installs?, to all: inout All, _ isMerging: Bool) {
        guard let found else { return }
        all.take(found, isMerging: isMerging)
        all.completeToMs = min(all.completeToMs ?? found.completeToMs, found.completeToMs)
    }

    /// Of every link with clicks. Nothing is known if the report takes too long.
    /// - Parameter isMerging: small numbers of first opens are not told; true for files, and for members who may not see people.
    func all(_ snapshot: Snapshot, isMerging: Bool) async throws -> All {
        let moment = try await reports.moment(snapshot)
        let days = try moment.days(Self.days, endingOn: moment.today)
        let found = try await withTimeout(Self.patience, by: time) {
            try await moment.store.clicks.counts(LinkReport(days: days, by: [.host, .path]), of: snapshot.app.id)
        }
        guard let found else { return All() }  // Then there is no time for first opens either.
        var all = All(isWhole: found.isWhole(days, snapshot.retention, nowMs: moment.nowMs) && found.table.counts(DayCells.rest(2)) == nil)
        all.counts = found.table
        all.completeToMs = min(moment.nowMs, found.countedToMs ?? moment.nowMs)
        add(try await reports.firstOpensOfLinks(days, snapshot, at: moment), to: &all, isMerging)
        return all
    }

    /// Of one link, day by day, the newest first; ends where it took too long.
    func one(_ place: LinkPlace, _ snapshot: Snapshot) async throws -> LinkFactsPage.Numbers {
        let moment = try await reports.moment(snapshot)
        let today = moment.today, days = try moment.days(Self.days, endingOn: today)
        var found: [DayChart.Day] = [], clicks: Int64 = 0, unique: Int64 = 0
        var parts: [LinkFactsPage.Part: [String?: Int64]] = [:], taps: [LinkTapOutcome.Way: Int64] = [:]
        let endMs = time.nowMs() + Self.patience.wholeMilliseconds
        for day in days.days.reversed() {
            // Clicks of earlier days may be deleted already.
            guard time.nowMs() <= endMs, moment.zone.startMs(ofDay: day) >= moment.nowMs - snapshot.retention.clickMs else { break }
            try Task.checkCancellation()
            let read = try await LinkClicks(database: moment.store.database, app: snapshot.app.id).day(day, in: moment.zone, at: place)
            for (part, counts) in read.parts { parts[part, default: [:]].merge(counts, uniquingKeysWith: +) }
            for (way, count) in read.taps { taps[way, default: 0] += count }
            unique += read.unique
            clicks += read.clicks
            found.append(DayChart.Day(date: ReportDays.text(day), value: read.clicks, before: nil, isWhole: day < today))
        }
        return LinkFactsPage.Numbers(
            days: found.reversed(), clicks: clicks, unique: unique,
            shares: parts.mapValues { Self.largest($0) }, taps: taps,
            isWhole: found.count == Self.days)
    }

    private static func largest(_ counts: [String?: Int64]) -> [LinkFactsPage.Share] {
        counts.sorted { ($0.value, $1.key ?? "") > ($1.value, $0.key ?? "") }.prefix(10).map { .init(value: $0.key, clicks: $0.value) }
    }
}

/// Clicks of people on one link on one day.
struct LinkClicks: Sendable {
    let database: any StoreReading
    let app: AppID

    struct Day: Sendable {
        var clicks: Int64 = 0
        var unique: Int64 = 0
        var parts: [LinkFactsPage.Part: [String?: Int64]] = [:]
        /// Buttons of the link's pages.
        var taps: [LinkTapOutcome.Way: Int64] = [:]
    }

    func day(_ day: Int64, in zone: ReportZone, at place: LinkPlace) async throws -> Day {
        // An id begins with its time, so the primary key is the index.
        let values: [SQLValue] = [
            .text(app.rawValue), .text(UUIDv7.earliest(atMs: zone.startMs(ofDay: day))),
            .text(UUIDv7.earliest(atMs: zone.startMs(ofDay: day + 1))), .text(place.host), .text(place.path.text),
        ]
        return try await database.read { connection in
            let sum = try connection.row(Self.sumText, values)
            var found = Day(clicks: try sum?.integer("clicks") ?? 0, unique: try sum?.integer("unique_clicks") ?? 0)
            // Most links have nothing on most days.
            guard try sum?.integer("stored") ?? 0 > 0 else { return found }
            for row in try connection.rows(Self.tapsText, values) {
                if let way = try LinkTapOutcome.Way(rawValue: row.text("button")) { found.taps[way] = try row.integer("taps") }
            }
            // The rest may be of machines.
            guard found.clicks > 0 else { return found }
            var left = found.clicks
            for row in try connection.rows(Self.partsText, values) {
                let clicks = try row.integer("clicks")
                left -= clicks
                for (part, column) in Self.columns { found.parts[part, default: [:]][row.optionalText(column), default: 0] += clicks }
            }
            for part in left > 0 ? LinkFactsPage.Part.allCases : [] { found.parts[part, default: [:]][nil, default: 0] += left }
            return found
        }
    }

    private static let columns: [(LinkFactsPage.Part, String)] = [
        (.country, "country"), (.referrer, "referrer"), (.browser, "browser"), (.language, "language"), (.productPage, "product_page"),
    ]

    /// The same rules as those of the report about links.
    static let sumText = """
        SELECT COUNT(*) AS stored, COUNT(CASE WHEN kind = 'person' AND outcome <> 'expired' THEN 1 END) AS clicks,
          COUNT(DISTINCT CASE WHEN kind = 'person' AND outcome <> 'expired' THEN visitor END) AS unique_clicks FROM click
        WHERE app_id = $1 AND click_id >= $2 AND click_id < $3 AND link_host = $4 AND link_path = $5
        """
    /// The largest groups: what a day has beyond them is not known.
    static let partsText = """
        SELECT country, referrer, browser, language, product_page, COUNT(*) AS clicks FROM click
        WHERE app_id = $1 AND click_id >= $2 AND click_id < $3 AND link_host = $4 AND link_path = $5
          AND kind = 'person' AND outcome <> 'expired'
        GROUP BY country, referrer, browser, language, product_page ORDER BY clicks DESC LIMIT 2000
        """
    static let tapsText = """
        SELECT outcome AS button, COUNT(*) AS taps FROM click
        WHERE app_id = $1 AND click_id >= $2 AND click_id < $3 AND link_host = $4 AND link_path = $5 AND kind = 'tap'
        GROUP BY outcome
        """
}
