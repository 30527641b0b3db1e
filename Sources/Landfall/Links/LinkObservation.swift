// SPDX-License-Identifier: Apache-2.0
extension LandfallClient {
    /// Passes links to a closure, for code that does not iterate over ``links``: each once, in order, on the main thread.
    ///
    /// When the closure returns, the link counts as handled and does not come again; until then it comes again after the app
    /// was killed. The next link waits for it. An app with one scene passes no scene.
    /// - Returns: keep it as long as links are wanted; releasing it ends the observation.
    public func observeLinks(
        for scene: SceneID? = nil, perform action: @escaping @MainActor @Sendable (ReceivedLink) async -> Void
    ) -> LinkObservation {
        let links = scene.map(links(for:)) ?? links
        return LinkObservation(
            Task {
                for await link in links {
                    await action(link)
                    link.markTaken()
                }
            })
    }

    /// The same for a screen that reports later that it has appeared: the link counts as handled when `handled` is called, from
    /// any thread, once or more often. The next link does not wait for it.
    public func observeLinks(
        for scene: SceneID? = nil,
        handler: @escaping @MainActor @Sendable (_ link: ReceivedLink, _ handled: @escaping @Sendable () -> Void) -> Void
    ) -> LinkObservation {
        let links = scene.map(links(for:)) ?? links
        return LinkObservation(
            Task { for await link in links { await handler(link, { link.markTaken() }) } })
    }
}

/// Keeps a closure listening to links.
public final class LinkObservation: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }

    /// Ends the observation. Links that have not reached the closure wait for the next listener; one that the closure has comes
    /// again at the next launch, unless the closure returns or `handled` is called.
    public func cancel() { task.cancel() }
}
