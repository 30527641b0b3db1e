// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

// Everything that these names need from a client.
extension LandfallClient {
    /// Records the click and returns the link's destination.
    func recordAndResolve(_ link: URL) async -> String { await open(link, from: .system).resolved.absoluteString }

    /// The app-scheme form of a link of the app.
    func converted(_ link: URL, scheme: String) -> URL? {
        handles(link) ? link.ownForm(inScheme: scheme) : nil
    }
}
