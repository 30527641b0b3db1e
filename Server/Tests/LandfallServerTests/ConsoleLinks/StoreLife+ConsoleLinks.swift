// SPDX-License-Identifier: Apache-2.0
import LandfallStore
@testable import LandfallConsole
@testable import LandfallRules
@testable import LandfallServer

extension StoreLife {
    /// A link that a member makes and removes, and the clicks of another.
    static func consoleLinks(_ store: TestStore) async throws {
        let app = TestStore.app, now = TestStore.noon
        let line = AuditLine(action: .linkMade, member: "maya@example.com", subject: "it's", network: nil)
        let link = StoredLink(host: "go.example.com", path: LinkPath(stored: "/noted"), destination: "example://noted")
        for _ in 0..<2 { _ = try await store.links.add([link], to: app, noting: { _ in line }, nowMs: now) }
        _ = try await store.links.links(app, at: [link.place, LinkPlace(host: "go.example.com", path: LinkPath(stored: "/nothing"))])
        // The second time it is no longer as it was read.
        var relabelled = link
        (relabelled.labels.campaign, relabelled.expiresAtMs) = ("it's", now)
        (relabelled.destination, relabelled.handover.code) = ("example://it's", true)
        let change = LinkStore.Change(old: link, new: relabelled)
        for _ in 0..<2 { _ = try await store.links.change([change], of: app, noting: { _ in line }, nowMs: now) }
        // It is no longer as it was read.
        _ = try await store.links.remove(app, host: link.host, path: link.path, ifStill: link)
        for _ in 0..<2 {
            let entry = line.insertion(into: app, id: UUIDv7.make(nowMs: now), nowMs: now)
            _ = try await store.links.remove(app, host: link.host, path: link.path, noting: entry)
        }
        let clicked = LinkPlace(host: "go.example.com", path: try LinkPath("/Été/a'b"))
        _ = try await LinkClicks(database: store.database, app: app).day(ReportZone.utc.day(ofMs: now), in: .utc, at: clicked)
    }
}
