// SPDX-License-Identifier: Apache-2.0
import Adapty

// Call site: what the account screen shows of an access level.
func premiumText(_ profile: AdaptyProfile) -> String {
    guard let level = profile.accessLevels["premium"], level.isActive else { return "Free" }
    if level.isLifetime { return "For ever" }
    let end = level.expiresAt.map { " until \($0)" } ?? ""
    let state = level.isInGracePeriod ? "pay again" : level.willRenew ? "renews" : "ends"
    return
        "\(level.id) of \(level.store): \(state)\(end), since \(level.activatedAt), \(level.renewedAt.map { "\($0)" } ?? "new")"
}

// Call site: why an access ended.
func ending(_ level: AdaptyProfile.AccessLevel) -> [Any?] {
    [
        level.vendorProductId, level.startsAt, level.unsubscribedAt, level.billingIssueDetectedAt, level.cancellationReason,
        level.isRefund, level.offerId, level.activeIntroductoryOfferType, level.activePromotionalOfferType,
        level.activePromotionalOfferId,
    ]
}

// Call site: the subscriptions of a profile, newest first.
func subscriptions(_ profile: AdaptyProfile) -> [AdaptyProfile.Subscription] {
    profile.subscriptions.values.filter { $0.isActive && !$0.isSandbox }.sorted { $0.activatedAt > $1.activatedAt }
}

// Call site: coins that were bought and are not yet in the wallet.
func coins(_ profile: AdaptyProfile, seen: Set<String>) -> Int {
    let bought: [AdaptyProfile.NonSubscription] = profile.nonSubscriptions["coins"] ?? []
    return bought.filter { $0.isConsumable && !$0.isRefund && !seen.contains($0.purchaseId) }.count
}

// Call site: sign-in and sign-out.
func changeAccount(to user: String?, _ token: UUID) async throws {
    if let user { try await Adapty.identify(user, withAppAccountToken: token) } else { try await Adapty.logout() }
}

// Call site: sign-in and sign-out with completions.
func changeAccount(to user: String?) {
    guard let user else { return Adapty.logout { error in print(error?.adaptyErrorCode == .unidentifiedUserLogout) } }
    Adapty.identify(user, withAppAccountToken: UUID()) { error in
        guard error == nil else { return }
        Adapty.getProfile { result in print((try? result.get())?.customerUserId ?? "anonymous") }
    }
}

// Call site: what is known of the person.
func tell(_ name: String, _ gender: AdaptyProfile.Gender, plan: String?) async throws(AdaptyError) {
    let status: AdaptyProfileParameters.AppTrackingTransparencyStatus = .denied
    var builder = AdaptyProfileParameters.Builder()
        .with(firstName: name)
        .with(gender: gender)
        .with(email: "ada@example.com")
        .with(appTrackingTransparencyStatus: status)
        .with(analyticsDisabled: false)
    if let plan { builder = try builder.with(customAttribute: plan, forKey: "plan") }
    builder = try builder.with(customAttribute: 3, forKey: "seats").withRemoved(customAttributeForKey: "trial")
    try await Adapty.updateProfile(params: builder.build())
}

// Call site: the person's choice about analytics, without waiting.
func setAnalytics(isOn: Bool) {
    Adapty.updateProfile(params: AdaptyProfileParameters.Builder().with(analyticsDisabled: !isOn).build()) { error in
        if let error { print(error) }
    }
}

// Call site: ids of other products.
func integrations(firebase: String?, onesignal: String?) async {
    if let firebase { try? await Adapty.setIntegrationIdentifier(key: "firebase_app_instance_id", value: firebase) }
    if let onesignal { try? await Adapty.setIntegrationIdentifier(key: "one_signal_subscription_id", value: onesignal) }
}

// Call site: where the person came from.
func isFromAppleAds(_ profile: AdaptyProfile) -> Bool {
    let sources: [AdaptyProfile.AttributionSource] = profile.appliedAttributionSources
    return sources.contains(.appleAds) || sources.contains { $0.rawValue == "appsflyer" }
}
