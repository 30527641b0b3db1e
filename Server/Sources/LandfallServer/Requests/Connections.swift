// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The connections that are open on this node's listener.
final class Connections: Sendable {
    private let open = Mutex(0)

    var count: Int { open.withLock { $0 } }

    func opened() { open.withLock { $0 += 1 } }
    func closed() { open.withLock { $0 -= 1 } }
}
