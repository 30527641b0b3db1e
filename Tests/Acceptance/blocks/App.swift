// SPDX-License-Identifier: Apache-2.0
//
// What the app has around the Swift blocks of the pages; swift.py compiles them with it.
import Foundation
import LandfallApple
import SwiftUI

public let landfall = LandfallClient(sdkKey: "pk_demo", server: URL(string: "https://api.example.com")!)
public let url = URL(string: "https://links.example.com/beach")!

@MainActor public func navigate(to destination: Destination?) {}
@MainActor public func navigate(to address: String?) {}

@MainActor public func present(title: String, products: [String]) {}

public struct OfferView: View {
    public init(_ paywall: Paywall) {}
    public var body: some View { EmptyView() }
}

public struct HomeView: View {
    public init() {}
    public var body: some View { EmptyView() }
}

public struct RootView: View {
    public init() {}
    public var body: some View { EmptyView() }
}

public struct ShopView: View {
    public init() {}
    public var body: some View { EmptyView() }
}

@MainActor public final class ShopState {
    public static let shared = ShopState()
    public var isPremium = false
}

/// The app's own sign-in, and who is signed in.
@MainActor public final class SignIn {
    public var isSignedIn = false
    @discardableResult public func handle(_ url: URL) -> Bool { false }
}
@MainActor public let signIn = SignIn()
@MainActor public let account = SignIn()
