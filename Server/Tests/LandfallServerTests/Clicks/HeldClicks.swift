// SPDX-License-Identifier: Apache-2.0
import Synchronization

@testable import LandfallServer

/// A store whose disk the test moves: a unit's turn comes, and ends, when the test says so.
final class HeldClicks: ClickStore {
    private struct Unit: Sendable {
        let clicks: @Sendable () -> [ClickEntry]
        let then: @Sendable (Result<Void, any Error>) -> Void
    }

    private let units = Mutex<[Unit]>([])
    private let kept = Mutex<[ClickEntry]>([])

    var unitCount: Int { units.withLock { $0.count } }
    /// Of units that ended well.
    var stored: [ClickEntry] { kept.withLock { $0 } }

    func record(
        _ clicks: @escaping @Sendable () -> [ClickEntry], of app: AppID,
        then: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        units.withLock { $0.append(Unit(clicks: clicks, then: then)) }
    }

    /// The first unit's turn comes.
    /// - Parameters:
    ///   - meanwhile: what happens between its turn and its end.
    ///   - endingWith: what the unit ends with, given its clicks.
    func pass(meanwhile: () -> Void = {}, endingWith error: ([ClickEntry]) -> (any Error)? = { _ in nil }) {
        guard let unit = units.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
        let clicks = unit.clicks()
        meanwhile()
        if let error = error(clicks) { return unit.then(.failure(error)) }
        kept.withLock { $0 += clicks }
        unit.then(.success(()))
    }

    /// The first unit is refused before its turn.
    func refuse(_ error: any Error) {
        units.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.then(.failure(error))
    }
}
