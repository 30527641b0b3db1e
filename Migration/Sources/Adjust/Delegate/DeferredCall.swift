// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

extension DelegateCalls {
    /// Gets the link from before the installation and passes it to the delegate, once.
    /// - Parameters:
    ///   - opening: opens a link if the delegate wants it opened.
    ///   - waitsForDelegate: true: the link stays in the client's inbox until there is a delegate that accepts such links.
    ///     false: without such a delegate the link is opened, because nothing else of the app reads the inbox.
    func followDeferred(
        of client: LandfallClient, opening: (@MainActor (URL) -> Void)?, waitsForDelegate: Bool
    ) async {
        if waitsForDelegate { await waitForDelegate { $0.hearsDeferredLinks } }
        guard !Task.isCancelled, case .link(let link) = await client.deferredLink(within: .seconds(86_400)) else { return }
        await give(link, waitsForDelegate ? opening : opening ?? { _ in })
    }

    @MainActor
    private func give(_ link: ReceivedLink, _ opening: (@MainActor (URL) -> Void)?) {
        let verdict = delegate?.hear(link.resolved) ?? .unheard
        if verdict == .unheard, opening == nil { return }
        if verdict != .dealtWith { opening?(link.resolved) }
        link.markTaken()
    }
}
