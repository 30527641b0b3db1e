// SPDX-License-Identifier: Apache-2.0
// The programs of docs/migrating/from-adapty.md, which a test compares with them line by line.
import Adapty
import Adjust
import Landfall
import SwiftUI

/// What the programs show.
@MainActor
final class ShopState: ObservableObject {
    static let shared = ShopState()
    @Published var isPremium = false
}

struct ShopView: View {
    var body: some View { EmptyView() }
}

// Call site: the guide's app before the move, with Adapty.
enum BeforeTheMove {
    struct ShopApp: App {
        init() {
            let configuration = AdaptyConfiguration
                .builder(withAPIKey: "public_live_…")
                .with(customerUserId: UserDefaults.standard.string(forKey: "user"))
                .with(serverCluster: .eu)
                .build()
            Adapty.delegate = PremiumObserver.shared
            Task {
                try await Adapty.activate(with: configuration)
                if let file = Bundle.main.url(forResource: "fallback", withExtension: "json") {
                    try await Adapty.setFallback(fileURL: file)
                }
            }
        }

        var body: some Scene {
            WindowGroup { ShopView() }
        }
    }

    final class PremiumObserver: AdaptyDelegate {
        static let shared = PremiumObserver()

        nonisolated func didLoadLatestProfile(_ profile: AdaptyProfile) {
            let isPremium = profile.accessLevels["premium"]?.isActive ?? false
            Task { @MainActor in ShopState.shared.isPremium = isPremium }
        }
    }
}

// Call site: the guide's app after the move.
enum AfterTheMove {
    typealias PremiumObserver = BeforeTheMove.PremiumObserver

    struct ShopApp: App {
        init() {
            let configuration = AdaptyConfiguration
                .builder(withAPIKey: "pk_…")
                .with(customerUserId: UserDefaults.standard.string(forKey: "user"))
                .build()
            Adapty.delegate = PremiumObserver.shared
            Task {
                try await Adapty.activate(with: configuration)
                if let file = Bundle.main.url(forResource: "fallback", withExtension: "json") {
                    try await Adapty.setFallback(fileURL: file)
                }
            }
        }

        var body: some Scene {
            WindowGroup { ShopView() }
        }
    }
}

// Call site: the guide's app with both SDKs, before the move.
@MainActor
enum BothBefore {
    final class Launch: NSObject, AdjustDelegate {
        func start() {
            Adapty.activate("public_live_…")
            let config = ADJConfig(appToken: "abcdefghijkl", environment: ADJEnvironmentProduction)
            config?.delegate = self
            Adjust.initSdk(config)
        }

        nonisolated func adjustAttributionChanged(_ attribution: ADJAttribution?) {
            guard let dictionary = attribution?.dictionary() else { return }
            Adapty.updateAttribution(dictionary, source: "adjust")
        }
    }
}

// Call site: the guide's app with both SDKs, after the move.
@MainActor
enum BothAfter {
    final class Launch: NSObject, AdjustDelegate {
        func start() {
            Adapty.activate("pk_…")
            let config = ADJConfig(appToken: "abcdefghijkl", environment: ADJEnvironmentProduction)
            config?.delegate = self
            Adjust.initSdk(config)
        }
    }
}
