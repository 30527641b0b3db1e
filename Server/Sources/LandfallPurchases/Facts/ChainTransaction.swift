// SPDX-License-Identifier: Apache-2.0

/// What Apple signed last about a transaction.
struct ChainTransaction: Comparable {
    let payload: TransactionPayload
    let signedAtMs: Int64
    /// Ascending by time.
    let seatRevocations: [SeatRevocation]
    /// The end before any extension: the earliest that Apple ever signed.
    let firstExpiresMs: Int64?

    /// Unix milliseconds. May be in the future: a renewal is signed up to a day before.
    var startMs: Int64 { payload.purchaseDateMs ?? payload.originalPurchaseDateMs ?? signedAtMs }

    var isConsumable: Bool { payload.type == .consumable }
    /// By its end where this version does not know the type.
    var isSubscription: Bool {
        switch payload.type {
        case ProductType.autoRenewable: true
        case ProductType.nonRenewing, ProductType.nonConsumable, ProductType.consumable: false
        default: payload.expiresDateMs != nil
        }
    }
    /// Older texts do not name the kind of an introductory offer: the free one is the trial.
    var isTrial: Bool {
        payload.offerDiscount == .freeTrial
            || payload.offerDiscount == nil && payload.offerType == .introductory && payload.priceMilliunits == 0
    }
    var isSeatAddition: Bool { payload.additionalReason == .seatAddition }

    /// In the order of purchase. What was upgraded comes before what took its place.
    static func < (left: ChainTransaction, right: ChainTransaction) -> Bool {
        if left.startMs != right.startMs { return left.startMs < right.startMs }
        if left.payload.isUpgraded != right.payload.isUpgraded { return left.payload.isUpgraded }
        let leftEnd = left.payload.expiresDateMs ?? .max, rightEnd = right.payload.expiresDateMs ?? .max
        if leftEnd != rightEnd { return leftEnd < rightEnd }
        return left.payload.transactionID < right.payload.transactionID
    }

    static func == (left: ChainTransaction, right: ChainTransaction) -> Bool {
        left.payload == right.payload && left.signedAtMs == right.signedAtMs && left.seatRevocations == right.seatRevocations
    }
}

/// So many seats of a transaction were paid back in all when Apple signed it.
struct SeatRevocation: Hashable, Comparable {
    let seats: Int64
    let signedAtMs: Int64

    static func < (left: SeatRevocation, right: SeatRevocation) -> Bool {
        (left.signedAtMs, left.seats) < (right.signedAtMs, right.seats)
    }
}
