// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

// What these names need of a client, in one place.
extension LandfallClient {
    /// Records the click and says where the link leads.
    func recordAndResolve(_ link: URL) async -> String { await open(link, from: .system).resolved.absoluteString }

    /// The app-scheme form of a link of the app.
    func converted(_ link: URL, scheme: String) -> URL? {
        guard handles(link), let own = link.scheme?.lowercased() else { return nil }
        // One dot at the end of a host is no part of its name.
        let host = ["http", "https"].contains(own) ? link.host.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 } : nil
        let domains = LinkDomains(universal: host.map { [$0] } ?? [], schemes: [scheme, own])
        return Destination(link, in: domains)?.url(inScheme: scheme)
    }
}
