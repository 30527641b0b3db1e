// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

// What these names need of a client, in one place.
extension LandfallClient {
    /// Records the click and says where the link leads.
    func recordAndResolve(_ link: URL) async -> String { await open(link, from: .system).resolved.absoluteString }

    /// The app-scheme form of a link of the app.
    func converted(_ link: URL, scheme: String) -> URL? {
        guard handles(link), let address = try? LinkAddress(link.absoluteString) else { return nil }
        let domains = LinkDomains(universal: address.host.map { [$0] } ?? [], schemes: [scheme, address.scheme])
        return Destination(link, in: domains)?.url(inScheme: scheme)
    }
}
