// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallDatabase
import LandfallWire

/// What a phone reports of one link: the click, when, and under which key.
struct ClickReport: Hashable, Sendable {
    /// Longer counts as this.
    static let longestAge: Int64 = 30 * 86_400_000

    let key: IdempotencyKey
    /// As it was sent: what the key stands for.
    let url: String
    let click: InAppClick
    /// 0…30 days.
    let ageMilliseconds: Int64
    let windows: AttributionWindows
    /// False: what it says of its install is kept, its row among the clicks is not.
    var isStored = true

    /// - Returns: nil where there is nothing to record.
    init?(
        _ opened: OpenedLink, key: IdempotencyKey, ageMilliseconds: Int64, windows: AttributionWindows
    ) {
        guard let click = opened.click else { return nil }
        self.key = key
        url = opened.answer.original
        self.click = click
        self.ageMilliseconds = min(max(0, ageMilliseconds), Self.longestAge)
        self.windows = windows
    }

    /// What it adds to an install that has proved who it is; nil where it says nothing.
    func fact(nowMs: Int64) -> AttributionFact? {
        AttributionFact(
            click.labels, code: click.code, attributes: click.attributes, id: "link:\(key)",
            clickedAtMs: nowMs - ageMilliseconds, recordedAtMs: nowMs, windows: windows
        )
    }
}

extension InstallChange {
    /// Stores the click, once a key.
    /// - Parameter isProven: the caller has proved to be this install. Others' clicks are kept as unproven.
    /// - Returns: false where it was recorded before.
    /// - Throws: ``InstallError/keyReused(_:)`` where the key stands for another request.
    func record(_ report: ClickReport, isProven: Bool, platform: String) throws -> Bool {
        guard try isFirst(report.key, .linkOpen, report.url) else { return false }
        guard report.isStored else { return true }
        let click = report.click
        let row = ClickRow(
            id: UUIDv7.make(nowMs: nowMs), atMs: nowMs - report.ageMilliseconds, kind: isProven ? "app" : "unproven",
            platform: platform, host: click.host, path: click.path, outcome: click.outcome.rawValue,
            labels: click.labels.kept(on: click.decision?.link), parameters: click.parameters
        )
        try connection.run(row.insertion(into: app))
        return true
    }

    /// Records what an install reports, and what that says of it.
    func record(_ reports: [ClickReport], of install: Install) throws -> [AttributionFact] {
        try reports.compactMap { report in
            let isNew = try record(report, isProven: true, platform: install.device.platform ?? "ios")
            return isNew ? report.fact(nowMs: nowMs) : nil
        }
    }

    /// The install is here, also where no open says so: a link brought a running app to the front.
    func seen(_ install: Install) throws {
        guard nowMs - install.lastSeenAtMs >= SQLInstallStore.lastSeenPrecision else { return }
        try endAbsence(of: install)
        try connection.run(
            "UPDATE install SET last_seen_at_ms = $3 WHERE app_id = $1 AND install_id = $2",
            [.text(app.rawValue), .text(id.rawValue), .integer(nowMs)]
        )
    }
}
