// SPDX-License-Identifier: Apache-2.0

/// How often each token was sent, in bounded memory.
///
/// Two generations: when the young one is full it becomes the old one, and the old one is dropped. A token is remembered for at
/// least `limit` other tokens after its last use.
struct TokenAttempts {
    private var young: [String: Int] = [:]
    private var old: [String: Int] = [:]
    private let limit: Int

    /// - Parameter limit: how many tokens one generation holds; at most twice as many are remembered.
    init(limit: Int = 20_000) { self.limit = max(1, limit) }

    /// Counts one more use and returns how many there were before it.
    mutating func next(_ token: String) -> Int {
        let count = young[token] ?? old[token] ?? 0
        if young[token] == nil, young.count >= limit {
            old = young
            young = [:]
        }
        young[token] = count + 1
        return count
    }

    var rememberedTokens: Int { Set(young.keys).union(old.keys).count }
}
