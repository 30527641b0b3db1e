// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import LandfallWire

extension SQLInstallStore {
    func record(_ app: AppID, _ credential: Credential, _ report: ClickReport, nowMs: Int64) async throws -> Install {
        try await change(app, credential, nowMs: nowMs) { change, install in
            try change.seen(install)
            try change.credit(install, try change.record([report], of: install))
        }.install
    }

    func recordUnproven(_ app: AppID, _ report: ClickReport, nowMs: Int64) async throws {
        try await unit(app, .nobody, nowMs: nowMs) { change in
            _ = try change.record(report, isProven: false, platform: "ios")
        }
    }

    func claim(
        _ app: AppID, _ credential: Credential, _ claim: DeferredClaim, nowMs: Int64
    ) async throws -> DeferredLinkAnswer {
        if let settled = try await settled(app, credential, claim, nowMs: nowMs) { return settled }
        return try await change(app, credential, nowMs: nowMs) { change, install in
            let search = AddressSearch(claim, of: install, nowMs: nowMs)
            let click = try change.take(claim, searching: search)
            try change.credit(install, [click?.fact(nowMs: nowMs, windows: claim.windows)].compactMap { $0 })
            return DeferredLinkAnswer(click)
        }.value
    }

    /// What a look tells where nothing is to be written: the known install has its link, or nothing waits for it.
    private func settled(
        _ app: AppID, _ credential: Credential, _ claim: DeferredClaim, nowMs: Int64
    ) async throws -> DeferredLinkAnswer? {
        guard let install = try await known(app, credential) else { return nil }
        return try await database.read { connection in
            if let taken = try FoundClick.taken(by: credential.installID, in: app, nowMs: nowMs, from: connection) {
                return .link(taken.link)
            }
            if let hash = claim.tokenHash, try FoundClick.waits(for: hash, in: app, nowMs: nowMs, from: connection) {
                return nil
            }
            let search = AddressSearch(claim, of: install, nowMs: nowMs)
            let isFound = try search.map { try !$0.rows(in: app, nowMs: nowMs, from: connection).isEmpty } ?? false
            return isFound ? nil : DeferredLinkAnswer.none
        }
    }
}

extension InstallID {
    /// Whose idempotency keys those are that came with the SDK key alone.
    fileprivate static let nobody = InstallID("")
}

extension DeferredLinkAnswer {
    init(_ click: FoundClick?) { self = click.map { .link($0.link) } ?? .none }
}

extension InstallChange {
    /// The links of an open, recorded, and the one that it asks for: all of them count together.
    /// - Returns: nil where the open did not ask.
    func takeLinks(of opening: Opening, _ install: Install) throws -> DeferredLinkAnswer? {
        var clicks: [AttributionFact] = []
        for report in opening.links {
            // A key that stands for something else is the phone's mistake; its first open is worth more than that link.
            do { clicks += try record([report], of: install) } catch InstallError.keyReused(_) { continue }
        }
        let deferred = try opening.deferred.map { claim in
            let search = AddressSearch(claim, of: install, saying: opening.device, nowMs: nowMs)
            return (claim: claim, click: try take(claim, searching: search))
        }
        if let deferred, let fact = deferred.click?.fact(nowMs: nowMs, windows: deferred.claim.windows) { clicks.append(fact) }
        try credit(install, clicks)
        return deferred.map { DeferredLinkAnswer($0.click) }
    }
}
