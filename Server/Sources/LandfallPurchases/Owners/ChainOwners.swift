// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallWire

/// Whose a chain of purchases is, and who else may use it.
///
/// A signed text is no secret, and which reason a phone gives is its own word. So whatever changes hands does it only a few times.
package struct ChainOwners: Hashable, Sendable {
    /// Owners and users that a chain may get in ``spanMs``, besides its first owner.
    package static let mostMoves = 3
    package static let spanMs: Int64 = 30 * Retention.dayMs
    /// Besides the owner.
    static let mostUsers = 20

    /// Nil: nobody that is known here.
    package private(set) var owner: ProfileID?
    /// Those who may use it besides the owner, in the order in which they came.
    package private(set) var users: [ProfileID]
    /// When it changed hands last, in Unix milliseconds, ascending; at most ``mostMoves``.
    package private(set) var movedAtMs: [Int64]

    package init(owner: ProfileID? = nil, users: [ProfileID] = [], movedAtMs: [Int64] = []) {
        self.owner = owner
        self.users = users
        self.movedAtMs = movedAtMs
    }

    /// Everybody whose access follows from the chain.
    package var all: [ProfileID] { (owner.map { [$0] } ?? []) + users }

    /// The first owner: by the token that Apple has signed, or else who claims it first.
    /// - Returns: false if it has an owner.
    package mutating func begin(with profile: ProfileID) -> Bool {
        guard owner == nil else { return false }
        owner = profile
        users.removeAll { $0 == profile }
        return true
    }

    /// - Parameter knowing: what the store says of the people; it is asked only if the answer depends on it.
    /// - Returns: whether the profile may use the chain now.
    package mutating func take(
        _ claim: ChainClaim, by rule: OwnerRule, nowMs: Int64, knowing store: some ChainPeople
    ) throws -> Bool {
        guard let owner else { return begin(with: claim.profile) }
        if all.contains(claim.profile) { return true }
        // Nobody else has it: the same person has bought before they signed in.
        if try store.isAnonymous(owner), try store.hasLeft(owner, claim.install) {
            self.owner = nil
            return begin(with: claim.profile)
        }
        guard rule != .keep else { return false }
        // Who has a copy of a signed text could use all moves up. Whom Apple's signature names is not kept out by that.
        guard try hasMove(nowMs: nowMs) || claim.isExplicit && store.isNamed(claim.profile) else { return false }
        switch rule {
        case .keep: return false
        case .share:
            guard users.count < Self.mostUsers else { return false }
            users.append(claim.profile)
        case .transfer:
            guard try claim.isExplicit || store.isAnonymous(owner) else { return false }
            self.owner = claim.profile
            users = []
        }
        movedAtMs = (movedAtMs + [nowMs]).sorted().suffix(Self.mostMoves)
        return true
    }

    /// The person is gone. A chain without an owner belongs to who claims it next.
    package mutating func forget(_ profile: ProfileID) {
        if owner == profile { owner = nil }
        users.removeAll { $0 == profile }
    }

    private func hasMove(nowMs: Int64) -> Bool { movedAtMs.filter { $0 > nowMs - Self.spanMs }.count < Self.mostMoves }
}
