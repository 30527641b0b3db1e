// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// What this app has offered for sale, and what came of it. Content of `sales.json`.
///
/// An offer is stored before the store's sheet opens, because the process may end behind it: the transaction that the store has then is
/// recognised by its product.
struct SaleMemory: Hashable, StoredValue {
    struct Offer: Hashable, Codable, Sendable {
        /// The event of the exposure that led to it.
        var exposure: String?
        /// By the phone's calendar, in Unix milliseconds.
        var beganAt: Int64
        /// Its transaction may still come.
        var isOpen: Bool
    }

    struct Sale: Hashable, Codable, Sendable {
        var exposure: String?
    }

    static let currentFormat = 1
    /// The phone's calendar and the store's may differ.
    private static let tolerance: Int64 = 86_400_000
    /// How long an approval may take.
    private static let patience: Int64 = 60 * 86_400_000

    private(set) var format = Self.currentFormat
    /// The installation that this memory belongs to. A copy of the files on another phone starts empty.
    private(set) var install: InstallID?
    /// By product id, the newest: what was offered here is ours to finish.
    private(set) var offers: [String: Offer] = [:]
    /// By the id of the transaction: what an offer has sold, until the server has it.
    private(set) var sales: [String: Sale] = [:]

    init(of install: InstallID? = nil) { self.install = install }

    mutating func offer(_ productID: String, after exposure: String?, at date: Date) {
        offers[productID] = Offer(exposure: exposure, beganAt: date.unixMilliseconds, isOpen: true)
    }

    /// The person does not want it.
    mutating func withdraw(_ productID: String) {
        offers[productID]?.isOpen = false
        offers[productID]?.exposure = nil
    }

    /// The store's answer to the offer.
    mutating func sold(_ sold: SoldTransaction) {
        let exposure = sales[sold.transaction.id]?.exposure ?? offers[sold.productID]?.exposure
        sales[sold.transaction.id] = Sale(exposure: exposure)
        withdraw(sold.productID)
    }

    /// A transaction that came by itself. If an offer waits for one, it is its answer.
    /// - Returns: true if the memory has changed.
    mutating func came(_ transaction: SoldTransaction) -> Bool {
        guard sales[transaction.transaction.id] == nil, let offer = offers[transaction.productID], offer.isOpen else { return false }
        let age = transaction.purchasedAt.unixMilliseconds - offer.beganAt
        guard (-Self.tolerance..<Self.patience).contains(age) else { return false }
        sold(transaction)
        return true
    }

    mutating func stored(_ transactionID: String) { sales[transactionID] = nil }
}
