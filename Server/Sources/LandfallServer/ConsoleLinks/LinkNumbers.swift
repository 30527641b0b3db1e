// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallPages
import LandfallWire

/// Clicks of the last days, for pages: what takes too long or is too much is left out, so that no page waits for it.
struct LinkNumbers: Sendable {
    static let days = 28
    static let patience = Duration.seconds(2)

    let reports: ReportRoutes
    let database: any Database
    let time: ServerTime

    struct Count: Hashable, Sendable {
        let clicks: Int64
        let unique: Int64
    }

    /// Of every link with clicks, by the report about links.
    /// - Returns: nil if the report has too many rows, or takes too long.
    func all(_ snapshot: Snapshot) async throws -> [LinkPlace: Count]? {
        let counted = try await reports.counted(snapshot)
        let days = try days(endingOn: counted.zone.day(ofMs: counted.nowMs), counted)
        let document: ReportDocument?
        do {
            document = try await withThrowingTaskGroup(of: ReportDocument?.self) { [reports, time] group in
                group.addTask { try await reports.document(LinkReport.name, days, by: "host,path", snapshot, counted) }
                group.addTask {
                    try await time.sleep(Self.patience)
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        } catch is RequestError {
            return nil
        }
        return document.map { document in
            Dictionary(
                document.rows.compactMap { row in
                    guard let host = row.key["host"] ?? nil, let path = row.key["path"] ?? nil else { return nil }
                    func count(_ name: String) -> Int64 { Int64((row.values[name] ?? nil) ?? 0) }
                    return (
                        LinkPlace(host: host, path: LinkPath(stored: path)), Count(clicks: count("clicks"), unique: count("uniqueClicks"))
                    )
                }, uniquingKeysWith: { first, _ in first })
        }
    }

    private func days(endingOn last: Int64, _ counted: ReportRoutes.Counted) throws -> ReportDays {
        try ReportDays(
            from: ReportDays.text(last - Int64(Self.days) + 1), to: ReportDays.text(last), in: counted.zone, nowMs: counted.nowMs)
    }

    /// Of one link, day by day, the newest first; ends where it took too long.
    func one(_ place: LinkPlace, _ snapshot: Snapshot) async throws -> LinkFactsPage.Numbers {
        let counted = try await reports.counted(snapshot)
        let today = counted.zone.day(ofMs: counted.nowMs)
        let days = try days(endingOn: today, counted)
        var found: [DayChart.Day] = [], clicks: Int64 = 0, unique: Int64 = 0
        var countries: [LinkCountry: Int64] = [:]
        let endMs = time.nowMs() + Self.patience.wholeMilliseconds
        for day in days.days.reversed() {
            guard time.nowMs() <= endMs else { break }
            try Task.checkCancellation()
            let read = try await LinkClicks(database: database, app: snapshot.app.id).day(day, in: counted.zone, at: place)
            for (country, count) in read.countries { countries[country, default: 0] += count }
            unique += read.unique
            clicks += read.clicks
            found.append(DayChart.Day(date: ReportDays.text(day), value: read.clicks, before: nil, isWhole: day < today))
        }
        let sorted = countries.sorted { ($0.value, $1.key.code ?? "") > ($1.value, $0.key.code ?? "") }
        return LinkFactsPage.Numbers(
            days: found.reversed(), clicks: clicks, unique: unique,
            countries: sorted.prefix(10).map { LinkFactsPage.Country(code: $0.key.code, clicks: $0.value) },
            isWhole: found.count == Self.days)
    }
}

/// A country as clicks have it; nil where it is not known.
struct LinkCountry: Hashable, Sendable { let code: String? }

/// Clicks of people on one link on one day.
struct LinkClicks: Sendable {
    let database: any Database
    let app: AppID

    struct Day: Sendable {
        let clicks: Int64
        let unique: Int64
        let countries: [(country: LinkCountry, clicks: Int64)]
    }

    func day(_ day: Int64, in zone: ReportZone, at place: LinkPlace) async throws -> Day {
        // An id begins with its time, so the primary key is the index.
        let values: [SQLValue] = [
            .text(app.rawValue), .text(UUIDv7.earliest(atMs: zone.startMs(ofDay: day))),
            .text(UUIDv7.earliest(atMs: zone.startMs(ofDay: day + 1))), .text(place.host), .text(place.path.text),
        ]
        return try await database.read { connection in
            let sum = try connection.row(Self.sumText, values)
            let clicks = try sum?.integer("clicks") ?? 0
            // Most links have no clicks on most days.
            let rows = clicks == 0 ? [] : try connection.rows(Self.countryText, values)
            return Day(
                clicks: clicks, unique: try sum?.integer("unique_clicks") ?? 0,
                countries: try rows.map { (LinkCountry(code: $0.optionalText("country")), try $0.integer("clicks")) })
        }
    }

    /// The same rules as those of the report about links.
    static let sumText = """
        SELECT COUNT(*) AS clicks, COUNT(DISTINCT visitor) AS unique_clicks FROM click
        WHERE app_id = $1 AND click_id >= $2 AND click_id < $3 AND link_host = $4 AND link_path = $5
          AND kind = 'person' AND outcome <> 'expired'
        """
    static let countryText = """
        SELECT country, COUNT(*) AS clicks FROM click
        WHERE app_id = $1 AND click_id >= $2 AND click_id < $3 AND link_host = $4 AND link_path = $5
          AND kind = 'person' AND outcome <> 'expired'
        GROUP BY country ORDER BY clicks DESC LIMIT 300
        """
}
