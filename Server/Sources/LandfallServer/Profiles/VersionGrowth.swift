// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Which versions a change moves.
struct VersionGrowth: Hashable, Sendable {
    /// Something that only this install shows.
    let install: Bool
    /// Something that every install of the person shows. A move to another profile does not count: there the epoch grows.
    let profile: Bool
    /// An answer about attribution. A question (`pending`) does not count, so a cached paywall outlives it.
    let attribution: Bool

    var isAny: Bool { install || profile || attribution }

    init(from before: Install, to after: Install, nowMs: Int64) {
        let old = before.attribution(nowMs: nowMs).withoutTime, new = after.attribution(nowMs: nowMs).withoutTime
        let oldLink = before.latestLink(nowMs: nowMs), newLink = after.latestLink(nowMs: nowMs)
        attribution = old != new && !new.isPending || oldLink != newLink
        install =
            old != new || oldLink != newLink || before.isReinstall != after.isReinstall
            || before.appliedSources != after.appliedSources || before.engagement != after.engagement
        profile =
            before.profileID == after.profileID
            && (before.customerID != after.customerID || before.attributes != after.attributes)
    }
}

extension Attribution {
    /// When the next answer may come is no part of what an install is.
    fileprivate var withoutTime: Attribution { isPending ? .pending(nextAnswerNotBefore: 0) : self }
}
