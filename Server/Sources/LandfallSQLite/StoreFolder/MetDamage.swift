// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The first damage that a connection of the store met. It stays until the process ends: what is damaged does not mend itself.
final class MetDamage: Sendable {
    private let first = Mutex<String?>(nil)

    var text: String? { first.withLock { $0 } }

    func record(_ text: String) { first.withLock { $0 = $0 ?? text } }
}
