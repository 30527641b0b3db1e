// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import LandfallRules
@testable import LandfallServer

/// A store whose disk the test moves: a click is on it, or kept from it, when the test says so.
final class HeldClicks: ClickStore {
    private struct Unit: Sendable {
        let entry: ClickEntry
        let then: @Sendable (Result<Void, any Error>) -> Void
    }

    private let units = Mutex<[Unit]>([])
    private let kept = Mutex<[ClickEntry]>([])

    var unitCount: Int { units.withLock { $0.count } }
    /// Of units that ended well.
    var stored: [ClickEntry] { kept.withLock { $0 } }

    func record(_ entry: ClickEntry, of app: AppID, then: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        units.withLock { $0.append(Unit(entry: entry, then: then)) }
    }

    /// The first unit's turn comes.
    /// - Parameter meanwhile: what happens between its turn and its end.
    func pass(meanwhile: () -> Void = {}) {
        guard let unit = units.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
        meanwhile()
        kept.withLock { $0.append(unit.entry) }
        unit.then(.success(()))
    }

    /// The first unit is refused before its turn.
    func refuse(_ error: any Error) {
        units.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.then(.failure(error))
    }
}
