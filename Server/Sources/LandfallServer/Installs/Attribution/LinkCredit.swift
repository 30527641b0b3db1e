// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallWire

/// Which link clicks count for an install, and for what. A pure function of facts that are only ever added: order of arrival
/// and node do not matter.
package struct LinkCredit: Hashable, Sendable {
    /// iOS delivers the link that starts an app a moment after the start.
    package static let handOverMs: Int64 = 10_000

    /// Clicks that may have brought the install: its first open was within their window.
    package let acquiring: [AttributionFact]
    /// The latest click that counts at all; nil if no link has brought the user here or back.
    package let engagement: AttributionFact?

    /// - Parameters:
    ///   - facts: sources other than links are ignored.
    ///   - absences: when the install sent no request; only long absences count.
    package init(_ facts: [AttributionFact], firstOpenAtMs: Int64, absences: [Absence]) {
        let clicks = facts.filter { $0.source == .link && $0.status == .nonOrganic }
            .sorted { ($0.saidAtMs, $0.id) < ($1.saidAtMs, $1.id) }
        let last = firstOpenAtMs + Self.handOverMs
        acquiring = clicks.filter { $0.saidAtMs <= last && firstOpenAtMs - $0.saidAtMs <= $0.windows.clickWindowMs }

        var engagement = acquiring.last
        for click in clicks where click.saidAtMs > last {
            if let engagement, engagement.isOfSameLink(as: click) { continue }
            if click.bringsBack(firstOpenAtMs, absences) { engagement = click }
        }
        self.engagement = engagement
    }
}

extension LinkCredit {
    /// Which click to drop so that at most `most` are kept: never one that counts, never the latest.
    static func leastMissed(among facts: [AttributionFact], of install: Install, most: Int) -> AttributionFact? {
        let clicks = facts.filter { $0.source == .link }
        guard clicks.count > most else { return nil }
        var told = install
        told.facts = facts
        let credit = told.linkCredit
        let latest = clicks.max { ($0.saidAtMs, $0.id) < ($1.saidAtMs, $1.id) }
        let kept = Set([credit.acquiring.first?.id, credit.engagement?.id, latest?.id].compactMap { $0 })
        return clicks.filter { !kept.contains($0.id) }.min { ($0.saidAtMs, $0.id) < ($1.saidAtMs, $1.id) }
    }
}

extension Install {
    /// Adds verified clicks. A stored click with the same id stays; above ``AttributionFact/mostPerInstall`` the oldest click
    /// that counts for nothing is dropped.
    mutating func credit(_ clicks: [AttributionFact]) {
        for click in clicks where !facts.contains(where: { $0.id == click.id }) {
            facts.append(click)
            if let missed = LinkCredit.leastMissed(among: facts, of: self, most: AttributionFact.mostPerInstall) {
                facts.removeAll { $0.id == missed.id }
            }
        }
    }
}

extension AttributionFact {
    fileprivate var windows: AttributionWindows { link?.windows ?? AttributionWindows() }

    /// True for a click at the end of a long enough absence, with an open inside the click's window.
    fileprivate func bringsBack(_ firstOpenAtMs: Int64, _ absences: [Absence]) -> Bool {
        if windows.inactivityMs == 0 { return recordedAtMs - saidAtMs <= windows.clickWindowMs }
        return absences.contains { absence in
            saidAtMs - absence.beganAtMs >= windows.inactivityMs
                && saidAtMs <= absence.endedAtMs + LinkCredit.handOverMs
                && absence.endedAtMs - saidAtMs <= windows.clickWindowMs
        }
    }
}
