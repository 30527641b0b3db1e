// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Landfall
import LandfallWire

/// The way of money: an ad, the first open, the paywall, and a purchase, which the simulated App Store renews and then pays back.
package struct DemoSale: Sendable {
    /// How long a day of the purchase lasts.
    package static let day = Duration.milliseconds(300)
    /// A week, its renewal, and the refund of the first payment three days later.
    static let life = "sim.period=7d&renewals=1&refund=10d"
    /// Of each payment, in dollars.
    static let priceMilliunits: Int64 = 9_990

    /// What the phone knows when it has paid.
    package struct Outcome: Hashable, Sendable, Encodable {
        package var campaign: String
        package var paywall: String
        package var product: String
        /// The access levels that are open then.
        package var open: [String]
        /// What the report of revenue says of it afterwards; absent before.
        package var earned: Earned?
    }

    /// A row of the report of revenue.
    package struct Earned: Hashable, Sendable, Encodable {
        package var currency: String
        package var purchases: Int64
        package var refunds: Int64
        package var grossMilliunits: Int64
        package var refundsMilliunits: Int64
        package var netMilliunits: Int64

        package init(
            currency: String, purchases: Int64, refunds: Int64, grossMilliunits: Int64, refundsMilliunits: Int64, netMilliunits: Int64
        ) {
            (self.currency, self.purchases, self.refunds) = (currency, purchases, refunds)
            (self.grossMilliunits, self.refundsMilliunits) = (grossMilliunits, refundsMilliunits)
            self.netMilliunits = netMilliunits
        }
    }

    private let server: URL
    private let appStore: URL
    private let directory: URL

    /// - Parameters:
    ///   - appStore: a simulated one, which notifies the server.
    ///   - directory: exists, and belongs to this run.
    package init(server: URL, appStore: URL, directory: URL) {
        (self.server, self.appStore, self.directory) = (server, appStore, directory)
    }

    /// Returns when the server has the purchase on disk. Renewal and refund come later.
    /// - Throws: ``DemoSaleFailure``; the errors of the SDK.
    package func run() async throws -> Outcome {
        var configuration = LandfallConfiguration(sdkKey: DemoRun.sdkKey, server: server, preparing: [DemoRun.placement])
        configuration.storage = FileStorage(directory: directory.appending(path: "sale"))
        configuration.adTokens = ObservedAdTokens(
            value: "sim.attribution=true&delay=200&id=\(UUID().uuidString)", delay: .milliseconds(90), onToken: {})
        configuration.products = DemoProducts(appStore: appStore)
        configuration.device = .iPhone("en-US")
        configuration.log = { _ in }
        let client = LandfallClient(configuration)
        client.start()
        let outcome: Result<Outcome, any Error>
        do { outcome = .success(try await buy(client)) } catch { outcome = .failure(error) }
        await client.shutdown()
        return try outcome.get()
    }

    private func buy(_ client: LandfallClient) async throws -> Outcome {
        let shown = try await client.paywall(for: DemoRun.placement, within: .seconds(5))
        client.recordExposure(of: shown)
        guard case .attributed(let details) = shown.attribution, let campaign = details.appleAds?.campaignID else {
            throw DemoSaleFailure.notAttributed
        }
        guard let paywall = shown.paywall, let product = paywall.productIDs.first else { throw DemoSaleFailure.nothingToBuy }
        guard case .purchased(let profile) = try await client.purchase(product, from: shown) else { throw DemoSaleFailure.notBought }
        let open = profile.accessLevels.filter(\.value.isActive).keys.sorted()
        return Outcome(campaign: "\(campaign)", paywall: paywall.name.rawValue, product: product, open: open)
    }
}

extension DemoSale.Outcome {
    /// For people, a line each.
    package var lines: [String] {
        [
            " an ad          campaign \(campaign) of Apple Ads; the first open shows the paywall \(paywall)",
            " a purchase     \(product), a week for 9.99 USD; open: \(open.isEmpty ? "nothing" : open.joined(separator: ", "))",
            " later          the App Store renews it, and pays the first week back: here a day lasts 0.3 s",
        ]
    }
}

/// Where the demo's purchase failed.
enum DemoSaleFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case notAttributed
    case nothingToBuy
    case notBought

    var description: String {
        switch self {
        case .notAttributed: "The first open of the phone that buys was not attributed to Apple Ads in time."
        case .nothingToBuy:
            "The demo needs a paywall with products at the placement '\(DemoRun.placement)', as Examples/SelfHost/landfall.yaml has it."
        case .notBought: "The simulated App Store sold, but the app did not hear of it."
        }
    }
}
