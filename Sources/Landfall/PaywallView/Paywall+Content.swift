// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

extension Paywall {
    /// What its remote config says to the ready paywall (`LandfallPaywallView`), for a screen that draws the same values itself.
    public var content: PaywallContent {
        PaywallContent(remoteConfig?.value, locale: remoteConfig?.locale ?? "en", productIDs: productIDs)
    }
}
