// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules
package import LandfallServer
package import LandfallWire

/// Looks from outside at the hosts of a configuration.
/// - Parameter file: the association file as this server serves it on its brand domains; nil if it serves none.
package typealias DomainExamining = @Sendable (_ subject: DoctorSubject, _ file: JSONValue?) async -> [DomainLook]

extension Services {
    /// Where alerts get the numbers that reports, metrics and doctor have.
    var alertSources: AlertMeter.Sources {
        let domains = examiningDomains.map { examine in
            { @Sendable [time] (snapshot: Snapshot) async -> [DomainLook] in
                let subject = DoctorSubject(snapshot.configuration, revision: snapshot.revision, nowMs: time.nowMs())
                return await examine(subject, snapshot.appleAssociationFile)
            }
        }
        return AlertMeter.Sources(
            counts: { [reports] snapshot in try await AlertCountReading(reports: reports).counts(snapshot) }, domains: domains,
            counter: { [metrics] label, dimensions in metrics.count(label, dimensions) })
    }

    var alertStore: AlertStore { AlertStore(database, app: snapshot.app.id) }

    var alertRoutes: AlertRoutes { AlertRoutes(alertStore, http: outbound, mail: mail, at: webhookAddress, time: time) }
}

/// What reports count of these days, for alerts.
struct AlertCountReading: Sendable {
    /// Yesterday and today: at midnight, today has nothing yet.
    private static let days = 2
    private static let daysBefore = 14

    let reports: Reports

    func counts(_ snapshot: Snapshot) async throws -> AlertCounts {
        let moment = try await reports.moment(snapshot), days = try moment.days(Self.days, endingOn: moment.today)
        let before = try moment.days(Self.daysBefore, endingOn: moment.today - Int64(Self.days))
        var counts = AlertCounts()
        let paywalls = try await reports.answer(ReportRequest(.paywalls(by: [.origin]), days), snapshot, at: moment)
        let all = paywalls.rows.values.reduce(0) { $0 + (Self.count(.exposures, in: $1, paywalls) ?? 0) }
        let bundled = paywalls.rows[[Array("bundled".utf8)]].flatMap { Self.count(.exposures, in: $0, paywalls) } ?? 0
        counts.bundledPaywalls = AlertMeasurements.Share(bundled, of: all)
        let links = try await reports.answer(ReportRequest(.links(by: []), days), snapshot, at: moment)
        counts.expiredClicks = Self.count(.expiredClicks, in: links.totals, links)
        counts.linkOpens = Self.opens(links)
        counts.linkOpensBefore = Self.opens(try await reports.answer(ReportRequest(.links(by: []), before), snapshot, at: moment))
        return counts
    }

    /// Nil where it cannot be known.
    private static func opens(_ links: ReportSheet) -> AlertMeasurements.Share? {
        guard let proven = count(.appOpens, in: links.totals, links), let unproven = count(.unprovenAppOpens, in: links.totals, links),
            let clicks = count(.clicks, in: links.totals, links)
        else { return nil }
        return AlertMeasurements.Share(proven + unproven, of: clicks)
    }

    private static func count(_ metric: ReportMetric, in counts: [Int64?], _ sheet: ReportSheet) -> Int64? {
        sheet.layout.index(of: metric).flatMap { counts[$0] }
    }
}
