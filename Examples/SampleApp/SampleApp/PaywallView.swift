// SPDX-License-Identifier: Apache-2.0
//
// A paywall that is drawn from remote config. Copy it into your app and make it yours: what it may say is `Offer`, and what it does
// say stands in landfall.yaml, in each language, for each audience.
import LandfallApple
import SwiftUI

/// The remote config of this app's paywalls. What may be missing has a default here, so that an older app can show a newer paywall.
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
    let close: @MainActor () -> Void

    @State private var product: String?

    var body: some View {
        VStack(spacing: 24) {
            Text(offer.title).font(.title).multilineTextAlignment(.center)
            if offer.trialDays > 0 { Text("\(offer.trialDays) days free") }
            ForEach(paywall.productIDs, id: \.self) { id in
                // StoreKit has the price: Product.products(for: paywall.productIDs).
                Button(id) { product = id }.buttonStyle(.bordered).opacity(id == chosen ? 1 : 0.5)
            }
            if offer.showsReviews { Text("★★★★★ “Just what I needed.”").font(.footnote) }
            Button(offer.button, action: close).buttonStyle(.borderedProminent)
            Button("Not now", action: close).font(.footnote)
        }
        .padding()
    }

    private var chosen: String? { product ?? paywall.productIDs.first }

    private var offer: Offer {
        do {
            return try paywall.remoteConfig?.decode(as: Offer.self) ?? Offer()
        } catch {
            // Says which value of which language does not fit.
            print(error)
            return Offer()
        }
    }
}
