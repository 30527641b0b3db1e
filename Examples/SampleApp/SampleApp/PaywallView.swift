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
            // Names the value and the language that do not fit.
            print(error)
            return Offer()
        }
    }
}
