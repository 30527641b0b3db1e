// SPDX-License-Identifier: Apache-2.0

/// A life that has begun: what of it is known by now, and what was posted.
struct HeldLife {
    /// How one try to post ended, in Apple's words.
    struct Attempt: Encodable {
        let attemptDate: Int64
        let sendAttemptResult: String
        var isSuccess: Bool { sendAttemptResult == "SUCCESS" }
    }

    private(set) var life: PurchaseLife
    let customer: String
    /// The first event that was not planned for posting yet.
    var next = 0
    /// Posts that are planned or under way.
    var pending = 0
    /// By event.
    var attempts: [Int: [Attempt]] = [:]

    init(_ life: PurchaseLife) {
        self.life = life
        customer = life.events.first?.transaction?.appTransactionId ?? ""
    }

    var originalID: String { life.events.first?.transaction?.originalTransactionId ?? "" }
    var isOver: Bool { next >= life.events.count && pending == 0 }
    var transactionIDs: Set<String> { Set(life.events.compactMap { $0.transaction?.transactionId }) }

    /// Where an event stands among those of all lives.
    func place(of index: Int) -> (Int64, String) { (life.events[index].at, life.events[index].notice?.uuid ?? "") }

    /// The newest version of each transaction, with the time of its newest change.
    func transactions(at now: Int64) -> [(modified: Int64, transaction: TransactionPayload)] {
        var newest: [String: (Int64, TransactionPayload)] = [:]
        for event in life.events.prefix(while: { $0.at <= now }) {
            if let transaction = event.transaction { newest[transaction.transactionId] = (event.at, transaction) }
        }
        return newest.values.map { ($0.0, $0.1) }
    }

    private func newest(at now: Int64) -> TransactionPayload? {
        transactions(at: now).map(\.transaction).max { $0.purchaseDate < $1.purchaseDate }
    }

    /// What is true of the subscription now; nil for other purchases.
    func subscription(at now: Int64) -> (transaction: TransactionPayload, renewal: RenewalPayload, status: Int)? {
        let past = life.events.prefix { $0.at <= now }
        guard life.product.kind == .subscription, let renewal = past.last(where: { $0.renewal != nil })?.renewal,
            let status = past.last(where: { $0.status != nil })?.status,
            let transaction = newest(at: now)
        else { return nil }
        return (transaction, renewal, status)
    }

    /// Money back for a transaction. What the life had before it stays; if it is the newest one, nothing follows.
    mutating func refund(_ transaction: TransactionPayload, at now: Int64, uuid: String) {
        let newest = newest(at: now)
        var event = LifeEvent(at: now, notice: .init(type: "REFUND", uuid: uuid), transaction: transaction.refunded(at: now))
        let isEnd = newest?.transactionId == transaction.transactionId
        if var current = subscription(at: now) {
            current.renewal.signedDate = now
            if isEnd {
                current.renewal.autoRenewStatus = 0
                (current.renewal.renewalPrice, current.renewal.currency) = (nil, nil)
            }
            event.renewal = current.renewal
            event.status = isEnd ? 5 : current.status
        }
        insert(event)
        if isEnd { life.events.removeAll { $0.at > now } }
        for place in life.events.indices where life.events[place].at > now {
            guard life.events[place].transaction?.transactionId == transaction.transactionId else { continue }
            life.events[place].transaction?.revocationDate = event.transaction?.revocationDate
            life.events[place].transaction?.revocationReason = event.transaction?.revocationReason
            life.events[place].transaction?.revocationType = event.transaction?.revocationType
        }
    }

    /// From now on: in the newest transaction, and in those that follow.
    mutating func setToken(_ token: String, at now: Int64) {
        guard var newest = newest(at: now) else { return }
        for place in life.events.indices where life.events[place].at > now {
            life.events[place].transaction?.appAccountToken = token
            life.events[place].renewal?.appAccountToken = token
        }
        newest.appAccountToken = token
        newest.signedDate = now
        var event = LifeEvent(at: now, transaction: newest)
        if var current = subscription(at: now) {
            current.renewal.appAccountToken = token
            current.renewal.signedDate = now
            (event.renewal, event.status) = (current.renewal, current.status)
        }
        insert(event)
    }

    private mutating func insert(_ event: LifeEvent) {
        life.events.insert(event, at: life.events.firstIndex { $0.at > event.at } ?? life.events.endIndex)
    }
}
