// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

/// What a phone reports of one link: the click, when, and under which key.
struct ClickReport: Hashable, Sendable {
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
        self.ageMilliseconds = ReportedAge.bounded(ageMilliseconds)
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

extension ClickReport {
    /// What its key stands for.
    var request: RequestKey { get throws { try RequestKey(key, .linkOpen, url) } }

    /// Its row among the clicks; nil where none is kept.
    /// - Parameters:
    ///   - id: a fresh UUIDv7.
    ///   - isProven: the caller has proved to be its install. Others' clicks are kept as unproven.
    func insertion(id: String, isProven: Bool, platform: String, in app: AppID, nowMs: Int64) throws -> Statement? {
        guard isStored else { return nil }
        return try ClickRow(
            id: id, atMs: nowMs - ageMilliseconds, kind: isProven ? "app" : "unproven", platform: platform, host: click.host,
            path: click.path, outcome: click.outcome.rawValue, labels: click.labels.kept(on: click.decision?.link),
            parameters: click.parameters
        ).insertion(into: app)
    }
}

/// A click that its install has proved, with the id that its row gets.
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
