// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallStore
package import LandfallWire

extension SQLInstallStore {
    package func record(_ app: AppID, _ credential: Credential, _ report: ClickReport, nowMs: Int64) async throws -> Install {
        var questions = InstallQuestions()
        let key = try report.request, click = ProvenClick(report: report, nowMs: nowMs)
        questions.keys = [key]
        questions.countsClicks = true
        return try await change(app, credential, nowMs: nowMs, asking: questions) { record in
            // Counts as a visit of the install, even without an open: a link brought a running app to the front.
            record.install.isHere(nowMs: nowMs)
            record.install.credit(try record.record(key, click))
        }.install
    }

    package func recordUnproven(_ app: AppID, _ report: ClickReport, nowMs: Int64) async throws {
        let key = try report.request
        let click = try report.insertion(
            id: UUIDv7.make(nowMs: nowMs), isProven: false, platform: "ios", in: app, nowMs: nowMs)
        try await database.write(.interactive, locking: [.key(report.key, in: app)]) { connection in
            var keys = try RequestKeys(connection.rows(RequestKeys.questions([key], of: .nobody, in: app)))
            guard try keys.use(key) else { return }
            try connection.batch(keys.insertions(of: .nobody, in: app, nowMs: nowMs) + (click.map { [$0] } ?? []))
        }
    }

    package func claim(
        _ app: AppID, _ credential: Credential, _ claim: DeferredClaim, nowMs: Int64
    ) async throws -> DeferredLinkAnswer {
        if let settled = try await settled(app, credential, claim, nowMs: nowMs) { return settled }
        var questions = InstallQuestions()
        questions.link = claim
        questions.countsClicks = true
        return try await change(app, credential, nowMs: nowMs, asking: questions) { record in
            record.install.credit(record.take(claim))
            return DeferredLinkAnswer(record.answers.link.click)
        }.value
    }

    /// The answer if nothing has to be written: the known install has its link, or no link waits for it.
    private func settled(
        _ app: AppID, _ credential: Credential, _ claim: DeferredClaim, nowMs: Int64
    ) async throws -> DeferredLinkAnswer? {
        guard let install = try await known(app, credential) else { return nil }
        let link = try await database.read { try claim.find(for: install, in: app, nowMs: nowMs, from: $0) }
        return switch link {
        case .none, .taken: DeferredLinkAnswer(link.click)
        case .waiting, .atAddress: nil
        }
    }
}

extension InstallID {
    /// The owner of idempotency keys that came with the SDK key alone.
    fileprivate static let nobody = InstallID("")
}

extension DeferredLinkAnswer {
    init(_ click: FoundClick?) { self = click.map { .link($0.link) } ?? .none }
}
