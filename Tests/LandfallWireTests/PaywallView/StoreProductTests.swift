// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("A product of the store", .timeLimit(.minutes(1)))
struct StoreProductTests {
    @Test("The offer is the introductory one, for a person who may have it", arguments: [true, false], [true, false])
    func offer(isOffered: Bool, isEligible: Bool) {
        let trial = StoreProduct.Offer(.freeTrial, price: 0, displayPrice: "0 €", period: .init(1, .week))
        let product = StoreProduct(
            id: "a", displayName: "A", price: 1, currencyCode: "EUR", displayPrice: "1 €", period: .init(1, .month),
            introductoryOffer: isOffered ? trial : nil, isEligibleForIntroductoryOffer: isEligible)

        #expect(product.offer == (isOffered && isEligible ? trial : nil))
    }
}
