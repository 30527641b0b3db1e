// SPDX-License-Identifier: Apache-2.0

/// All transactions with one original transaction: a subscription with its renewals and changes, or a single purchase.
package struct ChainID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let environment: AppStoreEnvironment
    package let originalTransactionID: String

    package init(environment: AppStoreEnvironment, originalTransactionID: String) {
        self.environment = environment
        self.originalTransactionID = originalTransactionID
    }

    /// Reads the ``description``; nil for another text.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let environment = AppStoreEnvironment(rawValue: String(parts[0])), !parts[1].isEmpty else {
            return nil
        }
        self.init(environment: environment, originalTransactionID: String(parts[1]))
    }

    /// `Production:2000000123456789`; the key of a chain in the store.
    package var description: String { "\(environment.rawValue):\(originalTransactionID)" }

    package static func < (left: ChainID, right: ChainID) -> Bool { left.description < right.description }
}
