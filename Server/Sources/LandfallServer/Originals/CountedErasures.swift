// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases
import LandfallRules
import LandfallStore

/// Charges of chains that somebody has brought again after an erasure, which has counted them: they follow from the originals, and are
/// nobody's any more.
struct CountedErasures: Sendable {
    /// Distinguishes the charges of a chain.
    private struct Name: Hashable {
        let transaction: String
        let kind: Charge.Kind
        let number: Int64

        init(_ charge: Charge) { (transaction, kind, number) = (charge.transactionID, charge.kind, charge.number) }
    }

    private var names: [ChainID: Set<Name>] = [:]

    /// - Parameter facts: rows of `purchase_fact`, of all these chains.
    init(of chains: [ChainID], _ facts: [Row], rules: PurchaseRules, _ app: AppID, _ connection: any ReadConnection) throws {
        guard !chains.isEmpty, let mark = try connection.row(StoreMark.question) else { return }
        let hashes = PurchaseHashes(storeKey: try StoreMark(mark).purchaseKey)
        let erased = chains.map { ErasedChain($0.description, hashes, in: app) }
        for ((chain, erased), rows) in zip(zip(chains, erased), try connection.rows(erased.map(\.question))) where !rows.isEmpty {
            // What cannot be read is a difference of its own.
            let facts = facts.filter { $0["chain_id"] == .text(chain.description) }.compactMap { try? PurchaseFact($0, of: chain) }
            let charges = ChainState.fold(facts, of: chain, rules: rules).charges
            names[chain] = Set(charges.map(Name.init)).subtracting(try erased.uncounted(charges, connection).map(Name.init))
        }
    }

    func has(_ charge: Charge, of chain: ChainID) -> Bool { names[chain]?.contains(Name(charge)) ?? false }
}
