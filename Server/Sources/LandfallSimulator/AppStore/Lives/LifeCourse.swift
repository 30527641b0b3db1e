// SPDX-License-Identifier: Apache-2.0

/// Lives a purchase from its start to its end: takes the next step of an agenda, notes what it changes, and writes the steps that follow.
struct LifeCourse {
    enum Step {
        case start
        /// Shortly before the end of a period: the App Store charges. A step of an earlier term is void.
        case due(term: Int)
        case fails(term: Int)
        case graceEnds(term: Int)
        case recovers(term: Int)
        case retryEnds(term: Int)
        case expires(term: Int, Ending)
        case resubscribe
        case cancel, resume
        case upgrade, upgraded(String), downgrade, keep, redeem
        case increase, accept
        case extend
        case consumption(String), declined(String), refund(String), reverse(String)
        case revoke
        case addSeats, refundSeats, unclaim
    }

    /// Why a subscription ends, with Apple's number for it.
    enum Ending: Int {
        case voluntary = 1, billing, price, notForSale

        var subtype: String {
            switch self {
            case .voluntary: "VOLUNTARY"
            case .billing: "BILLING_RETRY"
            case .price: "PRICE_INCREASE"
            case .notForSale: "PRODUCT_NOT_FOR_SALE"
            }
        }
    }

    /// A life that goes on longer ends here.
    static let mostEvents = 4_000

    let product: SimulatedProduct
    let purchase: SimulatedPurchase
    let app: SimulatedApp
    let day: Int64
    var numbers: LifeNumbers
    var events: [LifeEvent] = []
    var now: Int64

    /// The newest version of each transaction.
    var versions: [String: TransactionPayload] = [:]
    var subscription: SubscriptionState
    private var agenda: [(at: Int64, step: Step)] = []
    /// The newest transaction, as it was signed last.
    var newest: TransactionPayload? { subscription.current.flatMap { versions[$0] } }

    init(_ product: SimulatedProduct, _ purchase: SimulatedPurchase, app: SimulatedApp, seed: UInt64, start: Int64, day: Int64) {
        self.product = product
        self.purchase = purchase
        self.app = app
        self.day = day
        now = start
        numbers = LifeNumbers(productID: product.id, isSandbox: product.environment == .sandbox, seed: seed)
        subscription = SubscriptionState(product, purchase)
        subscription.customer = purchase.appTransactionId ?? numbers.identifier()
        plan(.start, at: start)
        plan(.cancel, after: product.cancel)
        plan(.resume, after: product.resume)
        plan(.upgrade, after: product.upgrade)
        plan(.downgrade, after: product.downgrade)
        plan(.keep, after: product.keep)
        plan(.redeem, after: product.redeem)
        plan(.increase, after: product.increase)
        plan(.accept, after: product.accept)
        plan(.extend, after: product.extend)
        plan(.revoke, after: product.revoke)
        plan(.addSeats, after: product.addSeats)
        plan(.refundSeats, after: product.refundSeats)
        plan(.unclaim, after: product.unclaim)
    }

    mutating func run() {
        while events.count < Self.mostEvents, let next = agenda.popLast() {
            // No two events at one instant: of two versions the newer one is always known.
            now = max(next.at, events.last.map { $0.at + 1 } ?? next.at)
            take(next.step)
        }
    }

    private mutating func take(_ step: Step) {
        switch step {
        case .start: product.kind == .subscription ? begin() : buyOnce()
        case .due(let term): if isCurrent(term) { due() }
        case .fails(let term): if isCurrent(term) { failToRenew() }
        case .graceEnds(let term): if isCurrent(term) { endGrace() }
        case .recovers(let term): if isCurrent(term) { recover() }
        case .retryEnds(let term): if isCurrent(term) { expire(.billing) }
        case .expires(let term, let ending): if isCurrent(term) { expire(ending) }
        case .resubscribe: resubscribe()
        case .cancel: setRenewal(on: false)
        case .resume: setRenewal(on: true)
        case .upgrade: upgrade()
        case .upgraded(let id): markUpgraded(id)
        case .downgrade: downgrade()
        case .keep: keepProduct()
        case .redeem: redeemOffer()
        case .increase: increasePrice()
        case .accept: acceptPrice()
        case .extend: extend()
        case .consumption(let id): askForConsumption(id)
        case .declined(let id): declineRefund(id)
        case .refund(let id): refund(id)
        case .reverse(let id): reverseRefund(id)
        case .revoke: revokeFamily()
        case .addSeats: addSeats()
        case .refundSeats: refundSeats()
        case .unclaim: unclaimSeats()
        }
    }

    private func isCurrent(_ term: Int) -> Bool { term == subscription.term && !subscription.isRevoked }

    /// In order of time, and for one instant in order of planning; the next step is the last.
    mutating func plan(_ step: Step, at instant: Int64) {
        let at = max(instant, now)
        let place = agenda.firstIndex { $0.at <= at } ?? agenda.endIndex
        agenda.insert((at, step), at: place)
    }

    mutating func plan(_ step: Step, after period: SimulatedPeriod?) {
        if let period { plan(step, at: now + scaled(period.milliseconds)) }
    }

    /// A length as it is on days of this length, at least a millisecond.
    func scaled(_ milliseconds: Int64) -> Int64 {
        day == SimulatedPeriod.day
            ? milliseconds : max(1, Int64((Double(milliseconds) * Double(day) / Double(SimulatedPeriod.day)).rounded()))
    }

    /// Some seconds of a simulated day.
    mutating func seconds(_ range: ClosedRange<Int64>) -> Int64 {
        scaled(numbers.milliseconds(range.lowerBound * 1_000...range.upperBound * 1_000))
    }
}
