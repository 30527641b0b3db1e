// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// The addresses of the stores, with what a link says about its campaign.
enum StoreAddress {
    /// Nil without an app in the App Store.
    /// - Parameter usual: of the link's domain.
    static func appStore(_ link: FollowedLink, _ app: App, usual: StorePage) -> String? {
        guard let id = app.appStoreID else { return nil }
        let own = link.decision.link?.storePage ?? StorePage()
        let campaign = own.ct ?? link.labels.campaign.flatMap { StorePage.campaign($0) } ?? usual.ct
        let items = [
            (own.pt ?? usual.pt ?? app.appStoreProvider).map { "pt=\($0)" },
            campaign.map { "ct=\($0.percentEncoded)&mt=8" }, (own.ppid ?? usual.ppid).map { "ppid=\($0)" },
        ].compactMap { $0 }
        return "https://apps.apple.com/app/id\(id)" + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    /// Nil without an Android app.
    /// - Parameter tracking: the parameters that the app needs to count the click; percent-encoded.
    static func play(_ link: FollowedLink, _ app: App, tracking: String) -> String? {
        guard let android = app.android else { return nil }
        let place = FollowedLink.text(of: [LinkQueryItem("lf_link", (link.address.host ?? "") + link.path.text)])
        let referrer = [place, tracking, UTM.query(of: link.address) ?? ""].filter { !$0.isEmpty }.joined(separator: "&")
        return "https://play.google.com/store/apps/details?id=\(android.package)&referrer=\(referrer.percentEncoded)"
    }

    /// True for an address that a maker wrote and that leads to a store.
    static func isOne(_ text: String) -> Bool {
        guard let host = (try? LinkAddress(text))?.host else { return false }
        return hosts.contains(host)
    }

    /// Apple's id of the custom product page in an address of the App Store, whether Landfall or a maker wrote it.
    static func productPage(_ address: String) -> String? {
        guard address.utf8.count < LinkAddress.longest, address.contains("ppid="), let link = try? LinkAddress(address),
            link.host.map({ apple.contains($0) }) ?? false, let items = try? link.queryItems(),
            let id = items.first(where: { $0.name == "ppid" })?.value, (1...64).contains(id.utf8.count)
        else { return nil }
        return id
    }

    private static let apple: Set = ["apps.apple.com", "itunes.apple.com"]
    private static let hosts = apple.union(["play.google.com"])
}
