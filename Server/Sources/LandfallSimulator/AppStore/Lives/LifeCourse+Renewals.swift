// SPDX-License-Identifier: Apache-2.0

extension LifeCourse {
    private static let retry = 60 * SimulatedPeriod.day

    mutating func begin() {
        let purchased = now - seconds(1...3)
        subscription.recentStart = purchased - seconds(1...12)
        charge("SUBSCRIBED", "INITIAL_BUY", purchased: purchased, reason: "PURCHASE")
    }

    /// Begins a period: the transaction, what follows from its having been paid, and the next date on which something is due.
    mutating func charge(_ type: String, _ subtype: String?, purchased: Int64, reason: String) {
        subscription.product = subscription.nextProduct
        subscription.price = subscription.nextPrice
        let offer = subscription.offer
        let price = offer.map { self.price(of: $0) } ?? subscription.price
        let expires = purchased + scaled((offer?.period ?? product.period).milliseconds)
        var transaction = transaction(
            product: subscription.product, purchased: purchased, expires: expires, reason: reason, price: price
        )
        if let offer {
            let terms = terms(of: offer)
            (transaction.offerType, transaction.offerIdentifier) = (offer.kind.rawValue, terms.identifier)
            (transaction.offerDiscountType, transaction.offerPeriod) = (terms.discount, offer.period.iso8601)
        }
        if let months = product.commitment {
            let number = subscription.renewed % months + 1
            transaction.billingPlanType = "MONTHLY"
            transaction.commitmentInfo = CommitmentInfo(
                billingPeriodNumber: number, totalBillingPeriods: months, commitmentPrice: price * Int64(months),
                commitmentExpiresDate: purchased + scaled(product.period.milliseconds) * Int64(months - number + 1)
            )
        }
        if let left = offer?.periods, left > 1 { subscription.offer?.periods = left - 1 } else { subscription.offer = nil }
        subscription.current = transaction.transactionId
        (subscription.retrySince, subscription.graceEnd, subscription.ending, subscription.isExpired) = (nil, nil, nil, false)
        note(type, subtype, transaction)
        planRefunds(of: transaction)
        planEnd()
    }

    /// Plans the end of the newest transaction's period: production charges up to a day before it, the sandbox up to a minute.
    mutating func planEnd() {
        guard let current = newest, let expires = current.expiresDate else { return }
        subscription.term += 1
        let length = max(1, expires - max(current.purchaseDate, now))
        let earliest = product.environment == .sandbox ? 60_000 : SimulatedPeriod.day
        plan(.due(term: subscription.term), at: expires - numbers.milliseconds(0...max(0, min(scaled(earliest), length / 4))))
        if subscription.renewed >= product.renewals, subscription.renews {
            plan(.cancel, at: max(current.purchaseDate, now) + length / 2)
        }
    }

    mutating func due() {
        guard let expires = newest?.expiresDate else { return }
        let term = subscription.term, late = seconds(1...30)
        if !subscription.renews {
            plan(.expires(term: term, .voluntary), at: expires + late)
        } else if product.withdrawnFromSale == subscription.renewed + 1 {
            plan(.expires(term: term, .notForSale), at: expires + late)
        } else if subscription.priceConsent == 0 {
            plan(.expires(term: term, .price), at: expires + late)
        } else if product.failing == subscription.renewed + 1 {
            plan(.fails(term: term), at: expires + late)
        } else {
            renew(purchased: expires)
        }
    }

    private mutating func renew(purchased: Int64, _ subtype: String? = nil) {
        subscription.renewed += 1
        subscription.priceConsent = nil
        charge("DID_RENEW", subtype, purchased: purchased, reason: "RENEWAL")
    }

    mutating func failToRenew() {
        guard let due = newest?.expiresDate else { return }
        let term = subscription.term
        subscription.retrySince = due
        subscription.graceEnd = product.grace.map { due + scaled($0.milliseconds) }
        note("DID_FAIL_TO_RENEW", product.grace == nil ? nil : "GRACE_PERIOD")
        if let end = subscription.graceEnd { plan(.graceEnds(term: term), at: end + seconds(1...30)) }
        let wait: Int64? =
            switch product.recovery {
            case .after(let period): period.milliseconds
            case .never: nil
            case nil: product.grace.map { $0.milliseconds / 2 }
            }
        if let wait { plan(.recovers(term: term), at: due + scaled(wait)) } else { plan(.retryEnds(term: term), at: due + scaled(Self.retry)) }
    }

    mutating func endGrace() {
        note("GRACE_PERIOD_EXPIRED")
    }

    /// In the grace period the date of billing stays; after it, the period begins with the charge and a gap remains.
    mutating func recover() {
        guard let due = subscription.retrySince else { return }
        renew(purchased: (subscription.graceEnd ?? 0) > now ? due : now - seconds(1...3), "BILLING_RECOVERY")
    }

    mutating func expire(_ ending: Ending) {
        // The customer has switched it on again since it was due.
        if ending == .voluntary, subscription.renews, subscription.retrySince == nil, let current = newest {
            return renew(purchased: current.expiresDate ?? now)
        }
        subscription.term += 1
        (subscription.renews, subscription.isExpired, subscription.ending) = (false, true, ending)
        (subscription.retrySince, subscription.graceEnd) = (nil, nil)
        note("EXPIRED", ending.subtype)
        if let period = product.resubscribe, !subscription.hasResubscribed {
            plan(.resubscribe, at: now + scaled(period.milliseconds))
        }
    }

    /// One more period, which the customer lets end.
    mutating func resubscribe() {
        guard subscription.isExpired, !subscription.isRevoked else { return }
        subscription.hasResubscribed = true
        subscription.renews = true
        subscription.priceConsent = nil
        subscription.renewed = max(subscription.renewed, product.renewals)
        let purchased = now - seconds(1...3)
        subscription.recentStart = purchased - seconds(1...12)
        charge("SUBSCRIBED", "RESUBSCRIBE", purchased: purchased, reason: "PURCHASE")
    }
}
