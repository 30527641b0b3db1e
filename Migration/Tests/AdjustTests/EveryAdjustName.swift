// SPDX-License-Identifier: Apache-2.0
// Uses every name as an app does, with this one import and the client's; it only has to compile.
import Adjust
import Landfall

enum EveryAdjustName {
    /// The first generation.
    @MainActor
    static func first(_ client: LandfallClient, _ incomingLink: URL, navigate: @escaping @MainActor (String) -> Void) {
        Adjust.start(with: client)
        Adjust.processDeeplink(incomingLink) { resolvedLink in
            navigate(resolvedLink)
        }
        Adjust.processDeeplink(incomingLink, completionHandler: { navigate($0) })
        Adjust.appWillOpen(incomingLink)
        if let last = Adjust.lastDeeplink(), let converted = Adjust.convertUniversalLink(last, scheme: "example") {
            navigate(converted.absoluteString)
        }
        Adjust.setEnabled(!Adjust.isEnabled())
        Adjust.gdprForgetMe()
        ADJLinkResolution.resolveLink(with: incomingLink, resolveUrlSuffixArray: ["email.example.com"]) { resolvedURL in
            if let resolvedURL { Adjust.appWillOpen(resolvedURL) }
        }
        _ = (Adjust.client === client, Adjust.bound)
    }

    /// The second.
    @MainActor
    static func second(_ incomingLink: URL, navigate: @escaping @MainActor (String) -> Void) {
        guard let deeplink = ADJDeeplink(deeplink: incomingLink) else { return }
        deeplink.setReferrer(URL(string: "https://example.com")!)
        Adjust.processDeeplink(deeplink)
        Adjust.processAndResolve(deeplink) { resolvedLink in
            if let resolvedLink { navigate(resolvedLink) }
        }
        Adjust.processAndResolve(deeplink, withCompletionHandler: { navigate($0 ?? "") })
        Adjust.lastDeeplink { link in _ = link?.path }
        Adjust.isEnabled { isEnabled in if isEnabled { Adjust.disable() } else { Adjust.enable() } }
        _ = Adjust.convertUniversalLink(incomingLink, withScheme: "example")
        _ = (deeplink.deeplink, deeplink.referrer.scheme)
    }

    /// Where the user came from.
    @MainActor
    static func attribution(_ observer: Observer) {
        Adjust.delegate = observer
        Adjust.attribution { observer.adjustAttributionChanged($0) }
        _ = Adjust.attribution()
    }

    final class Observer: NSObject, AdjustDelegate {
        var campaign: String?

        func adjustAttributionChanged(_ attribution: ADJAttribution?) {
            guard let attribution else { return }
            campaign = attribution.campaign
            _ = (attribution.trackerToken, attribution.trackerName, attribution.network, attribution.adgroup)
            _ = (attribution.creative, attribution.clickLabel, attribution.costType, attribution.costAmount)
            _ = attribution.costCurrency
        }

        func adjustDeferredDeeplinkReceived(_ deeplink: URL?) -> Bool { deeplink == nil }
    }
}
