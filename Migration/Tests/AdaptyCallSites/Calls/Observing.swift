// SPDX-License-Identifier: Apache-2.0
import Adapty
import SwiftUI

// Call site: a delegate that tells the rest of the app by a notification.
final class SubscriptionObserver: NSObject, AdaptyDelegate {
    static let shared = SubscriptionObserver()

    nonisolated func didLoadLatestProfile(_ profile: AdaptyProfile) {
        let isPremium = profile.accessLevels["premium"]?.isActive ?? false
        NotificationCenter.default.post(name: Notification.Name("premium"), object: nil, userInfo: ["isPremium": isPremium])
    }
}

// Call site: a delegate with every method.
final class WholeObserver: AdaptyDelegate {
    nonisolated func didLoadLatestProfile(_ profile: AdaptyProfile) { print(profile.profileId) }

    nonisolated func shouldAddStorePayment(for product: AdaptyDeferredProduct) -> Bool {
        print(product.vendorProductId, product.promotionalOfferId ?? "")
        Task { _ = try? await Adapty.makePurchase(product: product) }
        return false
    }

    nonisolated func onInstallationDetailsSuccess(_ details: AdaptyInstallationDetails) {
        print(details.id ?? "", details.installTime, details.appLaunchCount, details.payload?.jsonString ?? "")
    }

    nonisolated func onInstallationDetailsFail(error: AdaptyError) { print(error) }

    nonisolated func onUnfinishedTransaction(_ transaction: AdaptyUnfinishedTransaction) {
        Task { try? await transaction.finish() }
    }
}

// Call site: nothing else holds the delegate.
func observe() { Adapty.delegate = WholeObserver() }

// Call site: a store of SwiftUI that is the delegate itself.
@MainActor
final class PremiumStore: ObservableObject, AdaptyDelegate {
    @Published private(set) var isPremium = false
    @Published private(set) var endsAt: Date?

    func listen() { Adapty.delegate = self }

    nonisolated func didLoadLatestProfile(_ profile: AdaptyProfile) {
        Task { @MainActor in self.show(profile) }
    }

    func refresh() async {
        do { show(try await Adapty.getProfile()) } catch { print(error.adaptyErrorCode) }
    }

    private func show(_ profile: AdaptyProfile) {
        isPremium = profile.accessLevels["premium"]?.isActive == true
        endsAt = profile.accessLevels["premium"]?.expiresAt
    }
}

// Call site: how the install is known.
func installation() async -> String {
    guard let status = try? await Adapty.getCurrentInstallationStatus() else { return "failed" }
    switch status {
    case .notAvailable: return "not available"
    case .notDetermined: return "not yet"
    case .determined(let details): return details.payload?.dictionary?["campaign"] as? String ?? "determined"
    }
}

// Call site: the same with a completion.
func installation(_ show: @escaping @Sendable (AdaptyInstallationStatus?) -> Void) {
    Adapty.getCurrentInstallationStatus { show(try? $0.get()) }
}
