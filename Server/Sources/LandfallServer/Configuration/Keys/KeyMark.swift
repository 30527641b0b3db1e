// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
package import LandfallRules
import LandfallStore
import Synchronization

/// Names a key of the configuration in the store, by 64 bits of a hash of the key's text. They reveal nothing about the key.
package struct KeyID: Hashable, Sendable {
    package let text: String

    package init(_ key: SDKKey) { text = "sdk:" + SHA256.hash(data: Data(key.text.utf8)).prefix(8).hexadecimal }

    package init(_ key: ServerKey) { text = "server:" + key.hash.prefix(8).hexadecimal }
}

/// When this node last admitted a caller by one key. Every call of a phone checks it, which costs one atomic load, and one atomic store a
/// second.
package final class KeyMark: Sendable {
    static let precisionMs: Int64 = 1_000

    private let atMs = Atomic<Int64>(0)

    /// 0 before the first use.
    package var lastMs: Int64 { atMs.load(ordering: .relaxed) }

    func used(nowMs: Int64) {
        if nowMs - lastMs >= Self.precisionMs { atMs.store(nowMs, ordering: .relaxed) }
    }
}

/// The marks of a configuration's keys.
package struct KeyMarks: Sendable {
    private let marks: [KeyID: KeyMark]

    init(_ configuration: Configuration) {
        let ids = configuration.keys.map { KeyID($0) } + configuration.serverKeys.map { KeyID($0) }
        marks = Dictionary(ids.map { ($0, KeyMark()) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(_ id: KeyID) -> KeyMark? { marks[id] }

    /// A new version of the configuration keeps the marks of the keys that it still has.
    func take(from before: KeyMarks) {
        for (id, mark) in marks {
            if let lastMs = before[id]?.lastMs, lastMs > 0 { mark.used(nowMs: lastMs) }
        }
    }

    /// The times of the keys that were used.
    package var lastUses: [KeyID: Int64] { marks.mapValues(\.lastMs).filter { $0.value > 0 } }
}
