// SPDX-License-Identifier: Apache-2.0

/// Remembers what was asked for lately, and never more than twice ``most``: when so many are young, the old ones that nobody
/// asked for since are forgotten, and the young are the old.
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
