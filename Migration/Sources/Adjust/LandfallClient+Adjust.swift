// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

// What these names need of a client, in one place.
extension LandfallClient {
    /// Records the click and returns the link's destination.
    func recordAndResolve(_ link: URL) async -> String { await open(link, from: .system).resolved.absoluteString }

    /// The app-scheme form of a link of the app.
    func converted(_ link: URL, scheme: String) -> URL? {
        guard handles(link), let own = link.scheme?.lowercased() else { return nil }
        // A final dot is not part of a host's name.
        let host = ["http", "https"].contains(own) ? link.host.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 } : nil
        let domains = LinkDomains(universal: host.map { [$0] } ?? [], schemes: [scheme, own])
        return Destination(link, in: domains)?.url(inScheme: scheme)
    }
}
