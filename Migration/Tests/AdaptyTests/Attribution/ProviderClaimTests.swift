// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Landfall
import Testing

@Suite("Attribution of other providers", .timeLimit(.minutes(1)))
struct ProviderClaimTests {
    @Test("Every documented key is read, and others are ignored")
    func keys() throws {
        let claim = try ProviderClaim(
            [
                "status": "non_organic", "channel": "social", "campaign": 42, "ad_group": "group", "ad_set": "set",
                "creative": "film", "network": "ignored", 7: "ignored",
            ],
            source: "AppsFlyer"
        )

        #expect(claim.source == AttributionSource("appsflyer"))
        #expect(claim.status == .nonOrganic)
        #expect(
            [claim.channel, claim.campaign, claim.adGroup, claim.adSet, claim.creative] == [
                "social", "42", "group", "set", "film",
            ])
    }

    @Test(
        "A status is understood however a provider writes it",
        arguments: [
            ("organic", AttributionClaim.Status.organic), ("Organic", .organic), ("non_organic", .nonOrganic),
            ("Non-organic", .nonOrganic), ("NON ORGANIC", .nonOrganic), ("unknown", .unknown), ("paid", .unknown),
            ("", .unknown),
        ])
    func statuses(text: String, status: AttributionClaim.Status) throws {
        #expect(try ProviderClaim(["status": text], source: "adjust").status == status)
    }

    @Test("Text of 50 characters is taken and of 51 refused with 3001")
    func textLimit() throws {
        #expect(try ProviderClaim(["campaign": String(repeating: "c", count: 50)], source: "adjust").campaign?.count == 50)

        let error = #expect(throws: AdaptyError.self) {
            try ProviderClaim(["campaign": String(repeating: "c", count: 51)], source: "adjust")
        }
        #expect(error?.adaptyErrorCode == .wrongParam)
    }

    @Test(
        "A source that is none, or the server's own, is refused with 3001",
        arguments: [
            "", "two words", "источник", "apple_search_ads", "Apple_Search_Ads", "link", "landfall",
            String(repeating: "s", count: 65),
        ])
    func badSources(_ source: String) {
        let error = #expect(throws: AdaptyError.self) { try ProviderClaim(["status": "organic"], source: source) }

        #expect(error?.adaptyErrorCode == .wrongParam)
    }

    @Test("A JSON object says the same as a dictionary")
    func json() throws {
        #expect(
            try ProviderClaim(json: #"{"status":"organic","campaign":"summer"}"#, source: "branch")
                == ProviderClaim(["status": "organic", "campaign": "summer"], source: "branch")
        )
    }

    @Test("Text that is no JSON object is refused with 3001", arguments: ["", "organic", "[]", "{"])
    func notAnObject(_ json: String) {
        let error = #expect(throws: AdaptyError.self) { try ProviderClaim(json: json, source: "branch") }

        #expect(error?.adaptyErrorCode == .wrongParam)
    }
}
