// SPDX-License-Identifier: Apache-2.0

/// What a customer, the developer or the family changes in a subscription.
extension LifeCourse {
    /// False when there is nothing left to change.
    private var isRunning: Bool { subscription.current != nil && !subscription.isExpired && !subscription.isRevoked }

    /// True if the step waits: the newest period was charged before its beginning, and nothing happens to it earlier.
    mutating func waits(_ step: Step, about id: String? = nil) -> Bool {
        guard let begin = (id ?? subscription.current).flatMap({ versions[$0] })?.purchaseDate, begin >= now else { return false }
        plan(step, at: begin + 1)
        return true
    }

    mutating func setRenewal(on isOn: Bool) {
        guard isRunning, subscription.renews != isOn else { return }
        subscription.renews = isOn
        note("DID_CHANGE_RENEWAL_STATUS", isOn ? "AUTO_RENEW_ENABLED" : "AUTO_RENEW_DISABLED")
        // Nothing is left to try, and the period is over.
        if !isOn, subscription.retrySince != nil { plan(.expires(term: subscription.term, .voluntary), at: now + seconds(1...30)) }
    }

    /// At once, with a new transaction. The notification carries only this one; the old one is signed again a little later, for those
    /// who ask.
    mutating func upgrade() {
        guard isRunning, !waits(.upgrade), subscription.retrySince == nil, let old = subscription.current else { return }
        (subscription.nextProduct, subscription.nextPrice) = other(times: 2)
        subscription.offer = nil
        plan(.upgraded(old), at: now + seconds(2...5))
        charge("DID_CHANGE_RENEWAL_PREF", "UPGRADE", purchased: now - seconds(1...1), reason: "PURCHASE")
    }

    mutating func markUpgraded(_ id: String) {
        guard var old = versions[id] else { return }
        old.isUpgraded = true
        old.signedDate = now
        note(nil, nil, old)
    }

    /// At the next renewal.
    mutating func downgrade() {
        guard isRunning else { return }
        (subscription.nextProduct, subscription.nextPrice) = other(times: 0.5)
        note("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE")
    }

    mutating func keepProduct() {
        guard isRunning, subscription.nextProduct != subscription.product else { return }
        (subscription.nextProduct, subscription.nextPrice) = (subscription.product, subscription.price)
        note("DID_CHANGE_RENEWAL_PREF")
    }

    private func other(times factor: Double) -> (String, Int64) {
        (
            product.otherProduct ?? (factor > 1 ? "sim.upgraded" : "sim.downgraded"),
            product.otherPrice ?? Int64((Double(purchase.priceMilliunits) * factor).rounded())
        )
    }

    /// A code of an active subscriber, which counts from the next renewal.
    mutating func redeemOffer() {
        guard isRunning, subscription.renews else { return }
        subscription.offer = SimulatedProduct.Offer(kind: .code, period: product.period)
        note("OFFER_REDEEMED")
    }

    mutating func increasePrice() {
        guard isRunning, subscription.renews else { return }
        subscription.nextPrice = product.increasedPrice ?? subscription.price + subscription.price / 5
        subscription.priceConsent = 0
        note("PRICE_INCREASE", "PENDING")
    }

    mutating func acceptPrice() {
        guard isRunning, subscription.priceConsent == 0 else { return }
        subscription.priceConsent = 1
        note("PRICE_INCREASE", "ACCEPTED")
    }

    /// The developer gives days: a newer version of the same transaction.
    mutating func extend() {
        guard isRunning, var current = newest, let expires = current.expiresDate else { return }
        current.expiresDate = expires + scaled(product.extendBy.milliseconds)
        current.signedDate = now
        versions[current.transactionId] = current
        note("RENEWAL_EXTENDED", nil, current)
        planEnd()
    }

    /// The purchaser stops sharing, or the member leaves the family.
    mutating func revokeFamily() {
        guard !subscription.isRevoked, !waits(.revoke), var current = newest else { return }
        current.revocationDate = now
        current.revocationReason = 0
        current.revocationType = "FAMILY_REVOKE"
        current.signedDate = now
        (subscription.isRevoked, subscription.renews) = (true, false)
        note("REVOKE", nil, current)
    }

    /// Two more for the rest of the period: another transaction of the same period, beside the first.
    mutating func addSeats() {
        guard isRunning, !waits(.addSeats), let seats = subscription.seats, let current = newest else { return }
        var added = transaction(
            product: current.productId, purchased: now - seconds(1...3), expires: current.expiresDate, reason: "PURCHASE", price: subscription.price
        )
        count(2, at: subscription.price, in: &added)
        added.additionalTransactionReason = "SEAT_ADDITION"
        subscription.seats = seats + 2
        note("DID_CHANGE_RENEWAL_PREF", nil, added)
    }

    /// Money back for half of the seats: no revocation date, and the access stays.
    mutating func refundSeats() {
        guard isRunning, !waits(.refundSeats), var current = newest, current.multiSeatInfo != nil else { return }
        current.multiSeatInfo?.revokedSeatQuantity = max(1, current.quantity / 2)
        current.signedDate = now
        note("REFUND", "SEATS", current)
    }

    mutating func unclaimSeats() {
        guard isRunning else { return }
        events.append(
            LifeEvent(at: now, notice: .init(type: "UNCLAIM_SEATS", uuid: numbers.uuid(), unclaimedSeats: 1), status: status)
        )
    }
}
