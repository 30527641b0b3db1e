// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What is known of an install's attribution, and whether that can still change before a hold ends.
struct AttributionOutlook: Hashable {
    let attribution: Attribution
    /// True while something *scheduled before the end of the hold* can change the attribution: a token that is coming, or
    /// an exchange whose next attempt begins before it. An attempt due after the hold counts as nothing.
    let isPending: Bool

    /// The link from before the install is still being looked for.
    var isLinkPending = false

    var pending: Pending { isLinkPending ? .deferredLink : isPending ? .attribution : .nothing }

    /// - Parameter isTokenAnnounced: the phone said that a token is coming, and has not called it off.
    init(install: Install, isTokenAnnounced: Bool, nowMs: Int64, holdEndsAtMs: Int64) {
        let known = install.attribution(nowMs: nowMs)
        // Another token of the same install leads to the same answer of Apple.
        let appleHasSpoken = install.facts.contains { $0.source == .appleAds }
        let isHeld = nowMs < holdEndsAtMs
        guard isTokenAnnounced, !install.hasFreshToken(nowMs: nowMs), !appleHasSpoken else {
            attribution = known
            isPending =
                isHeld && !appleHasSpoken && install.nextAppleAnswer(nowMs: nowMs).map { nowMs + $0 < holdEndsAtMs } ?? false
            return
        }
        // A claim of another provider is worth telling at once; it does not end the wait for Apple.
        if case .attributed = known { attribution = known } else { attribution = .pending(nextAnswerNotBefore: 0) }
        isPending = isHeld
    }
}
