// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire

@testable import Landfall

/// What one customer has bought, as the App Store knows it: phones and the server hear of it later, or never.
struct ScriptedAppStore {
    struct Sale: Hashable, Sendable {
        let id: Int
        /// The id of the first period.
        let chain: Int
        let starts: Int
        /// nil: it never ends.
        let ends: Int?
        /// The latest signature. In Unix seconds, like all times here.
        var signed: Int
        var isRevoked = false
        /// Apple signed it. A phone that was tampered with has others.
        var isGenuine = true

        func opens(at time: Double) -> Bool { isGenuine && !isRevoked && ends.map { Double($0) > time } ?? true }

        var transaction: StoreTransaction {
            StoreTransaction(id: "\(id)", jws: jws, signedAt: Date(timeIntervalSince1970: Double(signed)), isRevoked: isRevoked && isGenuine)
        }

        var jws: String { "h.\(id)-\(signed).s" }

        var entitlement: StoreEntitlement {
            StoreEntitlement(
                transactionID: "\(id)", originalTransactionID: "\(chain)", productID: "yearly",
                signedAt: Date(timeIntervalSince1970: Double(signed)), startsAt: Date(timeIntervalSince1970: Double(starts)),
                endsAt: ends.map { Date(timeIntervalSince1970: Double($0)) })
        }
    }

    private(set) var sales: [Int: Sale] = [:]
    private var lastID = 0
    private var lastSigned = 0

    private mutating func sign(_ time: Int) -> Int {
        lastSigned = max(lastSigned + 1, time)
        return lastSigned
    }

    /// - Parameter length: nil: it never ends.
    @discardableResult
    mutating func sell(at time: Int, renewing before: Sale? = nil, lasts length: Int?, isGenuine: Bool = true) -> Sale {
        lastID += 1
        let starts = max(time, before?.ends ?? 0)
        sales[lastID] = Sale(
            id: lastID, chain: before?.chain ?? lastID, starts: starts, ends: length.map { starts + $0 }, signed: sign(time),
            isGenuine: isGenuine)
        return sales[lastID]!
    }

    /// Refunded, or the family no longer shares it.
    @discardableResult
    mutating func revoke(_ id: Int, at time: Int) -> Sale? {
        let signed = sign(time)
        sales[id]?.isRevoked = true
        sales[id]?.signed = signed
        return sales[id]
    }

    var newest: Sale? { sales[lastID] }
    var genuine: [Sale] { sales.values.filter(\.isGenuine) }
    func isOpen(at time: Double) -> Bool { sales.values.contains { $0.opens(at: time) } }

    /// What a phone lists: of each chain the newest, by what it has verified.
    func entitlements(at time: Double) -> [Sale] {
        Dictionary(grouping: sales.values.filter { $0.opens(at: time) }, by: \.chain).values.compactMap { $0.max { $0.starts < $1.starts } }
    }

    /// What the server says by the signatures that it has.
    func profile(by signed: [String: Int], version: Int64, at time: Date) -> WireProfile {
        var profile = WireProfile.anna(version: version)
        profile.asOfMilliseconds = time.unixMilliseconds
        // What it knows of each: a revocation only with its signature.
        let known = sales.values.compactMap { sale -> Sale? in
            guard let at = signed["\(sale.id)"] else { return nil }
            var sale = sale
            if at < sale.signed { sale.isRevoked = false }
            return sale
        }
        let seconds = time.timeIntervalSince1970
        let open = known.filter { $0.opens(at: seconds) }.max { ($0.ends ?? .max) < ($1.ends ?? .max) }
        profile.accessLevels = [:]
        if let sale = open ?? known.max(by: { $0.starts < $1.starts }) {
            var level = WireAccessLevel(
                state: open != nil ? .active : sale.isRevoked ? .revoked : .expired, isActive: open != nil, store: .appStore,
                startsAtMilliseconds: Int64(sale.starts) * 1_000, endsAtMilliseconds: sale.ends.map { Int64($0) * 1_000 })
            level.productId = "yearly"
            profile.accessLevels = ["premium": level]
        }
        profile.subscriptions = Dictionary(grouping: known.filter { $0.ends != nil }, by: \.chain).values.map { periods in
            let newest = periods.max { $0.starts < $1.starts }!
            return WireSubscription(
                productId: "yearly", transactionId: "\(newest.id)", originalTransactionId: "\(newest.chain)", state: .active, isActive: true,
                startedAtMilliseconds: Int64(newest.starts) * 1_000, startsAtMilliseconds: Int64(newest.starts) * 1_000,
                endsAtMilliseconds: Int64(newest.ends!) * 1_000)
        }
        profile.oneTimePurchases = known.filter { $0.ends == nil }.map {
            WireOneTimePurchase(
                transactionId: "\($0.id)", productId: "yearly", quantity: 1, purchasedAtMilliseconds: Int64($0.starts) * 1_000,
                isRefunded: $0.isRevoked, isSandbox: false)
        }
        return profile
    }
}
