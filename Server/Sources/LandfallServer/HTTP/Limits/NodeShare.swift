// SPDX-License-Identifier: Apache-2.0

/// What one node allows of a limit that is meant for all nodes together.
///
/// A load balancer spreads callers over the nodes, so each allows its share of what a network or an install may do: codes, clicks, links.
/// Limits that protect a node's own memory, threads and files are not shared, because each node has its own: held answers, connections,
/// first opens that wait for the store, open questions to the resolver of old links, pages that watch, reports and passwords that wait.
/// Wrong passwords are counted in the store.
package struct NodeShare: Sendable {
    /// A node alone.
    package static let whole = NodeShare { 1 }

    private let living: @Sendable () -> Int

    /// - Parameter living: how many nodes live, this one included. It is asked for each call, and must not wait.
    package init(living: @escaping @Sendable () -> Int) { self.living = living }

    /// With so many nodes that it would be less, they allow more together: people mistype a code twice.
    static let least = 3

    /// Rounded up, and at least ``least`` where the limit itself is.
    func of(_ most: Int) -> Int {
        let nodes = max(1, living())
        return max((most + nodes - 1) / nodes, min(most, Self.least))
    }
}
