// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

/// The dictionaries that providers' SDKs give an app, which apps pass on unchanged.
@Suite("Dictionaries of the common providers", .timeLimit(.minutes(1)))
struct ProviderDictionaryTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let source: String
        let json: String
        var status = AttributionStatus.nonOrganic
        var channel: String?
        var campaign: String?
        var adGroup: String?
        var adSet: String?
        var creative: String?
    }

    static let rows = [
        Row(
            testDescription: "Adjust: fields",
            source: "adjust",
            json: """
                {"trackerToken": "abc123", "trackerName": "Instagram::Summer::Beach::Film", "network": "Instagram",
                 "campaign": "Summer", "adgroup": "Beach", "creative": "Film", "costAmount": 0.2}
                """,
            channel: "Instagram", campaign: "Summer", adGroup: "Beach", creative: "Film"
        ),
        Row(
            testDescription: "Adjust: the tracker's name alone", source: "adjust",
            json: #"{"tracker_token": "abc123", "tracker_name": "Instagram::Summer::Beach::Film"}"#,
            channel: "Instagram", campaign: "Summer", adGroup: "Beach", creative: "Film"
        ),
        Row(
            testDescription: "Adjust: organic; the install's id is no creative", source: "adjust",
            json: #"{"trackerName": "Organic", "network": "Organic", "adid": "0f3c"}"#,
            status: .organic, channel: "Organic"
        ),
        Row(
            testDescription: "Adjust: no consent", source: "adjust", json: #"{"network": "No User Consent"}"#,
            status: .unknown, channel: "No User Consent"
        ),
        Row(
            testDescription: "Adjust: empty fields", source: "adjust", json: #"{"network": "", "campaign": ""}"#,
            status: .unknown),
        Row(
            testDescription: "AppsFlyer: a media source",
            source: "appsflyer",
            json: """
                {"af_status": "Non-organic", "media_source": "googleadwords_int", "campaign": "Summer", "campaign_id": "9",
                 "af_channel": "YouTube", "af_adset": "Beach", "af_adset_id": 7, "af_ad": "Film", "af_ad_id": "8",
                 "is_first_launch": true, "cost_cents_USD": "0"}
                """,
            channel: "googleadwords_int", campaign: "Summer", adSet: "Beach", creative: "Film"
        ),
        Row(
            testDescription: "AppsFlyer: Facebook's names",
            source: "appsflyer",
            json: """
                {"af_status": "Non-organic", "media_source": "Facebook Ads", "campaign": "Summer", "adset": "Beach",
                 "adset_id": "7", "adgroup": "Women", "adgroup_id": "6", "is_fb": 1}
                """,
            channel: "Facebook Ads", campaign: "Summer", adGroup: "Women", adSet: "Beach"
        ),
        Row(
            testDescription: "AppsFlyer: organic", source: "appsflyer",
            json: #"{"af_status": "Organic", "af_message": "organic install", "is_first_launch": false}"#, status: .organic
        ),
        Row(
            testDescription: "AppsFlyer: an id where there is no name", source: "appsflyer",
            json: #"{"af_status": "Non-organic", "media_source": "restricted", "af_c_id": 9}"#,
            channel: "restricted", campaign: "9"
        ),
        Row(
            testDescription: "Branch: a tapped link",
            source: "branch",
            json: """
                {"+clicked_branch_link": true, "+is_first_session": true, "~channel": "newsletter", "~campaign": "Summer",
                 "~feature": "email", "~creation_source": 1, "~referring_link": "https://example.app.link/x"}
                """,
            channel: "newsletter", campaign: "Summer"
        ),
        Row(
            testDescription: "Branch: an ad",
            source: "branch",
            json: """
                {"+clicked_branch_link": 1, "~advertising_partner_name": "Facebook", "~campaign": "Summer",
                 "~ad_set_name": "Beach", "~ad_name": "Film"}
                """,
            channel: "Facebook", campaign: "Summer", adSet: "Beach", creative: "Film"
        ),
        Row(
            testDescription: "Branch: a first launch without a tap", source: "branch",
            json: #"{"+clicked_branch_link": false, "+is_first_session": true}"#, status: .organic
        ),
        Row(
            testDescription: "Branch: a later launch without a tap says nothing", source: "branch",
            json: #"{"+clicked_branch_link": false, "+is_first_session": false}"#, status: .unknown
        ),
        Row(
            testDescription: "Apple's answer, passed on by an app of its own",
            source: "asa_custom",
            json: """
                {"attribution": true, "orgId": 40669820, "campaignId": 542370539, "conversionType": "Download",
                 "adGroupId": 542317095, "keywordId": 87675432, "adId": 542317136, "countryOrRegion": "US"}
                """,
            channel: "Apple Ads", campaign: "542370539", adGroup: "542317095", creative: "542317136"
        ),
        Row(
            testDescription: "Apple's answer, capitalised", source: "asa_custom",
            json: #"{"Attribution": true, "CampaignId": 542370539, "AdGroupId": 542317095}"#,
            channel: "Apple Ads", campaign: "542370539", adGroup: "542317095"
        ),
        Row(
            testDescription: "Apple's answer: not by an ad", source: "asa_custom", json: #"{"attribution": false}"#,
            status: .organic
        ),
        Row(
            testDescription: "Apple's older dictionary",
            source: "asa_custom",
            json: """
                {"Version3.1": {"iad-attribution": "true", "iad-campaign-name": "Summer", "iad-adgroup-name": "Beach",
                 "iad-creativeset-name": "Film"}}
                """,
            channel: "Apple Ads", campaign: "Summer", adGroup: "Beach", creative: "Film"
        ),
        Row(
            testDescription: "The documented keys count before a provider's", source: "adjust",
            json: #"{"status": "organic", "channel": "mine", "network": "Instagram", "campaign": "Summer"}"#,
            status: .organic, channel: "mine", campaign: "Summer"
        ),
        Row(
            testDescription: "The documented keys alone", source: "custom",
            json:
                #"{"status": "non_organic", "channel": "mail", "campaign": "c", "ad_group": "g", "ad_set": "s", "creative": "f"}"#,
            channel: "mail", campaign: "c", adGroup: "g", adSet: "s", creative: "f"
        ),
        Row(testDescription: "Nothing known", source: "custom", json: #"{"hello": "there"}"#, status: .unknown),
        Row(testDescription: "An empty dictionary", source: "adjust", json: "{}", status: .unknown),
    ]

    @Test("are understood", arguments: rows)
    func understood(_ row: Row) throws {
        let claim = try ProviderClaim(json: row.json, source: row.source)

        #expect(claim.status == row.status)
        #expect(claim.channel == row.channel)
        #expect(claim.campaign == row.campaign)
        #expect(claim.adGroup == row.adGroup)
        #expect(claim.adSet == row.adSet)
        #expect(claim.creative == row.creative)
    }

    @Test("mean the same as the dictionary in memory", arguments: rows)
    func inMemory(_ row: Row) throws {
        let object = try #require(JSONSerialization.jsonObject(with: Data(row.json.utf8)) as? [String: Any])

        #expect(
            ProviderClaim(object as [AnyHashable: Any], source: row.source)
                == (try ProviderClaim(json: row.json, source: row.source)))
    }

    @Test("A provider's long text is cut at a whole character, within 200 bytes, and the rest is reported")
    func longText() async throws {
        let server = try ScriptedServer()
        try await server.activate()
        let long = String(repeating: "é", count: 150)

        try await server.activation.report(
            ProviderClaim(["network": "Instagram", "campaign": long, "creative": "Film"], source: "adjust"))

        await server.transport.waitForRequests("POST", WirePath.attribution)
        let body = try #require(server.transport.requests("POST", WirePath.attribution).first?.body)
        let sent = try WireCoding.decode(AttributionClaim.self, from: body)
        #expect(sent.campaign == String(repeating: "é", count: 100))
        #expect(sent.creative == "Film")
        #expect(sent.status == .nonOrganic)
    }

    @Test(
        "For Apple Ads nothing is sent: the server asks Apple; the log says so once",
        arguments: ["apple_search_ads", "Apple_Ads"])
    func appleAds(source: String) async throws {
        let lines = LogLines()
        let log = LogDesk(write: { lines.append($0) })
        let activation = Activation(log: log)

        try await activation.report(ProviderClaim(["attribution": true], source: source))
        try await activation.report(ProviderClaim(["attribution": true], source: source))

        #expect(lines.all.map(\.message) == [Notice.appleAds.text])
        #expect(activation.client == nil)
    }
}
