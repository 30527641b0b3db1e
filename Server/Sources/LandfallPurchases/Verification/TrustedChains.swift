// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Chains of certificates that were verified once, by the hash of the header that holds them. Nearly all texts of two years have the
/// same header, and the check of three certificates takes much longer than that of a signature.
final class TrustedChains: Sendable {
    private struct Known {
        var chains: [[UInt8]: TrustedChain] = [:]
        /// The oldest first.
        var order: [[UInt8]] = []
    }

    private let most: Int
    private let known = Mutex(Known())

    init(most: Int) { self.most = max(1, most) }

    var count: Int { known.withLock(\.chains.count) }

    subscript(headerHash: [UInt8]) -> TrustedChain? { known.withLock { $0.chains[headerHash] } }

    /// Only for a header that its own leaf has signed: anybody can write new headers around Apple's certificates, and they would
    /// push out the one that is needed.
    func remember(_ chain: TrustedChain, as headerHash: [UInt8]) {
        known.withLock { known in
            guard known.chains.updateValue(chain, forKey: headerHash) == nil else { return }
            known.order.append(headerHash)
            if known.order.count > most { known.chains[known.order.removeFirst()] = nil }
        }
    }
}
