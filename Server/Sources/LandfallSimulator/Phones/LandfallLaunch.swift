// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// One launch of an app with the SDK: a real client, real files, real HTTP.
struct LandfallLaunch: Sendable {
    let server: URL
    let directory: URL
    let bundle: Data
    let deadline: Duration

    /// - Parameters:
    ///   - token: the token from AdServices.
    ///   - tokenDelay: nil: never.
    func run(token: String, after tokenDelay: Duration?, isOffline: Bool) async -> PhoneOutcome {
        let requests = RequestCount()
        var configuration = LandfallConfiguration(sdkKey: DemoRun.sdkKey, server: server, preparing: [DemoRun.placement])
        configuration.storage = FileStorage(directory: directory)
        configuration.transport = ObservedTransport(isOnline: !isOffline, counting: requests)
        configuration.adTokens = PhoneToken(value: token, delay: tokenDelay)
        configuration.fallback = bundle
        configuration.log = { _ in }
        let client = LandfallClient(configuration)
        if isOffline { client.networkPathChanged(isSatisfied: false) }

        let begun = ContinuousClock.now
        client.start()
        let result = try? await client.paywall(for: DemoRun.placement, within: deadline)
        let outcome = PhoneOutcome(
            isAppleAds: result.map { $0.audience != .everyone }, elapsed: begun.duration(to: .now), requests: requests.value,
            story: requests.story
        )
        await client.shutdown()
        return outcome
    }
}

/// AdServices of a drawn phone.
struct PhoneToken: AdTokenSource {
    let value: String
    /// nil: never.
    let delay: Duration?

    func token() async throws -> String {
        try await Task.sleep(for: delay ?? .seconds(3_600))
        return value
    }
}
