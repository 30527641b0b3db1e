// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules
import LandfallServer

/// The versions that charts have marks for.
struct ChartVersions: Sendable {
    /// More would cover the chart: the newest are marked.
    static let most = 50

    let store: ConfigurationStore

    /// - Returns: the newest first; nothing for a member who may not read versions.
    func published(on days: ReportDays, for frame: Frame) async throws -> [DayChart.Version] {
        guard frame.can(.configuration) else { return [] }
        let zone = days.zone, startMs = zone.startMs(ofDay: days.days.lowerBound)
        let found = try await store.summaries(publishedMs: startMs..<max(startMs, zone.startMs(ofDay: days.days.upperBound + 1)), limit: Self.most)
        return found.map { DayChart.Version(number: $0.number, date: ReportDays.text(zone.day(ofMs: $0.publishedAtMs)), message: $0.message) }
    }
}
