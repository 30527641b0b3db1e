// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire

@testable import Landfall

extension WireProfile {
    /// Anna pays for the level `premium`, which ends so many milliseconds after the server's time.
    static func payer(
        at time: Int64, endsIn left: Int64?, state: WireAccessState = .active, version: Int64 = 1
    ) -> WireProfile {
        var level = WireAccessLevel(
            state: state, isActive: state == .active, store: .appStore, startsAtMilliseconds: time - 3_600_000,
            endsAtMilliseconds: left.map { time + $0 })
        level.productId = "yearly"
        level.isTrial = true
        var profile = WireProfile.anna(version: version)
        profile.asOfMilliseconds = time
        profile.purchaseToken = "5a6b7c8d-1111-4222-8333-444455556666"
        profile.accessLevels = ["premium": level]
        return profile
    }
}

extension StoreEntitlement {
    /// A period of a subscription.
    /// - Parameters:
    ///   - signed: when it begins too.
    ///   - length: nil: it never ends.
    static func listed(
        _ id: Int, of chain: Int? = nil, product: String = "yearly", signed: Date, lasts length: TimeInterval?
    ) -> StoreEntitlement {
        StoreEntitlement(
            transactionID: "\(id)", originalTransactionID: chain.map { "\($0)" }, productID: product, signedAt: signed, startsAt: signed,
            endsAt: length.map { signed + $0 })
    }
}
