// SPDX-License-Identifier: Apache-2.0

/// When the App Store has to have said more about a subscription.
enum NewsDue {
    /// How long Apple tries to collect a payment that failed.
    static let retryMs: Int64 = 60 * 86_400_000

    /// The end of what is paid for, or of Apple's tries to collect the next payment.
    /// - Returns: in Unix milliseconds; nil if Apple has said that it is over, and for a chain that never renews.
    static func atMs(_ facts: ChainFacts, of chain: ChainID) -> Int64? {
        guard !chain.environment.isSelfSigned else { return nil }
        guard let last = facts.transactions.last(where: \.isSubscription)?.payload, let end = last.expiresDateMs, last.revocationDateMs == nil
        else { return nil }
        // A transaction that was only signed again says nothing about what followed it.
        let heardAtMs = max(facts.renewal?.signedAtMs ?? .min, facts.notices.values.map(\.signedAtMs).max() ?? .min)
        if heardAtMs <= end { return end }
        let retriesEnd = end + retryMs
        return facts.renewal?.content.isInBillingRetry == true && heardAtMs <= retriesEnd ? retriesEnd : nil
    }
}
