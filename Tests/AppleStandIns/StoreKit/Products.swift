// SPDX-License-Identifier: Apache-2.0
//
// What the names of other SDKs tell of a product and of its newest transaction. Difference from Apple's: the script of the store says it.

extension Product {
    /// Nothing is shared here.
    public var isFamilyShareable: Bool { false }
}

extension Transaction {
    public static func latest(for productID: String) async -> VerificationResult<Transaction>? {
        TransactionScript.history.last { $0.unsafePayloadValue.productID == productID }
    }
}
