// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

/// A phone's report of one link: the click, its age, and its key.
package struct ClickReport: Hashable, Sendable {
    let key: IdempotencyKey
    /// The link as it was sent, which the key stands for.
    let url: String
    let click: InAppClick
    /// 0…30 days.
    let ageMilliseconds: Int64
    let windows: AttributionWindows
    /// False: its attribution fact is stored, its row among the clicks is not.
    var isStored = true

    /// - Returns: nil if there is nothing to record.
    init?(
        _ opened: OpenedLink, key: IdempotencyKey, ageMilliseconds: Int64, windows: AttributionWindows
    ) {
        guard let click = opened.click else { return nil }
        self.key = key
        url = opened.answer.original
        self.click = click
        self.ageMilliseconds = ReportedAge.bounded(ageMilliseconds)
        self.windows = windows
    }

    /// The fact for an authenticated install; nil if the click says nothing about its origin.
    func fact(nowMs: Int64) -> AttributionFact? {
        AttributionFact(
            click.labels, code: click.code, attributes: click.attributes, id: "link:\(key)",
            clickedAtMs: nowMs - ageMilliseconds, recordedAtMs: nowMs, windows: windows
        )
    }
}

extension ClickReport {
    /// The request that its key stands for.
    var request: RequestKey { get throws { try RequestKey(key, .linkOpen, url) } }

    /// Its row among the clicks; nil if none is stored.
    /// - Parameters:
    ///   - id: a fresh UUIDv7.
    ///   - isProven: the install is authenticated. Other clicks are stored as unproven.
    func insertion(id: String, isProven: Bool, platform: String, in app: AppID, nowMs: Int64) throws -> Statement? {
        guard isStored else { return nil }
        return try ClickRow(
            id: id, atMs: nowMs - ageMilliseconds, kind: isProven ? "app" : "unproven", platform: platform, host: click.host,
            path: click.path, outcome: click.outcome.rawValue, labels: click.labels.kept(on: click.decision?.link),
            parameters: click.parameters
        ).insertion(into: app)
    }
}

/// A click of an authenticated install, with the id for its row.
struct ProvenClick: Sendable {
    let report: ClickReport
    let id: String

    init(report: ClickReport, nowMs: Int64) {
        self.report = report
        id = UUIDv7.make(nowMs: nowMs)
    }

    func insertion(platform: String?, in unit: InstallUnit) throws -> Statement? {
        try report.insertion(id: id, isProven: true, platform: platform ?? "ios", in: unit.app, nowMs: unit.nowMs)
    }
}
