// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallDatabase
import LandfallResults
import LandfallWire

/// Reads which units a source brought, by what is known now: attribution that came after the exposure is joined, because it says
/// where somebody came from before. Units without any fact are not read.
struct SourceReading: Sendable {
    static let page = 10_000
    /// Apple has not answered yet.
    static let pending = "pending"
    /// No source brought the unit, or none is known.
    static let none = "none"
    /// After every id in hexadecimal digits, however an engine orders texts.
    private static let afterAll = "g"

    let database: any Database
    let app: AppID
    let experiment: String
    let basis: ExperimentNumbers.Basis
    var buckets: Range<Int64> = 0..<Int64(Draw.bucketCount)
    var page = page

    struct Found {
        let unit: InstallKey
        let epoch: Int64
        let variation: String
        let segment: String
    }

    /// - Parameter body: is called once for each unit with a source, or whose source is pending.
    func forEach(_ body: (Found) -> Void) async throws {
        var pending = try await pendingUnits()
        var after = ""
        while true {
            try Task.checkCancellation()
            let (rows, last) = try await page(Self.endText, Self.text, after: after)
            var place = 0
            while place < rows.count {
                let id = try rows[place].text(0)
                var end = place + 1
                while end < rows.count, try rows[end].text(0) == id { end += 1 }
                defer { place = end }
                guard let unit = InstallKey(InstallID(id)) else { continue }
                let (source, isAnswered) = try Self.source(rows[place..<end])
                // Apple's answer would win over another source only if it names an ad: what counts now is the present source.
                let isPending = pending.removeValue(forKey: unit) != nil && !isAnswered
                guard let segment = source ?? (isPending ? Self.pending : nil) else { continue }
                body(Found(unit: unit, epoch: try rows[place].integer(1), variation: try rows[place].text(2), segment: segment))
            }
            guard let last else { break }
            after = last
        }
        for found in pending.values { body(found) }
    }

    /// The units whose exchange with Apple is open.
    private func pendingUnits() async throws -> [InstallKey: Found] {
        var units: [InstallKey: Found] = [:], after = ""
        while true {
            try Task.checkCancellation()
            let (rows, last) = try await page(Self.pendingEndText, Self.pendingText, after: after)
            for row in rows {
                guard let unit = InstallKey(InstallID(try row.text(0))) else { continue }
                units[unit] = Found(unit: unit, epoch: try row.integer(1), variation: try row.text(2), segment: Self.pending)
            }
            guard let last else { return units }
            after = last
        }
    }

    private func page(_ endText: String, _ text: String, after: String) async throws -> ([Row], String?) {
        let key: [SQLValue] = [.text(app.rawValue), .text(after)]
        let rest: [SQLValue] = [
            .text(experiment), .flag(basis == .decided), .integer(buckets.lowerBound), .integer(buckets.upperBound),
        ]
        return try await database.read { [page] connection in
            let end = try connection.row(endText, key + [.integer(Int64(page - 1))])
            let last = try end?.text(0)
            return (try connection.rows(text, key + [.text(last ?? Self.afterAll)] + rest), last)
        }
    }

    /// - Returns: the source that counts, if one brought the install, and whether Apple has answered.
    private static func source(_ rows: ArraySlice<Row>) throws -> (String?, Bool) {
        var facts: [AttributionFact] = [], firstOpenAtMs = Int64.max
        for row in rows {
            var fact = AttributionFact(
                id: try row.text(3), source: AttributionSource(try row.text(4)),
                status: AttributionClaim.Status(rawValue: try row.text(5)) ?? .unknown, saidAtMs: try row.integer(7),
                recordedAtMs: try row.integer(8))
            fact.verified = try row.flag(6)
            fact.link = try row.optionalText(9).map { try WireCoding.decode(ClickedLink.self, from: Data($0.utf8)) }
            firstOpenAtMs = [row.optionalInteger(10), row.optionalInteger(11)].compactMap { $0 }.min() ?? firstOpenAtMs
            facts.append(fact)
        }
        let winner = AttributionPrecedence.acquisition(facts, firstOpenAtMs: firstOpenAtMs).winner
        let source = winner?.status == .nonOrganic ? winner?.source.rawValue : nil
        return (source, facts.contains { $0.source == .appleAds })
    }
}

extension SourceReading {
    static let endText = """
        SELECT install_id FROM attribution_fact WHERE app_id = $1 AND install_id > $2
        GROUP BY install_id ORDER BY install_id LIMIT 1 OFFSET $3
        """
    static let text = """
        SELECT u.unit, u.epoch, u.variation, f.fact_id, f.source, f.status, f.is_verified, f.said_at_ms, f.recorded_at_ms,
          f.link, i.created_at_ms, i.installed_at_ms
        FROM attribution_fact f
          JOIN experiment_unit u ON u.app_id = $1 AND u.unit = f.install_id AND u.experiment = $4
          LEFT JOIN install i ON f.source = 'link' AND i.app_id = $1 AND i.install_id = f.install_id
        WHERE f.app_id = $1 AND f.install_id > $2 AND f.install_id <= $3
          AND u.step IN ('drawn', 'echoed') AND u.bucket >= $6 AND u.bucket < $7
          AND (u.shown_at_ms IS NOT NULL OR ($5 = 1 AND u.decided_at_ms IS NOT NULL))
        ORDER BY f.install_id
        """
    static let pendingEndText = """
        SELECT install_id FROM job WHERE app_id = $1 AND install_id > $2 AND kind = 'apple_ads'
        GROUP BY install_id ORDER BY install_id LIMIT 1 OFFSET $3
        """
    static let pendingText = """
        SELECT u.unit, u.epoch, u.variation
        FROM job j JOIN experiment_unit u ON u.app_id = $1 AND u.unit = j.install_id AND u.experiment = $4
        WHERE j.app_id = $1 AND j.install_id > $2 AND j.install_id <= $3 AND j.kind = 'apple_ads'
          AND u.step IN ('drawn', 'echoed') AND u.bucket >= $6 AND u.bucket < $7
          AND (u.shown_at_ms IS NOT NULL OR ($5 = 1 AND u.decided_at_ms IS NOT NULL))
        """
}
