// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// That this node is about to end: load balancers hear it before anybody else does.
final class Leaving: Sendable {
    private let state = Atomic(false)

    var isSaid: Bool { state.load(ordering: .relaxed) }
    func say() { state.store(true, ordering: .relaxed) }
}
