// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire
import Testing

@testable import LandfallPurchases

@Suite("A chain of purchases", .timeLimit(.minutes(1)))
struct ChainOwnersTests {
    private static let maya = ProfileID("i_maya"), omar = ProfileID("i_omar")

    private func claim(_ profile: ProfileID, isExplicit: Bool = true) -> ChainClaim {
        ChainClaim(profile: profile, install: "install", isExplicit: isExplicit)
    }

    private func take(
        _ owners: inout ChainOwners, _ claim: ChainClaim, _ rule: OwnerRule = .transfer, at ms: Int64 = noon, isAnonymous: Bool = false
    ) -> Bool {
        owners.take(claim, by: rule, nowMs: ms) { _ in isAnonymous }
    }

    @Test("belongs to who claims it first, also without being asked", arguments: OwnerRule.allCases)
    func first(rule: OwnerRule) {
        var owners = ChainOwners()

        let isTheirs = take(&owners, claim(Self.maya, isExplicit: false), rule)

        #expect(isTheirs)
        #expect(owners == ChainOwners(owner: Self.maya))
    }

    @Test("whose token is known belongs to that profile, and another one's claim is a later claim")
    func token() {
        var owners = ChainOwners()

        let beginnings = [Self.maya, Self.omar].map { owners.begin(with: $0) }

        #expect(beginnings == [true, false])
        #expect(!take(&owners, claim(Self.omar), .keep))
        #expect(owners.owner == Self.maya)
    }

    @Test("moves to who restores or buys, and by a mere report only from an anonymous profile")
    func transfer() {
        var owners = ChainOwners(owner: Self.maya)

        #expect(!take(&owners, claim(Self.omar, isExplicit: false)))
        #expect(owners == ChainOwners(owner: Self.maya))
        #expect(take(&owners, claim(Self.omar, isExplicit: false), isAnonymous: true))
        #expect(owners.all == [Self.omar])
        #expect(take(&owners, claim(Self.maya), at: noon + 1))
        #expect(owners == ChainOwners(owner: Self.maya, movedAtMs: [noon, noon + 1]))
    }

    @Test("stays with its owner where the configuration keeps it")
    func keep() {
        var owners = ChainOwners(owner: Self.maya)

        #expect(!take(&owners, claim(Self.omar), .keep, isAnonymous: true))
        #expect(take(&owners, claim(Self.maya), .keep))
        #expect(owners == ChainOwners(owner: Self.maya))
    }

    @Test("is used by several where the configuration shares it, and one who uses it moves nothing by saying so again")
    func share() {
        var owners = ChainOwners(owner: Self.maya)

        #expect(take(&owners, claim(Self.omar, isExplicit: false), .share))
        #expect(take(&owners, claim(Self.omar), .share, at: noon + 1))
        #expect(take(&owners, claim(Self.omar), .transfer, at: noon + 1))
        #expect(owners == ChainOwners(owner: Self.maya, users: [Self.omar], movedAtMs: [noon]))
    }

    @Test("moves three times in thirty days and no more; after that time again", arguments: [OwnerRule.transfer, .share])
    func bounded(rule: OwnerRule) {
        var owners = ChainOwners(owner: Self.maya)

        let moves = (0..<5).map { number in take(&owners, claim(ProfileID("i_\(number)")), rule, at: noon + number) }
        let isLate = take(&owners, claim("i_late"), rule, at: noon + ChainOwners.spanMs - 1)
        let isLater = take(&owners, claim("i_later"), rule, at: noon + ChainOwners.spanMs)

        #expect(moves == [true, true, true, false, false])
        #expect(!isLate)
        #expect(isLater)
        #expect(owners.movedAtMs == [noon + 1, noon + 2, noon + ChainOwners.spanMs])
    }

    @Test("belongs to nobody once its owner is forgotten, and then to who claims it next")
    func forgotten() {
        var owners = ChainOwners(owner: Self.maya, users: [Self.omar])

        owners.forget(Self.maya)
        #expect(owners.all == [Self.omar])
        #expect(take(&owners, claim(Self.omar), .keep))
        #expect(owners.all == [Self.omar])
    }
}
