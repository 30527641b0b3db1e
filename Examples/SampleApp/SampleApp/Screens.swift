// SPDX-License-Identifier: Apache-2.0
import LandfallApple
import SwiftUI

/// A screen that a link may lead to.
struct Screen: Hashable {
    let title: String
    let facts: [String]

    /// The same screen for every form of a link: branded, universal, app scheme and short.
    init(_ link: ReceivedLink) {
        title = link.destination?.path.joined(separator: " / ") ?? "Another web page"
        facts =
            (link.destination?.query ?? []).map { "\($0.name): \($0.value ?? "")" }
            + ["link: \(link.original.absoluteString)"]
            + (link.resolved == link.original ? [] : ["leads to: \(link.resolved.absoluteString)"])
            + (link.deferredMatch == nil ? [] : ["tapped before the app was installed"])
    }

    init(title: String, facts: [String]) {
        self.title = title
        self.facts = facts
    }
}

struct ScreenView: View {
    let screen: Screen

    var body: some View {
        List {
            ForEach(screen.facts, id: \.self) { fact in Text(fact) }
        }
        .navigationTitle(screen.title)
    }
}

struct HomeView: View {
    let show: @MainActor (Screen) -> Void

    @Environment(\.landfallClient) private var landfall
    @Environment(\.openURL) private var openURL
    @State private var isPremium = false

    var body: some View {
        List {
            Text(isPremium ? "Premium is open" : "Premium is locked")
            // A link of the app's own stays in the app, even if the app itself opens it.
            Button("Follow a link") { openURL(URL(string: "example://summer-clothes?promo=beach")!) }
            Button("Why do I see what I see?") {
                guard let landfall else { return }
                show(Screen(title: "Explanation", facts: explanation(of: landfall)))
            }
        }
        .navigationTitle("Home")
        .task {
            guard let landfall else { return }
            // What the last launch knew, then each change: a purchase, a renewal, an end.
            for await profile in landfall.profiles { isPremium = profile.access("premium").isActive }
        }
    }

    private func explanation(of landfall: LandfallClient) -> [String] {
        "\(landfall.explain())".split(separator: "\n").map(String.init)
    }
}
