// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore
import LandfallWire

/// Adds facts to their chain inside a transaction, and writes what all facts of the chain then add up to: its charges, whose it is, what
/// it opens for them, and which paywall sold it.
struct ChainUnit: Sendable {
    struct Outcome: Sendable {
        /// For each fact, whether it is new.
        let isNew: [Bool]
        /// Whether who claims the chain may use it.
        var mayUse = false
        /// Those for whom the chain opens something else than before; each is to be folded, see ``AccessUnit``.
        var profiles: Set<ProfileID> = []
        /// The chain's person was erased and nobody has it again: nothing of the facts is stored, and their money is counted.
        var isErased = false
        /// Charges that the facts add or change; empty if nobody asks for them.
        var charges: [RecordedCharge] = []
    }

    /// A phone's claim, as a part of the unit.
    struct Claim: Sendable {
        let claim: ChainClaim
        /// False for a call that is repeated: it says how things are, and takes nothing from anybody.
        let isNew: Bool
        /// The event of a paywall.
        let exposure: String?
    }

    let chain: ChainID
    private let facts: [StoredFact]
    private let rules: PurchaseRules
    private let holders: TokenHolders
    private let app: AppID
    private let nowMs: Int64
    private let tellsCharges: Bool
    /// See ``DirtyMark``.
    private let reportStamp = DirtyMark.drawnStamp()

    /// - Parameters:
    ///   - facts: at least one, all of one chain.
    ///   - tellsCharges: the outcome has the charges that are new.
    init(
        _ facts: [StoredFact], rules: PurchaseRules, tokens: PurchaseTokens, app: AppID, nowMs: Int64, tellsCharges: Bool = false
    ) {
        precondition(Set(facts.map(\.fact.chain)).count == 1, "Facts of a unit belong to one chain.")
        (self.facts, self.rules, self.app, self.nowMs) = (facts, rules, app, nowMs)
        self.tellsCharges = tellsCharges
        holders = TokenHolders(tokens: tokens, app: app)
        chain = facts[0].fact.chain
    }

    /// For ``refold(_:)``.
    init(_ chain: ChainID, rules: PurchaseRules, tokens: PurchaseTokens, app: AppID, nowMs: Int64) {
        (self.chain, self.rules, self.app, self.nowMs) = (chain, rules, app, nowMs)
        facts = []
        tellsCharges = false
        holders = TokenHolders(tokens: tokens, app: app)
    }

    var lock: RowLock { .chain(chain.description, in: app) }

    private var key: [SQLValue] { [.text(app.rawValue), .text(chain.description)] }

    /// Writes nothing if all facts are known, and everybody who may use the chain already might. A phone's claim brings an erased chain back.
    func add(receivedAtMs: Int64, by claim: Claim? = nil, to connection: any WriteConnection) throws -> Outcome {
        let answers = try connection.rows([Statement(StoredChain.question, key), erased.question])
        let wasErased = !answers[1].isEmpty, source = answers[1].first?.optionalText("source")
        if let source {
            guard claim != nil else { return try count(for: source, isGone: answers[0].isEmpty, connection) }
            try connection.run(erased.returning)
        }
        var outcome = Outcome(isNew: try connection.batch(facts.map { $0.insertion(into: app, receivedAtMs: receivedAtMs) }).map { $0 > 0 })
        let isNews = outcome.isNew.contains(true)
        guard isNews || claim != nil else { return outcome }
        let stored = try answers[0].first.map { try StoredChain($0) }
        var next = stored ?? StoredChain()
        let known = isNews || next.owners.owner == nil ? try ChainRows(of: chain, key, from: connection) : nil
        let token = known?.newestToken
        // An erased chain comes back to who brings it: its token may be of the person who is being erased.
        if next.owners.owner == nil, source == nil, let token, mayBeginByToken, let holder = try holders.holder(of: token, connection) {
            _ = next.owners.begin(with: holder)
        }
        let isUnowned = next.owners.owner == nil
        if let claim { outcome.mayUse = try take(claim, for: &next, of: known, connection) }
        guard isNews || next != stored else { return outcome }

        let rows = try known ?? ChainRows(of: chain, key, from: connection)
        let state = ChainState.fold(rows.facts, of: chain, rules: rules)
        next.beganAtMs = state.beganAtMs
        if next.soldBy == nil, let claim, let exposure = claim.exposure, exposure == next.exposure {
            // Mostly it was shown a moment ago. What has come earlier, or comes later, is found by ``UnsoldChains``.
            next.soldBy = try SoldBy.find(exposure, of: claim.claim.install, sinceMs: nowMs - Retention.dayMs, in: app, from: connection)
        }
        let access = text(of: state)
        let left = stored.map { $0.owners.all.filter { !next.owners.all.contains($0) } } ?? []
        let users = next.owners.all.map { ($0, use(by: $0, opening: access)) } + left.map { ($0, leaving($0)) }
        for ((profile, _), count) in zip(users, try connection.batch(users.map(\.1))) where count > 0 { outcome.profiles.insert(profile) }
        let isMoved = stored.map { !$0.hasOrigin(of: next) } ?? true
        var writes = try charges(of: state, from: rows.charges, wasErased: wasErased, isMoved: isMoved, connection)
        writes += [try next.writing(key, facts: rows.facts.count, newsDueAtMs: state.newsDueAtMs, isNews: isNews, nowMs: nowMs), RulesWork.folding(by: rules, in: app)]
        if tellsCharges {
            let counted = wasErased ? try erased.uncounted(state.charges, connection) : state.charges
            outcome.charges = RecordedCharge.new(counted, besides: rows.charges, of: chain, in: next)
        }
        if isUnowned, let token, let owner = next.owners.owner { writes += try holders.remembering(token, of: owner, connection) }
        try connection.batch(writes)
        return outcome
    }

    private var erased: ErasedChain { ErasedChain(chain.description, holders.tokens.hashes, in: app) }

    /// Apple's news of a chain whose person was erased: only the money in it is kept, as that of nobody.
    /// - Parameter isGone: false while the erasure is not done with the chain.
    private func count(for source: String, isGone: Bool, _ connection: any WriteConnection) throws -> Outcome {
        let charges = ChainState.fold(facts.map(\.fact), of: chain, rules: rules).charges
        try erased.count(charges, for: source, waiting: isGone ? [] : connection.rows(ChargeRow.question, key), connection)
        return Outcome(isNew: facts.map { _ in false }, isErased: true)
    }

    /// Writes what the chain opens by the rules of now, and until when its service lasts.
    /// - Returns: those for whom the chain opens something else than before.
    func refold(_ connection: any WriteConnection) throws -> Set<ProfileID> {
        let answers = try connection.rows([Statement(StoredChain.question, key), erased.question])
        guard let stored = try answers[0].first.map({ try StoredChain($0) }) else { return [] }
        let rows = try ChainRows(of: chain, key, from: connection)
        let state = ChainState.fold(rows.facts, of: chain, rules: rules)
        try connection.batch(charges(of: state, from: rows.charges, wasErased: !answers[1].isEmpty, isMoved: false, connection))
        let access = text(of: state), users = stored.owners.all
        return Set(zip(users, try connection.batch(users.map { use(by: $0, opening: access) })).filter { $0.1 > 0 }.map(\.0))
    }

    /// - Parameters:
    ///   - wasErased: some of them may be counted as nobody's.
    ///   - isMoved: who brought or sold the chain has changed, so that every charge counts for somebody else.
    private func charges(
        of state: ChainState, from stored: [ChargeRow], wasErased: Bool, isMoved: Bool, _ connection: any ReadConnection
    ) throws -> [Statement] {
        let charges = (wasErased ? try erased.uncounted(state.charges, connection) : state.charges).map { ChargeRow($0, of: chain) }
        let (deleted, inserted) = ChargeRow.changes(from: stored, to: charges)
        let days = (isMoved ? stored + charges : deleted + inserted).flatMap(\.days)
        return deleted.map { $0.deletion(from: app) } + inserted.map { $0.insertion(into: app) }
            + DirtyMark.charges(on: days, sinceMs: nowMs, stamp: reportStamp).map { $0.insertion(into: app) }
    }

    private func text(of state: ChainState) -> String {
        ProfileAccess(chains: [state], grants: [], usesSandbox: rules.sandbox != .refuse).text
    }

    /// Nobody has sent such a purchase: of the sandbox it counts only where everybody's does.
    private var mayBeginByToken: Bool { chain.environment == .production || rules.sandbox == .grant }

    private func take(
        _ claim: Claim, for next: inout StoredChain, of known: ChainRows?, _ connection: any ReadConnection
    ) throws -> Bool {
        let profile = claim.claim.profile, before = next.owners.owner
        // What belongs to nobody may be new to a repeated call: the call before could have been refused.
        guard claim.isNew || before == nil else { return next.owners.all.contains(profile) }
        let people = StoredPeople(holders: holders, key: key, chain: chain, known: known, connection: connection)
        guard try next.owners.take(claim.claim, by: rules.owner, nowMs: nowMs, knowing: people) else { return false }
        let isOriginOpen = next.broughtAtMs == nil || next.exposure == nil && claim.exposure != nil
        // A later owner has not brought it: the first one, or whom Apple's signature names, has.
        if isOriginOpen, next.owners.owner == profile, try before == nil || before == profile && (next.owners.movedAtMs.isEmpty || people.isNamed(profile)) {
            if next.broughtAtMs == nil { (next.broughtBy, next.broughtAtMs) = (claim.claim.install, nowMs) }
            next.exposure = next.exposure ?? claim.exposure
        }
        return true
    }

    private func use(by profile: ProfileID, opening access: String) -> Statement {
        Statement(
            """
            INSERT INTO profile_chain (app_id, profile_id, chain_id, access) VALUES ($1, $2, $3, $4)
            ON CONFLICT (app_id, profile_id, chain_id) DO UPDATE SET access = excluded.access
            WHERE profile_chain.access <> excluded.access
            """, [.text(app.rawValue), .text(profile.rawValue), .text(chain.description), .text(access)])
    }

    private func leaving(_ profile: ProfileID) -> Statement {
        Statement(
            "DELETE FROM profile_chain WHERE app_id = $1 AND profile_id = $2 AND chain_id = $3",
            [.text(app.rawValue), .text(profile.rawValue), .text(chain.description)])
    }
}

/// Inside a transaction that holds the chain's lock.
private struct StoredPeople: ChainPeople {
    let holders: TokenHolders
    let key: [SQLValue]
    let chain: ChainID
    /// If they were read already.
    let known: ChainRows?
    let connection: any ReadConnection

    func isAnonymous(_ profile: ProfileID) throws -> Bool {
        try StoredProfile.customerID(of: profile, in: holders.app, from: connection) == nil
    }

    func hasLeft(_ profile: ProfileID, _ install: InstallID) throws -> Bool {
        try connection.row(Self.formerText, [key[0], .text(profile.rawValue), .text(install.rawValue)]) != nil
    }

    func isNamed(_ profile: ProfileID) throws -> Bool {
        guard let token = try (known ?? ChainRows(of: chain, key, from: connection)).newestToken else { return false }
        return try holders.isToken(token, of: profile, connection)
    }

    private static let formerText = """
        SELECT 1 AS found FROM former_profile WHERE app_id = $1 AND profile_id = $2 AND install_id = $3
        """
}

/// All rows that a chain is folded from and to.
private struct ChainRows {
    let facts: [PurchaseFact]
    let charges: [ChargeRow]

    init(of chain: ChainID, _ key: [SQLValue], from connection: any ReadConnection) throws {
        let answers = try connection.rows([Statement(StoredFact.question, key), Statement(ChargeRow.question, key)])
        facts = try answers[0].map { try PurchaseFact($0, of: chain) }
        charges = answers[1].map { ChargeRow($0) }
    }

    /// That Apple signed last.
    var newestToken: String? {
        facts.compactMap { fact -> (signedAtMs: Int64, token: String)? in
            guard case .transaction(let transaction) = fact.content, let token = transaction.appAccountToken else { return nil }
            return (fact.signedAtMs, token.lowercased())
        }.max { $0 < $1 }?.token
    }
}
