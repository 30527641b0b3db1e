// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

extension DelegateCalls {
    /// Gets the link from before the installation and passes it to the delegate, once.
    /// - Parameters:
    ///   - opening: opens a link if the delegate wants it opened. If it cannot, the link comes again at the next launch.
    ///   - waitsForDelegate: true: the link stays in the client's inbox until there is a delegate that accepts such links.
    ///     false: without such a delegate the link is opened, because nothing else of the app reads the inbox.
    func followDeferred(
        of client: LandfallClient, opening: Connection.Opening?, waitsForDelegate: Bool
    ) async {
        if waitsForDelegate { await waitForDelegate { $0.hearsDeferredLinks } }
        guard !Task.isCancelled, case .link(let link) = await client.deferredLink(within: .seconds(86_400)) else { return }
        await give(link, opening)
    }

    @MainActor
    private func give(_ link: ReceivedLink, _ opening: Connection.Opening?) {
        switch delegate?.hear(link.resolved) ?? .unheard {
        case .dealtWith: link.markTaken()
        // If the app sets no opening, the delegate opens it.
        case .open: if opening?(link.resolved) ?? true { link.markTaken() }
        case .unheard: if opening?(link.resolved) ?? false { link.markTaken() }
        }
    }
}
