// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple

/// The app's client, with parts that record what happens.
@MainActor final class DeviceKit {
    let client: LandfallClient
    let file: ObservationFile
    private let isPrewarmed: Bool

    /// - Parameters:
    ///   - configuration: the app's configuration; its ad-token source is observed.
    ///   - isPrewarmed: iOS made this process ahead of time.
    init(_ configuration: LandfallConfiguration, keeping file: ObservationFile, isPrewarmed: Bool) {
        var configuration = configuration
        configuration.adTokens = configuration.adTokens.map { ObservedAdTokens($0, file) }
        client = LandfallClient(configuration)
        self.file = file
        self.isPrewarmed = isPrewarmed
    }

    /// Records the launch, starts the client, and records the server's answers, as long as the task lives.
    func run() async {
        await file.note(.launched(prewarmed: isPrewarmed))
        client.start()
        for await profile in client.profiles {
            await file.note(.profile(isReinstall: profile.isReinstall, attribution: profile.attribution.word))
        }
    }

    /// Asks for the paywall of the first screen, as an app would.
    func ask() async {
        let begun = ContinuousClock.now
        let passed = { Int(begun.duration(to: .now) / .milliseconds(1)) }
        do {
            let result = try await client.paywall(for: "onboarding", within: .seconds(5))
            await file.note(.paywall(origin: result.origin.word, milliseconds: passed()))
        } catch {
            await file.note(.noPaywall(error: "\(error)", milliseconds: passed()))
        }
    }

    func note(_ link: ReceivedLink) async {
        let path = link.destination.map { "/" + $0.path.joined(separator: "/") }
        await file.note(.link(path: path, isDeferred: link.isDeferred, isRedelivered: link.isRedelivered))
    }

    /// The text of the paste control.
    func pasted(_ texts: [String]) async {
        await file.note(.pasted(isClaimed: texts.contains { client.claimDeferredLink($0) }))
    }
}

/// Passes an ad token on, and records the result and its time.
struct ObservedAdTokens: AdTokenSource {
    private let source: any AdTokenSource
    private let file: ObservationFile

    init(_ source: any AdTokenSource, _ file: ObservationFile) {
        self.source = source
        self.file = file
    }

    func token() async throws -> String {
        let begun = ContinuousClock.now
        do {
            let token = try await source.token()
            await note("token", since: begun)
            return token
        } catch {
            await note("\(error)", since: begun)
            throw error
        }
    }

    private func note(_ outcome: String, since begun: ContinuousClock.Instant) async {
        await file.note(.adToken(outcome: outcome, milliseconds: Int(begun.duration(to: .now) / .milliseconds(1))))
    }
}

extension PaywallResult.Origin {
    /// One word for the report; the age of a stored paywall does not matter there.
    fileprivate var word: String {
        switch self {
        case .matchingAudience: "matchingAudience"
        case .defaultAudience: "defaultAudience"
        case .cache: "cache"
        case .bundled: "bundled"
        }
    }
}

extension Attribution {
    /// Without campaigns: a report contains no names of ads.
    fileprivate var word: String {
        switch self {
        case .pending: "pending"
        case .attributed(let details): "attributed by \(details.source.rawValue)"
        case .notAttributed: "not attributed"
        case .unavailable(let reason): "unavailable: \(reason.rawValue)"
        }
    }
}
