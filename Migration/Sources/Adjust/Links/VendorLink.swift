// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// A universal link on a host that the vendor gives to an app: `https://….adj.st/…`, or the older
/// `https://….ulink.adjust.com/ulink/…`. The part behind the host is the app's own deep link.
struct VendorLink {
    /// The same link with the app's path and query behind its host.
    let plain: URL

    /// - Returns: nil for any other link.
    init?(_ link: URL) {
        guard let parts = URLComponents(url: link, resolvingAgainstBaseURL: true), let host = parts.host,
            ["http", "https"].contains(parts.scheme?.lowercased())
        else { return nil }
        var path = parts.percentEncodedPath[...]
        if LinkDomains.matches(host, ["*.ulink.adjust.com"]) {
            guard path.hasPrefix("/ulink") else { return nil }
            path = path.dropFirst("/ulink".count)
        } else if !LinkDomains.matches(host, ["*.adj.st"]) {
            return nil
        }
        if !path.hasPrefix("/") { path = "/" + path }
        var query = parts.percentEncodedQuery
        // A deep link that is only a query stands encoded behind the slash: `/%3Fscreen%3Dcart`.
        if path.lowercased().hasPrefix("/%3f"), let own = path.dropFirst("/%3f".count).removingPercentEncoding {
            path = "/"
            query = own + (query.map { "&\($0)" } ?? "")
        }
        let tail = (query.map { "?\($0)" } ?? "") + (parts.percentEncodedFragment.map { "#\($0)" } ?? "")
        guard let plain = URL(string: "https://\(host)\(path)\(tail)") else { return nil }
        self.plain = plain
    }
}

extension URL {
    /// The app-scheme form of a link whose host or scheme is the app's.
    func ownForm(inScheme scheme: String) -> URL? {
        guard let own = self.scheme?.lowercased() else { return nil }
        // A final dot is not part of a host's name.
        let host = ["http", "https"].contains(own) ? self.host.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 } : nil
        let domains = LinkDomains(universal: host.map { [$0] } ?? [], schemes: [scheme, own])
        return Destination(self, in: domains)?.url(inScheme: scheme)
    }
}
