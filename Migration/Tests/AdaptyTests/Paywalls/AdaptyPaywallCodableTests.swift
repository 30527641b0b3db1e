// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import Testing

@Suite("Paywalls that an app keeps", .timeLimit(.minutes(1)))
struct AdaptyPaywallCodableTests {
    @Test("What is read again is what was written; it counts as stored")
    func roundTrip() throws {
        let paywall = try AdaptyPaywall.shown()

        let read = try JSONDecoder().decode(AdaptyPaywall.self, from: JSONEncoder().encode(paywall))

        #expect(read == paywall)
        #expect(read.name == "beach")
        #expect(read.remoteConfig?.dictionary?["days"] as? Int == 7)
        #expect(read.result.origin == .cache(age: .zero))
    }

    @Test("A paywall without values of its own stays one")
    func noConfig() throws {
        let result = PaywallResult(
            paywall: Paywall(name: "plain", variationID: "plain"), placement: "main", audience: "everyone",
            origin: .bundled, attribution: .pending, elapsed: .zero, revision: 1)

        let read = try JSONDecoder().decode(AdaptyPaywall.self, from: JSONEncoder().encode(AdaptyPaywall(result)))

        #expect(read.remoteConfig == nil)
        #expect(read.vendorProductIds == [])
    }

    @Test("A paywall of an experiment keeps its variation, so that a later exposure counts for it")
    func assignment() throws {
        let assignment = Assignment(experiment: "spring-price", epoch: 1, variation: "B", bucket: 402_675)
        let result = PaywallResult(
            paywall: Paywall(name: "plain", variationID: "spring-price:B"), placement: "main", audience: "everyone",
            origin: .matchingAudience, attribution: .pending, elapsed: .zero, revision: 1, assignment: assignment)

        let read = try JSONDecoder().decode(AdaptyPaywall.self, from: JSONEncoder().encode(AdaptyPaywall(result)))

        #expect(read.result.assignment == assignment)
        #expect(read.variationId == "spring-price:B")
        #expect(read.placement.abTestName == "spring-price")
    }

    @Test("A placement names its experiment, also after it was kept by itself; one of before has none")
    func placement() throws {
        let assignment = Assignment(experiment: "spring-price", epoch: 1, variation: "B", bucket: 402_675)
        let placement = try AdaptyPaywall.shown(assignment: assignment).placement
        let before = #"{"id": "main", "audience_name": "everyone", "revision": 3}"#

        #expect(placement.abTestName == "spring-price")
        #expect("\(placement)" == "onboarding, audience: summer, revision: 7, experiment: 'spring-price'")
        #expect("\(try AdaptyPaywall.shown())".hasPrefix("beach, variation: beach-a, placement: onboarding, "))
        #expect(try JSONDecoder().decode(AdaptyPlacement.self, from: JSONEncoder().encode(placement)) == placement)
        #expect(try JSONDecoder().decode(AdaptyPlacement.self, from: Data(before.utf8)).abTestName == "")
        #expect(try AdaptyPaywall.shown().placement.abTestName == "")
    }

    @Test("What the original wrote is refused: the app asks again")
    func original() {
        let json = #"{"paywall_id": "1", "paywall_name": "n", "variation_id": "v", "products": [], "developer_id": "main"}"#

        #expect(throws: DecodingError.self) { try JSONDecoder().decode(AdaptyPaywall.self, from: Data(json.utf8)) }
    }

    @Test("The names before `placement` show its values")
    @available(*, deprecated)
    func olderNames() throws {
        let assignment = Assignment(experiment: "spring-price", epoch: 1, variation: "B", bucket: 402_675)
        let paywall = try AdaptyPaywall.shown(assignment: assignment)

        #expect(paywall.placementId == "onboarding")
        #expect(paywall.audienceName == "summer")
        #expect(paywall.revision == 7)
        #expect(paywall.abTestName == "spring-price")
    }
}
