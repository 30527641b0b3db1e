// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// What another version of the configuration changes, in numbers, and which answers it can change.
package struct ConfigurationDifference {
    /// The placements whose answer may differ: added, removed, or with other audiences or paywalls.
    package let placements: Set<PlacementID>
    /// How many of each kind were added, removed or changed.
    package let counts: [(kind: String, count: Int)]

    package init(from old: Configuration, to new: Configuration) {
        let testDevices = Self.changed(old.testDevices, new.testDevices) { ExactText($0.name) }
        // What a test device sees is compared at each placement.
        let placements =
            testDevices.isEmpty
            ? Self.changed(old.placements, new.placements, by: \.id) : Set((old.placements + new.placements).map(\.id))
        self.placements = placements
        counts = [
            ("placements", placements.count),
            ("paywalls", Self.changed(old.paywalls, new.paywalls, by: \.id).count),
            ("audiences", Self.changed(old.audiences, new.audiences, by: \.id).count),
            ("links", Self.changed(old.links, new.links) { LinkPlace(host: $0.host, path: $0.path) }.count),
            ("attributes", Self.changed(Array(old.attributeTypes), Array(new.attributeTypes), by: \.key) { $0.value == $1.value }.count),
            ("events", Self.changed(Array(old.events), Array(new.events), by: \.key) { $0.value == $1.value }.count),
            ("metrics", Self.changed(old.metrics, new.metrics) { ExactText($0.name) }.count),
            ("testDevices", testDevices.count),
            ("keys", Self.changed(old.keys, new.keys) { ExactText($0.text) }.count),
        ]
    }

    private static func changed<Value: Equatable, Key: Hashable>(
        _ old: [Value], _ new: [Value], by key: (Value) -> Key
    ) -> Set<Key> {
        changed(old, new, by: key, isSame: ==)
    }

    private static func changed<Value, Key: Hashable>(
        _ old: [Value], _ new: [Value], by key: (Value) -> Key, isSame: (Value, Value) -> Bool
    ) -> Set<Key> {
        let before = Dictionary(old.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        let after = Dictionary(new.map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
        let gone = Set(before.keys).subtracting(after.keys)
        return gone.union(after.filter { key, value in before[key].map { !isSame($0, value) } ?? true }.keys)
    }
}
