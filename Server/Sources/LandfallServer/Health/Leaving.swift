// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Set when this node is about to stop, so that load balancers stop sending traffic first.
final class Leaving: Sendable {
    private let state = Atomic(false)

    var isSaid: Bool { state.load(ordering: .relaxed) }
    func say() { state.store(true, ordering: .relaxed) }
}
