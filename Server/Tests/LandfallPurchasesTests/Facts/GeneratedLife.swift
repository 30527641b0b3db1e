// SPDX-License-Identifier: Apache-2.0
@testable import LandfallPurchases
@testable import struct LandfallSimulator.SeededNumbers

/// Everything that Apple says of one subscription, from a trial to its end: renewals, upgrades, seats, failures with and without grace,
/// refunds that are taken back, and texts that are signed again.
struct GeneratedLife {
    private(set) var facts: [PurchaseFact] = []
    private var draw: SeededNumbers
    /// Of hashes: the texts of a life are signed with other random bytes each.
    private var bytes: SeededNumbers
    private var at = noon
    private var number = 0

    init(seed: UInt64) {
        draw = SeededNumbers(seed)
        bytes = SeededNumbers(~seed)
        for _ in 0..<Int.random(in: 1...8, using: &draw) { live() }
    }

    private mutating func live() {
        number += 1
        let id = "\(number)", start = at, product = ["month", "year", "small", "unknown"].randomElement(using: &draw)!
        let end = start + Int64.random(in: 1...60, using: &draw) * day
        let isTrial = number == 1 && Bool.random(using: &draw)
        let seats = chance(6) ? SeatsPayload(tiers: [.init(priceMilliunits: 900, quantity: 3)]) : nil
        let usual: (inout TransactionPayload) -> Void = { payload in
            payload.seats = seats
            if isTrial {
                payload.offerDiscount = .freeTrial
                payload.priceMilliunits = 0
            }
        }
        facts.append(.transaction(id, product, from: start, to: end, signed: start - (chance(3) ? day : 0), hash: hash(), usual))
        at = end
        if chance(4) { at -= (end - start) / 2 }
        if chance(5) { at += Int64.random(in: 1...90, using: &draw) * day }
        if chance(5) {
            number += 1
            facts.append(.transaction("\(number)", product, from: start + 1, to: end, hash: hash()) { $0.additionalReason = .seatAddition })
        }
        if seats != nil {
            facts.append(
                .transaction(id, product, from: start, to: end, signed: start + day, hash: hash()) { payload in
                    usual(&payload)
                    payload.seats?.revoked = 1
                })
        }
        if chance(4) { refund(id, product, start, end, usual) }
        if chance(3) { fail(id, end) }
        facts.append(.renewal(signed: start + Int64.random(in: 0...3, using: &draw), hash: hash()) { $0.willRenew = true })
    }

    private mutating func refund(
        _ id: String, _ product: String, _ start: Int64, _ end: Int64, _ usual: (inout TransactionPayload) -> Void
    ) {
        let revoked = start + Int64.random(in: 0...90, using: &draw) * day
        let type = [RevocationType.full, .prorated, .family, nil].randomElement(using: &draw)!
        facts.append(
            .transaction(id, product, from: start, to: end, signed: revoked, hash: hash()) { payload in
                usual(&payload)
                payload.revocationDateMs = revoked
                payload.revocationType = type
                payload.revocationPercentage = type == .prorated ? 33_333 : nil
            })
        // The same millisecond as the refund: what is true may not depend on the order.
        if chance(3) { facts.append(.transaction(id, product, from: start, to: end, signed: revoked, hash: hash(), usual)) }
        if chance(3) { facts.append(.transaction(id, product, from: start, to: end, signed: revoked + day, hash: hash(), usual)) }
    }

    private mutating func fail(_ id: String, _ end: Int64) {
        let grace: Int64? = chance(2) ? end + 16 * day : nil
        facts.append(
            .renewal(signed: end, hash: hash()) {
                $0.isInBillingRetry = true
                $0.gracePeriodExpiresDateMs = grace
            })
        facts.append(.notice(id, saysGrace: grace != nil || chance(2), signed: end + 1))
        if chance(4) { facts.append(.notice(id, saysGrace: false, signed: end + 1)) }
    }

    private mutating func hash() -> [UInt8] {
        (0..<4).flatMap { _ in withUnsafeBytes(of: bytes.next().littleEndian, Array.init) }
    }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &draw) == 0 }

    /// The same facts in another order, some of them more than once.
    mutating func shuffledAndRepeated() -> [PurchaseFact] {
        let again = facts.filter { _ in Bool.random(using: &draw) }
        return (facts + again + again.prefix(2)).shuffled(using: &draw)
    }
}
