// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// The click reports of links on their way into the app.
package struct LinkReports: Sendable {
    package let links: Links
    package let clicks: ClickIntake

    package init(links: Links, clicks: ClickIntake) {
        (self.links, self.clicks) = (links, clicks)
    }

    /// The links of a first open. A link that cannot be recorded is left out: an old link must not stop the app's start.
    func reports(
        of waiting: [FirstOpenRequest.WaitingLink], in snapshot: Snapshot, from address: ClientAddress?, country: String?, nowMs: Int64
    ) async throws -> [ClickReport] {
        // A first open never waits for another service. The phone's own call about the link asks that service.
        var links = self.links
        links.resolver = nil
        var reports: [ClickReport] = []
        for link in waiting where (try? link.key.check()) != nil {
            let opened = try await links.open(link.url, in: snapshot, from: address, country: country, nowMs: nowMs)
            let report = ClickReport(
                opened, key: link.key, ageMilliseconds: link.ageMilliseconds, windows: snapshot.attributionWindows
            )
            guard var report else { continue }
            report.isStored = clicks.stores(isInvented: report.click.decision == .tracked, from: address, nowMs: nowMs)
            reports.append(report)
        }
        return reports
    }
}
