// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallStore
import LandfallWire

/// Stores the result of a try: the job's next step and the attribution of the install, in one transaction.
package struct AppleAdsAnswers: Sendable {
    private let database: any Database
    private let storeEpoch: Int64
    private let feed: LiveFeed?
    private let webhooks: WebhookNeed

    package init(_ database: any Database, _ mark: StoreMark, feed: LiveFeed? = nil, webhooks: WebhookNeed = WebhookNeed()) {
        self.feed = feed
        self.webhooks = webhooks
        self.database = database
        self.storeEpoch = mark.epoch
    }

    /// Changes nothing if the lease of the try has ended and another try has moved the job on.
    func record(_ outcome: ExchangeOutcome, _ step: ExchangeStep, of exchange: LeasedExchange, nowMs: Int64) async throws {
        let unit = InstallUnit(exchange.app, exchange.installID, nil, storeEpoch: storeEpoch, nowMs: nowMs, webhook: webhooks.installNote(nowMs: nowMs))
        let fact = AttributionFact(outcome, of: exchange, nowMs: nowMs)
        let next = exchange.next(after: step), moving = exchange.moving(to: step, outcome)
        do {
            let changed = try await database.write(
                .interactive, locking: InstallQuestions().locks(of: unit) + [.token(exchange.tokenHash, in: unit.app)]
            ) { connection -> (install: Install, facts: [AttributionFact])? in
                guard var record = try InstallRecord.known(unit, from: connection) else {
                    // The install was erased meanwhile, so the answer is not needed.
                    _ = try connection.run(exchange.job.name.deletion)
                    return nil
                }
                if let fact, !record.install.facts.contains(where: { $0.id == fact.id }) { record.install.facts.append(fact) }
                if record.install.exchange?.tokenHash == next.tokenHash { record.install.exchange = next }
                if !next.isOpen { record.additions.append(next.insertion(of: unit, finishedAtMs: nowMs)) }
                try record.write(first: [moving], to: connection)
                return (record.install, record.newFacts)
            }
            if let changed { feed?.changed(changed.install, isNew: false, adding: changed.facts, nowMs: nowMs) }
        } catch is UnitIsLate {
            return
        }
    }
}

extension AttributionFact {
    /// Nil if Apple has not answered.
    fileprivate init?(_ outcome: ExchangeOutcome, of exchange: LeasedExchange, nowMs: Int64) {
        let answer: AppleAdsAnswer?
        switch outcome {
        case .attributed(let fields): answer = fields
        case .organic: answer = nil
        case .invalidToken, .notFound, .silence: return nil
        }
        self.init(
            id: "apple:\(exchange.tokenHash.rawValue)", source: .appleAds, status: answer == nil ? .organic : .nonOrganic,
            saidAtMs: nowMs, recordedAtMs: nowMs
        )
        verified = true
        test = answer?.isDeveloperMode ?? false
        appleAds = answer
    }
}
