// SPDX-License-Identifier: Apache-2.0
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

extension StoreLife {
    /// A button that is tapped twice, and one of a click that nobody made.
    static func buttonTaps(_ store: TestStore) async throws {
        let (app, now, taps) = (TestStore.app, TestStore.noon, ButtonTapStore(store.database))
        let id = UUIDv7.make(nowMs: now), path = LinkPath(stored: "/plain")
        let click = Click(
            id: id, atMs: now, kind: .person, platform: .ios, host: "go.example.com", path: path, outcome: .page, visitor: 7, country: nil,
            labels: LinkLabels())
        try await store.clicks.record(click, handing: [], waiting: nil, of: app)
        for clickID in [id, id, UUIDv7.make(nowMs: now)] {
            guard let tap = ButtonTap(target: "/plain?lf_tap=store.\(clickID)") else { continue }
            try await taps.record(tap, host: "go.example.com", path: path, of: app, nowMs: now + 5)
        }
    }
}
