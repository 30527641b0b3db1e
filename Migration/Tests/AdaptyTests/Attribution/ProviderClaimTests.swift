// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Attribution of other providers", .timeLimit(.minutes(1)))
struct ProviderClaimTests {
    @Test("Every documented key is read, and others are ignored")
    func keys() {
        let claim = ProviderClaim(
            [
                "status": "non_organic", "channel": "social", "campaign": 42, "ad_group": "group", "ad_set": "set",
                "creative": "film", "network": "ignored", 7: "ignored",
            ],
            source: "AppsFlyer"
        )

        #expect(claim.source == AttributionSource("appsflyer"))
        #expect(claim.status == .nonOrganic)
        #expect(claim.channel == "social")
        #expect(claim.campaign == "42")
        #expect([claim.adGroup, claim.adSet, claim.creative] == ["group", "set", "film"])
    }

    @Test(
        "A status is understood in each provider's spelling",
        arguments: [
            ("organic", AttributionStatus.organic), ("Organic", .organic), ("non_organic", .nonOrganic),
            ("Non-organic", .nonOrganic), ("NON ORGANIC", .nonOrganic), ("unknown", .unknown), ("paid", .unknown),
            ("", .unknown),
        ]
    )
    func statuses(text: String, status: AttributionStatus) {
        #expect(ProviderClaim(["status": text], source: "adjust").status == status)
    }

    @Test("A JSON object means the same as a dictionary")
    func json() throws {
        #expect(
            try ProviderClaim(json: #"{"status":"organic","campaign":"summer"}"#, source: "branch")
                == ProviderClaim(["status": "organic", "campaign": "summer"], source: "branch")
        )
    }

    @Test("Text that is not a JSON object is refused with 3001", arguments: ["", "organic", "[]", "{"])
    func notAnObject(_ json: String) {
        let error = #expect(throws: AdaptyError.self) { try ProviderClaim(json: json, source: "branch") }

        #expect(error?.adaptyErrorCode == .wrongParam)
    }

    @Test("A claim reaches the server as it was read")
    func sent() async throws {
        let server = try ScriptedServer()
        try await server.activate()

        try await server.activation.report(ProviderClaim(["status": "Non-organic", "campaign": "summer"], source: "Branch"))

        await server.transport.waitForRequests("POST", WirePath.attribution)
        let body = try #require(server.transport.requests("POST", WirePath.attribution).first?.body)
        let claim = try WireCoding.decode(AttributionClaim.self, from: body)
        #expect(claim.source == AttributionSource("branch"))
        #expect(claim.status == .nonOrganic)
        #expect(claim.campaign == "summer")
    }

    @Test(
        "An empty source, the server's own, and the app's text beyond 50 characters are refused with 3001",
        arguments: [
            ProviderClaim([:], source: ""),
            ProviderClaim([:], source: "two words"),
            ProviderClaim([:], source: "landfall"),
            ProviderClaim(["campaign": String(repeating: "c", count: 51)], source: "custom"),
        ]
    )
    func refused(_ claim: ProviderClaim) async throws {
        let server = try ScriptedServer()
        try server.activation.activate(ScriptedServer.configuration)

        let error = await #expect(throws: AdaptyError.self) { try await server.activation.report(claim) }

        #expect(error?.adaptyErrorCode == .wrongParam)
    }
}
