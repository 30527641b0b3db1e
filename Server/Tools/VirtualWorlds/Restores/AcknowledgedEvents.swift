// SPDX-License-Identifier: Apache-2.0

/// The events that the server has acknowledged, and what the store therefore has to have. Each guarantee has a name:
///
/// - R1: a copy has every event that was acknowledged before the copy was made.
/// - R2: in the end the store has every event that was acknowledged since, or before the copy that it was restored from, once.
/// - R3: an event that the store has to have is never accepted as new again.
struct AcknowledgedEvents: Sendable {
    /// An event of one installation: files that were copied to another phone send the same event as another installation.
    struct Key: Hashable, Sendable, Comparable, CustomStringConvertible {
        let install: String
        let event: String

        static func < (one: Key, other: Key) -> Bool { (one.install, one.event) < (other.install, other.event) }
        var description: String { "\(event) of \(install)" }
    }

    /// What the store has to have.
    private(set) var held: Set<Key> = []
    /// How many were ever acknowledged.
    private(set) var count = 0

    /// The server has answered for an event.
    /// - Parameter isNew: it says that it did not have the event.
    mutating func acknowledged(_ key: Key, isNew: Bool) -> Breach? {
        let isFirst = held.insert(key).inserted
        count += isFirst ? 1 : 0
        return isNew && !isFirst ? Breach(guarantee: "R3", text: "\(key) is accepted as new for the second time") : nil
    }

    /// The store is now what it was when this copy was noted; an empty one for a lost store.
    mutating func wentBack(to copy: AcknowledgedEvents) { held = copy.held }

    /// - Parameter found: how often the store has each event.
    func breaches(_ guarantee: String, in found: [Key: Int]) -> [Breach] {
        let lost = held.filter { found[$0] == nil }.sorted().map { Breach(guarantee: guarantee, text: "\($0) was acknowledged and is lost") }
        let doubled = found.filter { $0.value > 1 }.keys.sorted().map { Breach(guarantee: "R2", text: "\($0) is in the store \(found[$0] ?? 0) times") }
        return lost + doubled
    }
}
