// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A cache from recent user agents to visitors: there are few user agents, and each must be searched for a hundred words.
final class KnownVisitors: Sendable {
    /// Bounds the memory: a longer user agent is not cached.
    private static let longest = 512
    private let known = Mutex(RecentValues<String, LinkVisitor>(most: 1_024))

    func visitor(_ userAgent: String?) -> LinkVisitor {
        guard let userAgent, userAgent.utf8.count <= Self.longest else { return LinkVisitor(userAgent) }
        if let visitor = known.withLock({ $0[userAgent] }) { return visitor }
        let visitor = LinkVisitor(userAgent)
        known.withLock { $0[userAgent] = visitor }
        return visitor
    }
}
