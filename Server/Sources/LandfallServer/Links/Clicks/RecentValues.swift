// SPDX-License-Identifier: Apache-2.0

/// A cache of recent values, never more than twice ``most``. When ``most`` values are young, the old ones are dropped and the
/// young ones become the old ones. A value that is used again becomes young.
struct RecentValues<Key: Hashable, Value> {
    let most: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    init(most: Int) { self.most = most }

    var count: Int { young.count + old.count }

    subscript(_ key: Key) -> Value? {
        mutating get {
            if let value = young[key] { return value }
            guard let value = old.removeValue(forKey: key) else { return nil }
            self[key] = value
            return value
        }
        set {
            old[key] = nil
            if young.count >= most, young[key] == nil { (old, young) = (young, [:]) }
            young[key] = newValue
        }
    }

    mutating func forget(where isStale: (Key, Value) -> Bool) {
        young = young.filter { !isStale($0.key, $0.value) }
        old = old.filter { !isStale($0.key, $0.value) }
    }
}
