// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Testing

@testable import LandfallPurchases

@Suite("What a profile may use", .timeLimit(.minutes(1)))
struct ProfileAccessTests {
    private func chain(
        _ id: String, _ environment: AppStoreEnvironment = .production, from start: Int64 = noon, to end: Int64
    ) -> ChainState {
        let chain = ChainID(environment: environment, originalTransactionID: id)
        return ChainState.fold([.transaction(id, from: start, to: end, of: chain)], of: chain, rules: rules)
    }

    @Test("is the union of its chains: the latest end, and never-ending before all")
    func union() {
        let short = chain("1", to: noon + 10 * day), long = chain("2", to: noon + 20 * day)
        let ever = ChainState.fold([.single("3", "for ever", .nonConsumable, at: noon)], of: production, rules: rules)

        let both = ProfileAccess(chains: [short, long], grants: [], usesSandbox: true)
        let all = ProfileAccess(chains: [ever, short, long], grants: [], usesSandbox: true)

        #expect(both.entry(of: premium, at: noon)?.period.endsAtMs == noon + 20 * day)
        #expect(both.entry(of: premium, at: noon + 20 * day)?.period.state == .expired)
        #expect(all.entry(of: premium, at: noon)?.period.endsAtMs == nil)
        #expect(both == ProfileAccess(chains: [long, short], grants: [], usesSandbox: true))
    }

    @Test("changes by itself at each start and end, and then no more")
    func changes() {
        let access = ProfileAccess(
            chains: [chain("1", to: noon + 10 * day)],
            grants: [ProfileAccess.Grant(id: "g", level: basic, startsAtMs: noon + day, endsAtMs: noon + 2 * day)],
            usesSandbox: true)

        #expect(access.nextChangeMs(after: noon - 1) == noon)
        #expect(access.nextChangeMs(after: noon) == noon + day)
        #expect(access.nextChangeMs(after: noon + day) == noon + 2 * day)
        #expect(access.nextChangeMs(after: noon + 2 * day) == noon + 10 * day)
        #expect(access.nextChangeMs(after: noon + 10 * day) == nil)
        #expect(access.entry(of: basic, at: noon + day)?.period.state == .granted)
        #expect(access.entry(of: basic, at: noon + 2 * day)?.period.state == .expired)
        #expect(access.levels == [basic, premium])
    }

    @Test("leaves the sandbox out where the configuration says so, and marks it elsewhere")
    func sandbox() {
        let chains = [chain("1", .sandbox, to: noon + 10 * day)]

        #expect(ProfileAccess(chains: chains, grants: [], usesSandbox: true).entry(of: premium, at: noon)?.isSandbox == true)
        #expect(ProfileAccess(chains: chains, grants: [], usesSandbox: false).entry(of: premium, at: noon) == nil)
        #expect(chains.allSatisfy { $0.charges.isEmpty })
    }

    @Test("keeps a subscription of many renewals as one period, and its trial as another")
    func joined() {
        let facts = (0..<24).map { month in
            PurchaseFact.transaction("\(month + 1)", from: noon + Int64(month) * 30 * day) {
                if month == 0 { $0.offerDiscount = .freeTrial }
            }
        }
        let access = ProfileAccess(
            chains: [ChainState.fold(facts, of: production, rules: rules)], grants: [], usesSandbox: false)

        #expect(access.entries.map(\.period.state) == [.active, .active, .expired])
        #expect(access.entry(of: premium, at: noon + 100 * day)?.period.endsAtMs == noon + 720 * day)
        #expect(access.entry(of: premium, at: noon + day)?.period.isTrial == true)
        #expect(access.level(premium, at: noon + day)?.endsAtMs == noon + 720 * day)
    }

    @Test("closes with the last of the periods that follow each other without a gap, whatever they come from")
    func row() {
        let grants = ([(20, 25), (26, 30)] as [(Int64, Int64)]).map { start, end in
            ProfileAccess.Grant(id: "\(start)", level: premium, startsAtMs: noon + start * day, endsAtMs: noon + end * day)
        }
        let chains = [chain("1", to: noon + 10 * day), chain("2", from: noon + 8 * day, to: noon + 20 * day)]
        let access = ProfileAccess(chains: chains, grants: grants, usesSandbox: false)

        let days: [Int64] = [0, 9, 12, 22, 25, 26, 30]
        let said = days.map { access.level(premium, at: noon + $0 * day) }

        #expect(said.map { $0?.entry.period.transactionID } == ["1", "2", "2", "20", "20", "26", "26"])
        #expect(said.map { $0?.entry.period.state } == [.active, .active, .active, .granted, .expired, .granted, .expired])
        #expect(said.map { $0.map { ($0.startsAtMs - noon) / day } } == [0, 8, 8, 20, 20, 26, 26])
        #expect(said.map { ($0?.endsAtMs).map { ($0 - noon) / day } } == [25, 25, 25, 25, 25, 30, 30])
        #expect(access.level(premium, at: noon - 1) == nil)
    }

    @Test("closes with the grace that Apple gives, and says when it closed while the App Store still tries to charge")
    func retried() {
        let end = noon + 30 * day
        let facts: [PurchaseFact] = [
            .transaction("1", from: noon, to: end),
            .renewal(signed: end) { ($0.isInBillingRetry, $0.gracePeriodExpiresDateMs) = (true, end + 2 * day) },
        ]
        let access = ProfileAccess(chains: [ChainState.fold(facts, of: production, rules: rules)], grants: [], usesSandbox: false)

        let said = [noon, end, end + 2 * day, end + 90 * day].map { access.level(premium, at: $0) }

        #expect(said.map { $0?.entry.period.state } == [.active, .grace, .billingRetry, .expired])
        #expect(said.map { $0?.endsAtMs } == Array(repeating: end + 2 * day, count: 4))
        #expect(said.map { $0?.isAssumed } == Array(repeating: false, count: 4))
    }

    @Test("says that its end is assumed as soon as a grace without Apple's date is the last period")
    func assumed() {
        let end = noon + 30 * day
        let access = ProfileAccess(
            chains: [state(.transaction("1", from: noon, to: end), .notice("1", saysGrace: true, signed: end))], grants: [],
            usesSandbox: false)

        let level = access.level(premium, at: noon)

        #expect(level?.entry.period.isAssumed == false)
        #expect((level?.isAssumed, level?.endsAtMs) == (true, end + rules.graceDays * day))
    }

    @Test("that was never open closed when it began: a refund that is as old as the purchase")
    func neverOpen() {
        let access = ProfileAccess(
            chains: [state(.transaction("1", from: noon) { $0.revocationDateMs = noon })], grants: [], usesSandbox: false)

        let level = access.level(premium, at: noon + day)

        #expect(level?.entry.period.state == .revoked)
        #expect((level?.startsAtMs, level?.endsAtMs) == (noon, noon))
    }

    @Test("is read from its text as it was, and is the text of its chains together")
    func text() {
        let ever = ChainState.fold([.single("3", "for ever", .nonConsumable, at: noon)], of: production, rules: rules)
        let chains = [chain("1", to: noon + 10 * day), chain("2", .sandbox, to: noon + 20 * day), ever]
        let grant = ProfileAccess.Grant(id: "g", level: basic, startsAtMs: noon + day, endsAtMs: noon + 2 * day)
        let all = ProfileAccess(chains: chains, grants: [grant], usesSandbox: true)

        let parts = chains.sorted { $0.chain < $1.chain }.map { chain in
            ProfileAccess(text: ProfileAccess(chains: [chain], grants: [], usesSandbox: true).text)
        }

        #expect(all.subscriptions.count == 2 && all.singles.count == 1)
        #expect(ProfileAccess(text: all.text) == all)
        #expect(ProfileAccess(joining: parts.compactMap(\.self), grants: [grant], isComplete: false) == all)
        #expect(ProfileAccess(joining: [], grants: [], isComplete: false).text == ProfileAccess.none)
        #expect(ProfileAccess(text: ProfileAccess(joining: [], grants: [], isComplete: true).text)?.isComplete == true)
        #expect(ProfileAccess(text: "no JSON") == nil)
    }

    @Test("tells the newest purchases that do not renew, however many there are")
    func many() {
        let states = (0..<150).map { number in
            let id = ChainID(environment: .production, originalTransactionID: "\(1_000 + number)")
            return ChainState.fold(
                [.single(id.originalTransactionID, "coins", .consumable, at: noon + Int64(number), of: id)], of: id, rules: rules)
        }

        let access = ProfileAccess(chains: states, grants: [], usesSandbox: false)

        #expect(access.singles.map(\.purchase.purchasedAtMs) == (50..<150).map { noon + $0 })
    }

    @Test("by a family's purchase is the same, without money")
    func family() {
        let shared = state(.transaction("1", from: noon) { $0.ownership = .familyShared })

        #expect(shared.said(at: noon) == .active)
        #expect(shared.charges.isEmpty)
    }
}
