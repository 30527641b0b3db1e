// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallSQLite
import LandfallStore
import LandfallWire
import Synchronization

/// The guarantees that show in the end, after minutes of good network: nothing that was promised is lost, and nothing has
/// happened twice.
extension PhoneLaunch {
    func checkSettled(_ database: MemoryDatabase, _ trace: VirtualTrace) async throws {
        let (promises, installs) = phone.memory.withLock { ($0.promises, $0.installs) }
        guard let profile = client.profile else {
            return trace.broke("D9", "\(name): no profile after minutes of good network")
        }
        checkAttribution(promises, trace)
        check(profile, promises, trace)
        let everyInstall = installs.union([profile.installID.rawValue]).sorted()
        let (exposures, claims) = try await database.read { connection in
            let events = try everyInstall.flatMap {
                try connection.rows(
                    "SELECT event_id FROM event WHERE install_id = $1 AND type = 'paywall_shown'", [.text($0)])
            }
            let facts = try everyInstall.map {
                try connection.rows(
                    "SELECT campaign FROM attribution_fact WHERE install_id = $1 AND source = $2",
                    [.text($0), .text(Promises.Claim.source.rawValue)]
                ).compactMap { $0.optionalText("campaign") }
            }
            return (Set(try events.map { try $0.text("event_id") }).count, facts)
        }
        if exposures < promises.safeExposures || exposures > promises.exposures {
            let expected = "\(promises.safeExposures)…\(promises.exposures)"
            trace.broke("D9", "\(name): \(expected) exposures, the server has \(exposures)")
        }
        check(claims, promises, trace)
    }

    private func check(_ profile: Profile, _ promises: Promises, _ trace: VirtualTrace) {
        if let sessions = promises.sessions, profile.customAttributes["sessions"] != .number(Double(sessions)) {
            let found = profile.customAttributes["sessions"].map { "\($0)" } ?? "nothing"
            trace.broke("D9", "\(name): sessions were set to \(sessions), the server has \(found)")
        }
        if let customer = promises.customer, profile.customerID != customer {
            trace.broke("D9", "\(name): \(customer ?? "nobody") was acknowledged, it is \(profile.customerID ?? "nobody")")
        }
    }

    /// - Parameter found: the campaigns that the server knows for each installation.
    private func check(_ found: [[String]], _ promises: Promises, _ trace: VirtualTrace) {
        for claim in promises.safeClaims.map(\.campaign).sorted() where !found.joined().contains(claim) {
            trace.broke("D9", "\(name): the claim of \(claim) is lost")
        }
        let accepted = Set(promises.claims.map(\.campaign))
        for campaigns in found {
            if campaigns.count > Set(campaigns).count { trace.broke("D9", "\(name): a claim counts twice: \(campaigns)") }
            for campaign in campaigns where !accepted.contains(campaign) {
                trace.broke("D9", "\(name): nobody claimed \(campaign)")
            }
        }
    }

    private func checkAttribution(_ promises: Promises, _ trace: VirtualTrace) {
        let attribution = client.attribution
        let isByOther = if case .attributed(let details) = attribution { details.source != .appleAds } else { false }
        let mayBeByOther = promises.mayBeAttributedByOther
        let mustBeByOther = promises.isAttributedByOther
        let maySayOrganic = promises.claims.contains { $0.status == .organic }
        let isExpected: Bool =
            switch (phone.origin.ending, attribution) {
            // A new store may have heard of the claim before anybody could see that it lacks Apple's token.
            case (.attributed, .attributed): !isByOther || mayBeByOther && wipedAt != nil
            case (_, .attributed): isByOther && mayBeByOther
            case (.organic, .notAttributed): !mustBeByOther
            case (.nothing, .pending): !mustBeByOther
            // A token is valid for 24 hours; then nobody asks Apple about it any more.
            case (.nothing, .unavailable(.expired)): clock.elapsed > .seconds(86_400) && !mustBeByOther
            case (.invalidToken, .unavailable(.invalidToken)), (.notFound, .unavailable(.notFound)): !mustBeByOther
            case (.attributed, .notAttributed): maySayOrganic && wipedAt != nil
            case (.attributed, _): false
            case (_, .notAttributed): maySayOrganic && !mustBeByOther
            default: false
            }
        if !isExpected { trace.broke("D9", "\(name): \(phone.origin.ending) is known as \(attribution)") }
    }
}
