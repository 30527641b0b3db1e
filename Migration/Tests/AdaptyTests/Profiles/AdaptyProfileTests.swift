// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Landfall
import Testing

@Suite("Profile values", .timeLimit(.minutes(1)))
struct AdaptyProfileTests {
    @Test(
        "Profiles that differ in one field are not equal, sources included",
        arguments: [
            Profile.ada(customerID: "other"),
            .ada(sources: [.appleAds]),
            .ada(sources: [AttributionSource("appsflyer")]),
            .ada(attributes: ["plan": .string("pro")]),
        ])
    func equality(_ other: Profile) {
        #expect(AdaptyProfile(other) != AdaptyProfile(.ada()))
        #expect(AdaptyProfile(other) == AdaptyProfile(other))
        #expect(Set([AdaptyProfile(other), AdaptyProfile(.ada()), AdaptyProfile(.ada())]).count == 2)
    }

    @Test("Apple Ads has the name that existing code compares with")
    func appleAds() {
        let profile = AdaptyProfile(.ada(sources: [.appleAds, AttributionSource("branch")]))

        #expect(profile.appliedAttributionSources == [.appleAds, .init(rawValue: "branch")])
        #expect(AdaptyProfile.AttributionSource.appleAds.rawValue == "apple_search_ads")
    }

    @Test("Custom attributes come as Swift's own values")
    func customAttributes() {
        let attributes = AdaptyProfile(.ada(attributes: ["plan": .string("pro"), "seats": .number(3), "trial": .bool(true)]))
            .customAttributes

        #expect(attributes["plan"] as? String == "pro")
        #expect(attributes["seats"] as? Double == 3)
        #expect(attributes["trial"] as? Bool == true)
    }
}
