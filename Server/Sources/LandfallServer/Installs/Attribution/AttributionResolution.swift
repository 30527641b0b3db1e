// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// An install's attribution, and whether it can still change before a hold ends.
struct AttributionResolution: Hashable {
    let attribution: Attribution
    /// True while something *scheduled before the end of the hold* can change the attribution: an announced token, or an
    /// exchange whose next try begins before then. A try that is due after the hold does not count.
    let isPending: Bool

    /// The link from before the install may still be found.
    var isLinkPending = false

    /// The phone is about to report its purchases.
    var arePurchasesPending: Bool

    var pending: Pending {
        (isPending ? Pending.attribution : []).union(isLinkPending ? .deferredLink : []).union(arePurchasesPending ? .purchases : [])
    }

    /// - Parameters:
    ///   - isTokenAnnounced: the phone announced a token of which the install does not know: in this very call, or with a report that
    ///     is not stored.
    ///   - purchasesUntilMs: see ``Install/arePurchasesComing(untilMs:nowMs:)``.
    init(install: Install, isTokenAnnounced: Bool = false, purchasesUntilMs: Int64? = nil, nowMs: Int64, holdEndsAtMs: Int64) {
        let known = install.attribution(nowMs: nowMs)
        // Apple gives the same answer to another token of the same install.
        let appleHasSpoken = install.facts.contains { $0.source == .appleAds }
        let isHeld = nowMs < holdEndsAtMs
        arePurchasesPending = isHeld && install.arePurchasesComing(untilMs: purchasesUntilMs, nowMs: nowMs)
        guard isTokenAnnounced || install.isTokenComing(nowMs: nowMs), !install.hasFreshToken(nowMs: nowMs), !appleHasSpoken else {
            attribution = known
            isPending =
                isHeld && !appleHasSpoken && install.nextAppleAnswer(nowMs: nowMs).map { nowMs + $0 < holdEndsAtMs } ?? false
            return
        }
        // Another provider's claim is sent at once; it does not end the wait for Apple.
        if case .attributed = known { attribution = known } else { attribution = .pending(nextAnswerNotBefore: 0) }
        isPending = isHeld
    }
}
