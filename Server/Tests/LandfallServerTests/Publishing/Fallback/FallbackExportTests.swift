// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import HummingbirdTesting
import LandfallWire
import NIOCore
import Testing

@Suite("The file that an app bundles", .timeLimit(.minutes(1)))
struct FallbackExportTests {
    private func file(_ query: String = "", of publisher: PublishingServer) async throws -> JSONValue {
        try await publisher.send(.get, "/fallback" + query).object
    }

    @Test("has every placement with what everyone sees, every locale, and the version that it is from")
    func everything() async throws {
        try await PublishingServer.run { publisher in
            let file = try await file(of: publisher)

            #expect(file["format"] == 1)
            #expect(file["revision"] == 1)
            let home = file["paywalls"]?["home"]
            #expect(home?["audience"] == "everyone")
            #expect(home?["paywall"]?["name"] == "default")
            #expect(home?["paywall"]?["remoteConfig"] == ["locale": "en", "value": ["title": "Unlock"]])
            #expect(home?["paywall"]?["productIds"] == ["yearly"])
            #expect(home?["locales"] == ["de": ["title": "Los"]])
        }
    }

    @Test("shows the named audience's paywall at placements that use it, in the named locales")
    func chosen() async throws {
        try await PublishingServer.run { publisher in
            let spring = try await file("?audience=spring", of: publisher)
            #expect(spring["paywalls"]?["home"]?["audience"] == "spring")
            #expect(spring["paywalls"]?["home"]?["paywall"]?["name"] == "special")

            let german = try await file("?locale=de-AT,en", of: publisher)
            #expect(german["paywalls"]?["home"]?["locales"] == ["de-AT": ["title": "Los"]])
            #expect(german["paywalls"]?["home"]?["paywall"]?["remoteConfig"]?["locale"] == "en")
        }
    }

    @Test("is refused for names that lead nowhere", arguments: ["?audience=nobody", "?locale=de,,en", "?locale=%20", "?audience=,"])
    func refused(query: String) async throws {
        try await PublishingServer.run { publisher in
            let response = try await publisher.send(.get, "/fallback" + query)

            #expect(response.status == .badRequest)
            #expect([.invalidValue, .invalidLocale].contains(response.problem?.code))
        }
    }
}
