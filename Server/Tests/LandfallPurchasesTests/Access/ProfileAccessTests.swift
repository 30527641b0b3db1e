// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import Testing

@testable import LandfallPurchases

@Suite("What a profile may use", .timeLimit(.minutes(1)))
struct ProfileAccessTests {
    private func chain(_ id: String, _ environment: AppStoreEnvironment = .production, to end: Int64) -> ChainState {
        let chain = ChainID(environment: environment, originalTransactionID: id)
        return ChainState.fold([.transaction(id, from: noon, to: end, of: chain)], of: chain, rules: rules)
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
