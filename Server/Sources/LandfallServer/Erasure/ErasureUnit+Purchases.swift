// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore
import LandfallWire

extension ErasureUnit {
    /// What the profile has bought is its no more. If it is erased, chains that nobody else has go with everything that Apple has signed of
    /// them, and their money is counted as that of nobody. All others stay.
    mutating func forgetPurchases(of profile: ProfileID, isErased: Bool) throws -> Bool {
        guard hasRoom else { return false }
        let values = key(profile.rawValue)
        try delete("purchase_token", "DELETE FROM purchase_token WHERE app_id = $1 AND profile_id = $2", values)
        try delete("access_grant", "DELETE FROM access_grant WHERE app_id = $1 AND profile_id = $2", values)
        let chains = try connection.rows(ErasureTables.chainsText, values + [.integer(Self.mostInstalls)]).map { try $0.text("chain_id") }
        try connection.lock(chains.map { .chain($0, in: app) })
        for chain in chains {
            guard hasRoom else { return false }
            if let row = try connection.row(StoredChain.question, key(chain)) {
                var stored = try StoredChain(row)
                let isOwner = stored.owners.owner == profile
                stored.owners.forget(profile)
                if isErased, stored.owners.all.isEmpty {
                    guard try erase(chain, stored) else { return false }
                } else {
                    if isErased, isOwner { try forgetOrigin(of: chain, &stored) }
                    try write([stored.rewriting(key(chain))])
                }
            }
            try delete(
                "profile_chain", "DELETE FROM profile_chain WHERE app_id = $1 AND profile_id = $2 AND chain_id = $3", values + [.text(chain)])
        }
        return chains.count < Self.mostInstalls
    }

    /// Deletes the chain in the order in which it may be interrupted: from the first transaction on it is nobody's, and its hash says so;
    /// a charge goes in the transaction that counts it; facts go after all charges, because they would be folded to charges again.
    /// - Parameter stored: without its last owner or user.
    /// - Returns: true if nothing of the chain is left.
    private mutating func erase(_ chain: String, _ stored: StoredChain) throws -> Bool {
        let erased = ErasedChain(chain, try purchaseHashes(), in: app)
        let known = try connection.row(erased.question)?.optionalText("source"), source: String
        if let known {
            source = known
        } else {
            var stored = stored
            try forgetOrigin(of: chain, &stored)
            source = stored.source
            try write([erased.keeping(source), stored.rewriting(key(chain))])
        }
        // Each is deleted, marked and counted.
        let mostCharges = max(1, room / 3)
        let charges = try connection.rows(ErasureTables.chargesText, key(chain) + [.integer(mostCharges)])
        let rows = charges.map { ChargeRow($0) }
        try write(rows.map { $0.deletion(from: app) })
        if known != nil { try markCharges(on: rows.flatMap(\.days)) }
        answer.rows["charge", default: 0] += Int64(charges.count)
        spend(try erased.count(charges, for: source, connection))
        guard charges.count < mostCharges, hasRoom else { return false }
        let mostFacts = room
        let facts = try delete(ErasureTables.facts.table, ErasureTables.facts.text, key(chain) + [.integer(mostFacts)])
        guard facts < mostFacts else { return false }
        try delete("purchase_chain", "DELETE FROM purchase_chain WHERE app_id = $1 AND chain_id = $2", key(chain))
        return true
    }

    /// Of the install that brought the chain only the source stays, as it is now.
    private func forgetOrigin(of chain: String, _ stored: inout StoredChain) throws {
        stored.origin = try (stored.origin ?? stored.broughtBy.flatMap { try origin(of: $0) })?.ofErased
        (stored.broughtBy, stored.exposure) = (nil, nil)
        try markCharges(of: [chain])
    }

    /// Nil if the install is gone.
    func origin(of install: InstallID) throws -> ChainOrigin? {
        try StoredInstall(app, install, storeEpoch: 0, readsLastSeen: false, from: connection).map { ChainOrigin($0.install) }
    }

    private mutating func purchaseHashes() throws -> PurchaseHashes {
        if let hashes { return hashes }
        guard let row = try connection.row(StoreMark.question) else { throw DatabaseError.failed("the store has no mark") }
        let made = PurchaseHashes(storeKey: try StoreMark(row).purchaseKey)
        hashes = made
        return made
    }
}
