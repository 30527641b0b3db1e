// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallSQLite
import LandfallStore
import LandfallWire
import Synchronization

/// What must be true of links in the end, after minutes of good network with an app that takes every link.
extension PhoneLaunch {
    func checkSettledLinks(_ database: MemoryDatabase, _ trace: VirtualTrace) async throws {
        let links = phone.promise { $0.links }
        for tap in links.taps.values.sorted(by: { $0.number < $1.number }) where tap.isOwed {
            trace.broke("L1", "\(name): \(tap.link.text) was accepted and nobody ever had it")
        }
        try await checkClicks(links, database, trace)
        try await checkCampaign(links, trace)
    }

    private func checkClicks(_ links: LinkPromises, _ database: MemoryDatabase, _ trace: VirtualTrace) async throws {
        let rows = try await database.read { connection in
            try connection.rows("SELECT parameters FROM click WHERE kind IN ('app', 'unproven')", []).compactMap {
                $0.optionalText("parameters")
            }
        }
        var counts: [String: Int] = [:]
        for row in rows { counts[row, default: 0] += 1 }
        var counted: Set<String> = []
        for tap in links.taps.values.sorted(by: { $0.number < $1.number }) where tap.link.isCounted {
            let label = tap.link.label
            counted.insert(label)
            let count = counts[label, default: 0]
            // Each installation has its own keys.
            if count < tap.safeClicks || count > tap.clicks * (links.copies + 1) {
                trace.broke(
                    "L6", "\(name): \(tap.safeClicks)…\(tap.clicks) clicks of \(tap.link.text), the server has \(count)")
            }
        }
        for label in counts.keys.sorted() where label.contains("\"\(phone.name)-") && !counted.contains(label) {
            trace.broke("L6", "\(name): nobody tapped \(label)")
        }
    }

    private func checkCampaign(_ links: LinkPromises, _ trace: VirtualTrace) async throws {
        guard links.isCampaignSure, links.copies == 0, wipedAt == nil, phone.promise({ $0.personChangedAt }) == nil else {
            return
        }
        let paywall = try await client.paywall(for: "welcome", within: .seconds(5)).shownName
        let expected = links.isOfCampaign ? "summer" : "default"
        if paywall != expected { trace.broke("L8", "\(name): the paywall is \(paywall), not \(expected)") }
    }
}
