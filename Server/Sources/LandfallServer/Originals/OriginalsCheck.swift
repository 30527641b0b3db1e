// SPDX-License-Identifier: Apache-2.0
import Crypto
package import LandfallPurchases
import LandfallStore

/// A chain as what Apple signed about it says.
package struct CheckedChain: Sendable {
    package let chain: ChainID
    /// That follow from its originals. What could not be verified counts for nothing.
    package let charges: [Charge]
    /// Signed texts.
    package let originals: Int
    /// A sentence for each thing that is stored otherwise. None names a person.
    package let differences: [String]
}

/// Checks the originals of one chain, then what follows from them.
struct OriginalsCheck {
    private let chain: ChainID
    private let headers: [[UInt8]: String]
    private let verifier: AppStoreVerifier?
    private let nowMs: Int64
    private var originals = 0
    private var differences: [String] = []

    init(_ chain: ChainID, headers: [[UInt8]: String], verifier: AppStoreVerifier?, nowMs: Int64) {
        (self.chain, self.headers, self.nowMs) = (chain, headers, nowMs)
        // Signatures of the developer's machine prove nothing, and may be refused since.
        self.verifier = chain.environment.isSelfSigned ? nil : verifier
    }

    /// - Parameter rows: of `purchase_fact`, of this chain.
    /// - Returns: what was verified.
    mutating func facts(_ rows: [Row]) async throws -> [PurchaseFact] {
        var facts: [PurchaseFact] = [], transaction: SignedTransaction?, renewals: [Row] = []
        for row in rows {
            switch row.optionalText("kind") {
            case "notice": facts.append(try PurchaseFact(row, of: chain))
            case "renewal": renewals.append(row)
            default:
                guard let text = text(of: row) else { continue }
                guard let verifier else {
                    if let fact = try? PurchaseFact(row, of: chain) { facts.append(fact) } else { note(row, "cannot be read") }
                    continue
                }
                do {
                    let signed = try await verifier.transaction(text, nowMs: nowMs)
                    transaction = transaction ?? signed
                    add(PurchaseFact(signed), row, to: &facts)
                } catch { note(row, "is not genuine: \(error)") }
            }
        }
        for row in renewals {
            guard let text = text(of: row) else { continue }
            guard let verifier, let transaction else {
                if let fact = try? PurchaseFact(row, of: chain) { facts.append(fact) } else { note(row, "cannot be read") }
                continue
            }
            do {
                add(PurchaseFact(try await verifier.renewal(text, beside: transaction, nowMs: nowMs)), row, to: &facts)
            } catch { note(row, "is not genuine: \(error)") }
        }
        return facts
    }

    private mutating func add(_ fact: PurchaseFact, _ row: Row, to facts: inout [PurchaseFact]) {
        guard fact.chain == chain else { return note(row, "belongs to another chain") }
        if row["signed_at_ms"] != .integer(fact.signedAtMs) {
            note(row, "was signed at \(fact.signedAtMs), and the store says \(row.optionalInteger("signed_at_ms") ?? 0)")
        }
        facts.append(fact)
    }

    /// The signed text; nil if it is not the one that came.
    private mutating func text(of row: Row) -> String? {
        originals += 1
        guard case .blob(let header) = row["header_hash"], case .blob(let payload) = row["payload"],
            case .blob(let signature) = row["signature"], case .blob(let hash) = row["jws_hash"], let header = headers[header]
        else {
            note(row, "cannot be put together: its certificates or its signature are not stored")
            return nil
        }
        let text = JWSText.joined(header, payload, signature)
        guard SHA256.hash(data: Array(text.utf8)).elementsEqual(hash) else {
            note(row, "is not the text that came: its SHA-256 is another")
            return nil
        }
        return text
    }

    private mutating func note(_ row: Row, _ what: String) {
        let kind = row.optionalText("kind") == "renewal" ? "renewal information" : "transaction"
        differences.append("An original of \(kind) \(row.optionalText("fact_id") ?? "") \(what).")
    }

    /// - Parameter rows: of `charge`, of this chain.
    func compared(_ charges: [Charge], with rows: [Row]) -> CheckedChain {
        CheckedChain(
            chain: chain, charges: charges, originals: originals,
            differences: differences + ChargeRow.differences(of: rows, from: charges, of: chain))
    }
}
