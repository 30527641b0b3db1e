// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

extension DelegateCalls {
    /// Waits for a delegate that accepts deferred links, then for the link, and passes it to the delegate, once. Without such a
    /// delegate the link stays in the client's inbox.
    /// - Parameter opening: opens a link if the delegate wants it opened.
    func followDeferred(of client: LandfallClient, opening: (@MainActor (URL) -> Void)?) async {
        await waitForDelegate { $0.hearsDeferredLinks }
        guard !Task.isCancelled, case .link(let link) = await client.deferredLink(within: .seconds(86_400)) else { return }
        await give(link, opening)
    }

    @MainActor
    private func give(_ link: ReceivedLink, _ opening: (@MainActor (URL) -> Void)?) {
        guard let delegate else { return }
        if delegate.hear(link.resolved) { opening?(link.resolved) }
        link.markTaken()
    }
}
