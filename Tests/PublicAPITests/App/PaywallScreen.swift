// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple

/// The state of a screen.
final class PaywallScreen {
    private(set) var title = ""
    private(set) var productIDs: [String] = []
    private let client: LandfallClient

    init(client: LandfallClient) { self.client = client }

    func load() async {
        do {
            show(try await client.paywall(for: "onboarding", deadline: .now + .seconds(30), locale: "de-AT"))
        } catch let error as LandfallError where error.isWorthRetrying {
            title = error.detail
        } catch {
            title = "\(error)"
        }
    }

    func loadDefault() async throws {
        show(try await client.defaultPaywall(for: "onboarding", within: .seconds(1), cache: .returnCacheElseLoad))
        show(try await client.paywall(for: "onboarding", cache: .returnCacheIfNotExpired(maxAge: .seconds(60))))
        show(try await client.paywall(for: "onboarding", within: Duration(checked: TimeInterval(3)), cache: .reload))
    }

    private func show(_ result: PaywallResult) {
        title = result.paywall.map(title) ?? ""
        productIDs = result.paywall?.productIDs ?? []
        client.recordExposure(of: result)
    }

    private func title(of paywall: Paywall) -> String {
        guard let config = paywall.remoteConfig else { return paywall.name.rawValue }
        if let title = config["title"]?.string { return title }
        if let offer = try? config.decode(as: Offer.self) { return "\(offer.title) \(offer.trialDays ?? 0)" }
        return "\(paywall.variationID) \(config.locale) \(config.value) \(config.jsonString)"
    }
}

/// The team's remote config.
struct Offer: Decodable {
    var title: String
    var trialDays: Int?
}

/// Why it is this paywall, in words.
func explanation(of result: PaywallResult) -> String {
    let origin =
        switch result.origin {
        case .matchingAudience: "for \(result.audience)"
        case .defaultAudience: "for everyone"
        case .cache(let age): "stored \(age) ago"
        case .bundled: "bundled, revision \(result.revision)"
        }
    return "\(result.placement) \(origin), \(explanation(of: result.attribution)), after \(result.elapsed)"
}

func explanation(of attribution: Attribution) -> String {
    switch attribution {
    case .pending: "not known yet"
    case .attributed(let details) where details.source == .appleAds: "Apple Ads \(details.appleAds?.campaignID ?? 0)"
    case .attributed(let details):
        "\(details.source) \(details.campaign ?? "") \(details.isVerified) \(details.isTest) \(details.attributedAt)"
    case .notAttributed: "organic"
    case .unavailable(.unsupported): "no Apple Ads here"
    case .unavailable(let reason): "unavailable: \(reason)"
    }
}

func advice(for error: LandfallError) -> String {
    switch error.kind {
    case .notStarted, .shutDown: "start a client"
    case .noPaywall(let placement, let network): "\(placement) \(network.map { "\($0.kind) \($0.detail)" } ?? "")"
    case .placementUnknown(let placement): "configure \(placement)"
    case .invalidArgument: error.detail
    case .refused(.reservedSource): "choose another source"
    case .refused(let code), .unavailable(let code): code.rawValue
    case .network(let error): error.kind == .offline ? "wait for a path" : "try again"
    case .storage: "try again"
    case .storageUnavailable: "give this process a directory of its own"
    }
}

/// A result that an app's tests and previews make without a server.
func preview() -> PaywallResult {
    PaywallResult(
        paywall: Paywall(
            name: "apple-ads", variationID: "apple-ads", remoteConfig: ["title": "Welcome", "trialDays": 7],
            productIDs: ["yearly"]
        ),
        placement: "onboarding", audience: .everyone, origin: .bundled, attribution: .notAttributed, elapsed: .zero, revision: 1
    )
}
