// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple
import Testing

@Suite("The live configuration", .timeLimit(.minutes(1)))
struct LandfallConfigurationLiveTests {
    @Test("contains the platform's ad tokens and keychain")
    func liveParts() throws {
        let server = try #require(URL(string: "https://api.example.com"))
        let configuration = LandfallConfiguration.live(sdkKey: "pk_demo", server: server, preparing: ["onboarding"])

        #expect(configuration.adTokens is AdServicesTokenSource)
        #expect(configuration.deviceIDs is KeychainDeviceIDStore)
        #expect(configuration.sdkKey == "pk_demo")
        #expect(configuration.server == server)
        #expect(configuration.preparing == ["onboarding"])
    }
}
