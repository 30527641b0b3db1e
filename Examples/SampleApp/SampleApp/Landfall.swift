// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple

/// The app's client. In the Simulator the server is the one on your Mac, and so is "Apple": a token that begins with `sim.` tells
/// the simulated Apple Ads what to answer, and a simulated App Store sells.
nonisolated let landfall: LandfallClient = {
    var server = URL(string: "https://api.example.com")!
    #if targetEnvironment(simulator)
    server = URL(string: "http://127.0.0.1:8080")!
    #endif
    var configuration = LandfallConfiguration.live(sdkKey: "pk_demo", server: server, preparing: ["onboarding"])
    configuration.links = LinkRules(
        domains: LinkDomains(brand: ["brandname.go.link"], universal: ["example.com"], schemes: ["example"]))
    configuration.fallback = Bundle.main.url(forResource: "fallback", withExtension: "json").flatMap { try? Data(contentsOf: $0) }
    #if targetEnvironment(simulator)
    configuration.adTokens = SimulatedAppleAdsToken()
    configuration.products = SimulatedAppStore()
    configuration.transactions = SimulatedAppStore()
    #endif
    return LandfallClient(configuration)
}()

#if targetEnvironment(simulator)
/// A user from an Apple Ads campaign, as the simulated Apple Ads answers it after 1.2 seconds. In a build for a phone there is none.
struct SimulatedAppleAdsToken: AdTokenSource {
    nonisolated init() {}

    func token() async throws -> String {
        "sim.attribution=true&campaignId=542370539&delay=1200&id=\(UUID().uuidString)"
    }
}
#endif
