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

    /// The same of everybody.
    private struct People: ChainPeople {
        var isAnonymous = false, hasLeft = false, isNamed = false

        func isAnonymous(_ profile: ProfileID) -> Bool { isAnonymous }
        func hasLeft(_ profile: ProfileID, _ install: InstallID) -> Bool { hasLeft }
        func isNamed(_ profile: ProfileID) -> Bool { isNamed }
    }

    private func take(
        _ owners: inout ChainOwners, _ claim: ChainClaim, _ rule: OwnerRule = .transfer, at ms: Int64 = noon, isAnonymous: Bool = false
    ) throws -> Bool {
        try owners.take(claim, by: rule, nowMs: ms, knowing: People(isAnonymous: isAnonymous))
    }

    @Test("belongs to who claims it first, also without being asked", arguments: OwnerRule.allCases)
    func first(rule: OwnerRule) throws {
        var owners = ChainOwners()

        let isTheirs = try take(&owners, claim(Self.maya, isExplicit: false), rule)

        #expect(isTheirs)
        #expect(owners == ChainOwners(owner: Self.maya))
    }

    @Test("whose token is known belongs to that profile, and another one's claim is a later claim")
    func token() throws {
        var owners = ChainOwners()

        let beginnings = [Self.maya, Self.omar].map { owners.begin(with: $0) }

        #expect(beginnings == [true, false])
        #expect(try !take(&owners, claim(Self.omar), .keep))
        #expect(owners.owner == Self.maya)
    }

    @Test("moves to who restores or buys, and by a mere report only from an anonymous profile")
    func transfer() throws {
        var owners = ChainOwners(owner: Self.maya)

        #expect(try !take(&owners, claim(Self.omar, isExplicit: false)))
        #expect(owners == ChainOwners(owner: Self.maya))
        #expect(try take(&owners, claim(Self.omar, isExplicit: false), isAnonymous: true))
        #expect(owners.all == [Self.omar])
        #expect(try take(&owners, claim(Self.maya), at: noon + 1))
        #expect(owners == ChainOwners(owner: Self.maya, movedAtMs: [noon, noon + 1]))
    }

    @Test("stays with its owner where the configuration keeps it")
    func keep() throws {
        var owners = ChainOwners(owner: Self.maya)

        #expect(try !take(&owners, claim(Self.omar), .keep, isAnonymous: true))
        #expect(try take(&owners, claim(Self.maya), .keep))
        #expect(owners == ChainOwners(owner: Self.maya))
    }

    @Test("is used by several where the configuration shares it, and one who uses it moves nothing by saying so again")
    func share() throws {
        var owners = ChainOwners(owner: Self.maya)

        #expect(try take(&owners, claim(Self.omar, isExplicit: false), .share))
        #expect(try take(&owners, claim(Self.omar), .share, at: noon + 1))
        #expect(try take(&owners, claim(Self.omar), .transfer, at: noon + 1))
        #expect(owners == ChainOwners(owner: Self.maya, users: [Self.omar], movedAtMs: [noon]))
    }

    @Test("is used by at most twenty besides its owner, however slowly they come")
    func mostUsers() throws {
        var owners = ChainOwners(owner: Self.maya)

        let are = try (0...ChainOwners.mostUsers).map { number in
            try take(&owners, claim(ProfileID("i_\(number)")), .share, at: noon + Int64(number) * ChainOwners.spanMs)
        }

        #expect(are == Array(repeating: true, count: ChainOwners.mostUsers) + [false])
        #expect(owners.owner == Self.maya)
        #expect(owners.users.count == ChainOwners.mostUsers)
    }

    @Test("moves three times in thirty days and no more; after that time again", arguments: [OwnerRule.transfer, .share])
    func bounded(rule: OwnerRule) throws {
        var owners = ChainOwners(owner: Self.maya)

        let moves = try (0..<5).map { number in try take(&owners, claim(ProfileID("i_\(number)")), rule, at: noon + number) }
        let isLate = try take(&owners, claim("i_late"), rule, at: noon + ChainOwners.spanMs - 1)
        let isLater = try take(&owners, claim("i_later"), rule, at: noon + ChainOwners.spanMs)

        #expect(moves == [true, true, true, false, false])
        #expect(!isLate)
        #expect(isLater)
        #expect(owners.movedAtMs == [noon + 1, noon + 2, noon + ChainOwners.spanMs])
    }

    @Test("goes with a person who bought before they signed in, under every rule, and that is no move", arguments: OwnerRule.allCases)
    func signedIn(rule: OwnerRule) throws {
        var owners = ChainOwners(owner: Self.omar, users: [ProfileID("i_zoe")]), others = owners, customers = owners
        let people = People(isAnonymous: true, hasLeft: true), claim = claim(Self.maya, isExplicit: false)

        let isTheirs = try owners.take(claim, by: rule, nowMs: noon, knowing: people)

        #expect(isTheirs)
        #expect(owners == ChainOwners(owner: Self.maya, users: [ProfileID("i_zoe")]))
        // Nor does it go from a stranger, or from a customer whom the phone has left.
        _ = try others.take(claim, by: rule, nowMs: noon, knowing: People(isAnonymous: true))
        _ = try customers.take(claim, by: rule, nowMs: noon, knowing: People(hasLeft: true))
        #expect(others.movedAtMs.count == (rule == .keep ? 0 : 1))
        #expect(customers.owner == Self.omar)
    }

    @Test("comes back to whom Apple's signature names, when they ask, also after somebody has used all moves up")
    func named() throws {
        var owners = ChainOwners(owner: Self.omar, movedAtMs: [noon, noon, noon])
        let people = People(isNamed: true)

        let passive = try owners.take(claim(Self.maya, isExplicit: false), by: .transfer, nowMs: noon + 1, knowing: people)
        let kept = try owners.take(claim(Self.maya), by: .keep, nowMs: noon + 1, knowing: people)
        let asked = try owners.take(claim(Self.maya), by: .transfer, nowMs: noon + 1, knowing: people)

        #expect([passive, kept, asked] == [false, false, true])
        #expect(owners == ChainOwners(owner: Self.maya, movedAtMs: [noon, noon, noon + 1]))
    }

    @Test("belongs to nobody once its owner is forgotten, and then to who claims it next")
    func forgotten() throws {
        var owners = ChainOwners(owner: Self.maya, users: [Self.omar])

        owners.forget(Self.maya)
        #expect(owners.all == [Self.omar])
        #expect(try take(&owners, claim(Self.omar), .keep))
        #expect(owners.all == [Self.omar])
    }
}
