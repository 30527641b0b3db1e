// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple

/// Follows the profile for as long as the app runs.
func followProfile(of client: LandfallClient) async -> [String] {
    var seen: [String] = []
    for await profile in client.profiles { seen.append(summary(of: profile)) }
    return seen
}

func summary(of profile: Profile) -> String {
    let order = "\(profile.epoch).\(profile.version).\(profile.attributionVersion)"
    let person = "\(profile.customerID ?? "nobody") \(profile.id) on \(profile.installID)"
    return "\(person) \(order) \(profile.isReinstall) \(profile.appliedAttributionSources) \(profile.attribution)"
}

func signIn(to client: LandfallClient, identityToken: String) async throws {
    let profile = try await client.identify("customer-1", token: identityToken)
    try await client.identify("customer-1")
    try client.setAttributes(["plan": "pro", "seats": 3, "trial": false, "trialEnds": .date(Date()), "old": nil])
    try await client.setAttributes(["plan": "pro"], within: .seconds(5))
    try await client.flush()
    if let plan = profile.customAttributes["plan"]?.string { print(plan) }
    print(client.profile?.id ?? "none yet", client.attribution.isPending)
    try await client.logOut()
}

/// Before the start of an app that sells.
func observe(with client: LandfallClient) { client.observePurchases() }

/// Behind a button.
func restore(on client: LandfallClient) async throws -> Profile {
    try await client.restorePurchases()
    return try await client.restorePurchases(within: .seconds(30))
}

/// What is behind the paywall.
func mayUsePremium(_ client: LandfallClient) -> Bool {
    let access = client.profile?.access("premium")
    if let access, access.state == .grace, let end = access.endsAt { print("Payment failed; open until \(end).") }
    return access?.isActive ?? false
}

func forgetMe(on client: LandfallClient) async throws { try await client.forget() }

/// What another attribution provider's callback does.
func passOnAttribution(to client: LandfallClient) throws {
    try client.reportAttribution(source: "appsflyer", status: .organic)
    try client.reportAttribution(
        source: "appsflyer", status: .nonOrganic, channel: "social", campaign: "summer", adGroup: "a",
        adSet: "b", creative: "c"
    )
}
