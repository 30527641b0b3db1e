// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// What installs did after they saw a paywall, by paywall.
struct PaywallReport: Sendable {
    static let name = "paywalls"

    enum Field: String, ReportField {
        case day, placement, paywall, variation, audience, origin
    }

    let days: ReportDays
    let by: [Field]
    let metrics: [Metric]

    /// - Throws: `invalid_value`.
    init(days: ReportDays, by text: String?, metrics: [Metric]) throws(RequestError) {
        self.days = days
        self.metrics = metrics
        by = try Field.list(text, usual: [.placement, .paywall])
    }

    /// - Throws: `invalid_value` if the report is about too many installs; the errors of the store.
    func sheet(_ database: any Database, _ snapshot: Snapshot, nowMs: Int64) async throws -> ReportSheet {
        let (app, testDevices) = (snapshot.app.id, snapshot.testDevices)
        var cohort = ReportCohort(metrics: metrics, dayPlace: by.firstIndex(of: .day))
        let receivedMs = days.milliseconds.lowerBound..<(days.endMs + ReportedAge.longestMs)
        try await EventReading(database: database, app: app).forEach(of: [.paywallShown], receivedMs: receivedMs) { found in
            guard days.milliseconds.contains(found.occurredAtMs) else { return }
            let key = by.map { $0.value(of: found, in: days.zone).map { Array($0.utf8) } }
            try cohort.add(exposureOf: found.install, to: key, atMs: found.occurredAtMs)
            // An install that is in several rows counts once in the totals.
            if !by.isEmpty { try cohort.add(exposureOf: found.install, to: [], atMs: found.occurredAtMs) }
        }
        try await InstallReading(database: database, app: app).forEach(openedMs: .min..<(.max)) { install in
            // The installs of the team's own phones say nothing about its users.
            guard testDevices.device(install.id, first: install.firstInstall) == nil else { return cohort.leaveOut(install.key) }
            if let atMs = install.origin?.recordedAtMs { cohort.attribute(install.key, atMs: atMs) }
        }
        let types = metrics.compactMap(\.event)
        try await cohort.follow(database, of: app, from: days, types: types)
        let known = ReportKnowledge(days, snapshot.retention, nowMs: nowMs)
        var rows = cohort.counts.mapValues { known.counts($0) }
        let totals = rows[[]] ?? known.counts(Array(repeating: 0, count: ReportCohort.firstMetric + metrics.count))
        if !by.isEmpty { rows[[]] = nil }
        return ReportSheet(name: Self.name, days: days, by: by.map(\.rawValue), columns: columns, rows: rows, totals: totals)
    }

    private var columns: [ReportSheet.Column] {
        [
            .init(name: "shown", definition: "Installs that saw the paywall on these days.", content: .count(ReportCohort.installs)),
            .init(name: "exposures", definition: "How often it was seen.", content: .count(ReportCohort.exposures)),
            .init(name: "attributed", definition: "Of the installs, those of whom a source is known.", content: .count(ReportCohort.attributed)),
            .init(
                name: "late", definition: "Of the attributed, those who saw it before the source was known.",
                content: .count(ReportCohort.late)),
        ] + ReportCohort.columns(metrics, since: "they first saw it on these days", among: "the installs")
    }
}

extension PaywallReport.Field {
    fileprivate func value(of event: EventReading.Found, in zone: ReportZone) -> String? {
        switch self {
        case .day: ReportDays.text(zone.day(ofMs: event.occurredAtMs))
        case .placement: event.texts[0]
        case .paywall: event.texts[1]
        case .variation: event.texts[2]
        case .audience: event.texts[3]
        case .origin: event.texts[4]
        }
    }
}
