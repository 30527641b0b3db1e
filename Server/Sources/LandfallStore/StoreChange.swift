// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Something in the store that others wait for or remember: an install, a link, the configuration. A write names it, and after the
/// commit every node hears of it.
package struct StoreChange: Hashable, Sendable {
    package struct Kind: Hashable, Sendable {
        package let name: String
        package init(_ name: String) { self.name = name }
    }

    package let kind: Kind
    /// The app that it belongs to.
    package let app: String
    /// The id within its kind.
    package let subject: String

    package init(_ kind: Kind, app: String, subject: String = "") { (self.kind, self.app, self.subject) = (kind, app, subject) }
}

/// What observers hear.
package enum StoreNews: Hashable, Sendable {
    /// Everything that one or more commits changed.
    case changed([StoreChange])
    /// Changes of other nodes may have been missed, because the database was away: whatever is remembered may be old.
    case missed
}

/// Who hears of changes.
package final class StoreObservers: Sendable {
    private struct Observer {
        let id: ObjectIdentifier
        let hear: @Sendable (StoreNews) -> Void
    }

    /// In the order of their calls, so that a simulation repeats itself.
    private let observers = Mutex<[Observer]>([])

    package init() {}

    /// - Parameter observer: called on any thread after a commit, before its callers are answered. It must return at once, because they
    ///   wait behind it.
    /// - Returns: keep it; the observer is removed when it is released.
    package func add(_ observer: @escaping @Sendable (StoreNews) -> Void) -> StoreObservation {
        let observation = StoreObservation(self)
        observers.withLock { $0.append(Observer(id: ObjectIdentifier(observation), hear: observer)) }
        return observation
    }

    package func tell(_ news: StoreNews) {
        if case .changed(let changes) = news, changes.isEmpty { return }
        for observer in observers.withLock(\.self) { observer.hear(news) }
    }

    fileprivate func remove(_ observation: ObjectIdentifier) { observers.withLock { $0.removeAll { $0.id == observation } } }
}

/// Lasts as long as somebody observes.
package final class StoreObservation: Sendable {
    private let observers: StoreObservers

    fileprivate init(_ observers: StoreObservers) { self.observers = observers }

    deinit { observers.remove(ObjectIdentifier(self)) }
}
