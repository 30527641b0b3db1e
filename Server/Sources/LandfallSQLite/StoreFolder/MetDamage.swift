// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The first damage that a connection of the store met. It stays until the process ends, because a damaged store does not
/// repair itself.
package final class MetDamage: Sendable {
    private let first = Mutex<String?>(nil)

    var text: String? { first.withLock { $0 } }

    func record(_ text: String) { first.withLock { $0 = $0 ?? text } }
}
