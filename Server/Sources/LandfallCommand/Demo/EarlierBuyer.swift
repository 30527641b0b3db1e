// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSimulator
import LandfallWire

/// Somebody of earlier days who has bought: a month after a free week, or a year at once. Some get the first payment back.
struct EarlierBuyer: Sendable {
    /// They have looked at the paywall for a minute.
    private static let looksForMs: Int64 = 60_000

    /// In Unix milliseconds.
    let boughtAtMs: Int64
    private let phone: EarlierPhone
    private let exposure: String
    private let signer: JWSSigner
    private let life: PurchaseLife

    /// - Parameters:
    ///   - exposure: of the paywall that sells.
    ///   - atMs: the first open, in Unix milliseconds.
    init(_ number: Int, _ phone: EarlierPhone, exposure: String, _ signer: JWSSigner, atMs: Int64) throws {
        (self.phone, self.exposure, self.signer, boughtAtMs) = (phone, exposure, signer, atMs + Self.looksForMs)
        let isYear = number.isMultiple(of: 4), refund = number.isMultiple(of: 5) ? "&refund=6d" : ""
        let purchase = SimulatedPurchase(
            productId: isYear ? "com.example.app.yearly" : "com.example.app.monthly",
            life: (isYear ? "sim.period=1y" : "sim.trial=7d&renewals=12") + refund, priceMilliunits: isYear ? 49_990 : 9_990)
        life = try PurchaseLife(purchase, seed: UInt64(number), start: boughtAtMs)
    }

    /// Brings what Apple has signed until then, each transaction as it was signed last.
    func report(_ reason: PurchaseReason, upToMs: Int64) async throws {
        var newest: [String: TransactionPayload] = [:]
        for event in life.events where event.at <= upToMs {
            if let transaction = event.transaction { newest[transaction.transactionId] = transaction }
        }
        let transactions = try newest.sorted { $0.key < $1.key }.map { _, transaction -> JSONValue in
            ["jws": .string(try signer.sign(transaction)), "exposure": .string(exposure)]
        }
        try await phone.call(
            "/v1/purchases", ["key": .string(reason.rawValue), "reason": .string(reason.rawValue), "transactions": .array(transactions)])
    }
}
