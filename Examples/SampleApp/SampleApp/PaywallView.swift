// SPDX-License-Identifier: Apache-2.0
//
// A paywall that is drawn from remote config. Copy it into your app and change it: `Offer` declares its values, and landfall.yaml
// sets them for each language and audience.
import LandfallApple
import SwiftUI

/// The remote config of this app's paywalls. Every value has a default here, so that an older app can show a newer paywall.
struct Offer: Decodable {
    var title = ""
    var button = "Continue"
    var trialDays = 0
    var showsReviews = false

    enum CodingKeys: CodingKey { case title, button, trialDays, showsReviews }

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        title = try values.decodeIfPresent(String.self, forKey: .title) ?? title
        button = try values.decodeIfPresent(String.self, forKey: .button) ?? button
        trialDays = try values.decodeIfPresent(Int.self, forKey: .trialDays) ?? trialDays
        showsReviews = try values.decodeIfPresent(Bool.self, forKey: .showsReviews) ?? showsReviews
    }
}

struct PaywallView: View {
    let paywall: Paywall
    let shown: PaywallResult
    let close: @MainActor () -> Void

    @Environment(\.landfallClient) private var landfall
    @State private var products: [StoreProduct] = []
    @State private var product: String?
    @State private var message = ""

    var body: some View {
        VStack(spacing: 24) {
            Text(offer.title).font(.title).multilineTextAlignment(.center)
            if offer.trialDays > 0 { Text("\(offer.trialDays) days free") }
            ForEach(products, id: \.id) { sold in
                Button("\(sold.displayName) \(sold.displayPrice)") { product = sold.id }
                    .buttonStyle(.bordered).opacity(sold.id == chosen ? 1 : 0.5)
            }
            if offer.showsReviews { Text("★★★★★ “Just what I needed.”").font(.footnote) }
            Button(offer.button) { Task { await buy() } }.buttonStyle(.borderedProminent)
            Button("Restore purchases") { Task { await restore() } }.font(.footnote)
            Button("Not now", action: close).font(.footnote)
            Text(message).font(.footnote)
        }
        .padding()
        .task { await load() }
    }

    private var chosen: String? { product ?? products.first?.id }

    private var offer: Offer {
        do {
            return try paywall.remoteConfig?.decode(as: Offer.self) ?? Offer()
        } catch {
            // Names the value and the language that do not fit.
            print(error)
            return Offer()
        }
    }

    /// Prices as the store has them for this person.
    private func load() async {
        do { products = try await landfall?.products(of: shown) ?? [] } catch { message = error.localizedDescription }
    }

    private func buy() async {
        guard let landfall, let chosen else { return }
        do {
            switch try await landfall.purchase(chosen, from: shown) {
            case .purchased: close()
            case .pending: message = "Somebody has to approve it. It opens then."
            case .cancelled: break
            }
        } catch {
            message = error.localizedDescription
        }
    }

    private func restore() async {
        do {
            let profile = try await landfall?.restorePurchases()
            if profile?.access("premium").isActive == true { close() } else { message = "There is nothing to restore." }
        } catch is CancellationError {
            // The person did not want to sign in.
        } catch {
            message = error.localizedDescription
        }
    }
}
