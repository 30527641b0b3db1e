// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import LandfallWire

extension LandfallClient {
    /// For iOS's link hooks: records the link's click and puts the link into the inbox. Once a file is open, both are stored when
    /// it returns: one write of at most 8 KiB, and nothing else that could block. Callable from any thread.
    ///
    /// Before `start()`, and for a moment after it, no file is open yet: the link is then kept in memory, and a background task
    /// opens the file and stores it at once, usually within milliseconds; a kill before that loses it. The same applies while a file cannot be written (a
    /// full disk, a device that has not been unlocked since it was started), which is logged.
    ///
    /// iOS may deliver one tap through several hooks. The same address for the same scene (or for an unknown one) counts once
    /// until the first delivery was handed over, and for 2 s after it was received or handed over.
    ///
    /// Accepts the app's own links (``LinkRules/domains``, ``LinkRules/wrapperHosts``; every link if none are configured) and
    /// rejects others, so that a sign-in handler behind it gets its answers: `landfall.receive(url) || signIn.handle(url)`. A
    /// link that contains a secret, such as one that resets a password, reaches the app unchanged and is never recorded, stored
    /// or sent (`docs/features/links.md` lists them). While collection is ``CollectionMode/off`` the click is not recorded.
    /// - Parameters:
    ///   - url: as iOS delivered it.
    ///   - scene: where iOS delivered it; nil if that is not known.
    /// - Returns: false if nothing was accepted: the link is not the app's own, is the answer of a sign-in (an OAuth callback,
    ///   of any host or scheme), or is not safe to follow (see `InvalidLink`); or the client was shut down.
    @discardableResult
    public func receive(_ url: URL, scene: SceneID? = nil) -> Bool { launch.receive(url, scene: scene) }

    /// For LandfallApple: the app's hooks are in place, and it listens once it is ready. A missing listener is then not logged as a
    /// mistake.
    package func connectLinks() { launch.connectLinks() }

    /// Every link of the inbox, for apps with one scene. If a scene has its own listener, its links go there.
    public var links: ReceivedLinks { ReceivedLinks(launch: launch, scene: nil) }

    /// The links of one scene, and the links without a scene while nothing listens to ``links``. A link from an earlier launch waits 5
    /// s for its own scene; then it goes to any listener.
    public func links(for scene: SceneID) -> ReceivedLinks { ReceivedLinks(launch: launch, scene: scene) }

    /// Resolves a link, in at most the time limit and exactly once, always with the original link. The link never enters the inbox. A
    /// cancelled caller is answered at once, as if the time were over.
    ///
    /// Links of the app's own schemes and universal hosts are answered without the network. So are long links of brand hosts:
    /// those on ``LinkRules/longPaths``, and on the `paths:` of the domain, as soon as the server has said them once.
    /// - Parameters:
    ///   - url: any link.
    ///   - origin: `.app` records no click. `.system` records it as ``recordClick(_:)`` does, for apps that do not use the
    ///     inbox.
    ///   - limit: 0…1 day, anything else is clamped; default 2.5 s.
    public func resolve(
        _ url: URL, from origin: LinkOrigin, within limit: Duration = .milliseconds(2_500)
    ) async -> OpenedLink {
        await launch.open(url, from: origin, within: limit)
    }

    /// The earlier name of ``resolve(_:from:within:)``. It opens nothing: the app does, when it knows where the link leads.
    public func open(_ url: URL, from origin: LinkOrigin, within limit: Duration = .milliseconds(2_500)) async -> OpenedLink {
        await resolve(url, from: origin, within: limit)
    }

    /// Records only the click of a link that iOS delivered. Stored as by ``receive(_:scene:)``. The same address within 2 s is
    /// the same click, whether it came here, through ``receive(_:scene:)`` or ``resolve(_:from:within:)``.
    /// - Returns: false if the click is not recorded: the link is not valid, is the answer of a sign-in or contains a secret,
    ///   collection is ``CollectionMode/off``, or the client was shut down.
    @discardableResult
    public func recordClick(_ url: URL) -> Bool { launch.recordClick(url) }

    /// True for a link of the app's own hosts and schemes (``LinkRules/domains``). If the app itself opens such a link, iOS
    /// opens it in Safari: pass these to ``resolve(_:from:within:)`` and the others to the system. Reads only the link.
    public func handles(_ url: URL) -> Bool { launch.handles(url) }

    /// Claims the link that was tapped before the installation, with the text of a paste control or a code that the person
    /// typed. Stored as by ``receive(_:scene:)``. It is sent with the first open if that has not been sent yet. Works in every
    /// collection mode.
    /// - Parameter text: a link, or 1…512 visible ASCII characters; white space and dashes in a code are dropped, so that it
    ///   may be typed in groups. Codes are the same in upper and lower case.
    /// - Returns: false if the text cannot be a token, or the client was shut down; then nothing was accepted.
    @discardableResult
    public func claimDeferredLink(_ text: String) -> Bool { launch.claimDeferredLink(text) }

    /// The link that was tapped before the app was installed, for apps that ask for it. If it is returned here, it does not
    /// come through the inbox too; if the inbox delivered it, this returns ``DeferredLinkResult/none``.
    ///
    /// Every first open of an installation asks for it, independent of tracking consent. While collection is
    /// ``CollectionMode/off`` only a claimed link is asked for.
    /// - Parameter limit: 0…1 day; anything else is clamped.
    public func deferredLink(within limit: Duration = .seconds(3)) async -> DeferredLinkResult {
        await launch.deferredLink(within: limit)
    }
}

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

/// The links of the inbox, in the order in which they were received, each once.
///
/// A link leaves the inbox only while a listener waits for the next one, so nothing is lost when a listener ends. The sequence
/// ends with ``LandfallClient/shutdown(within:)`` or when the listening task is cancelled.
public struct ReceivedLinks: AsyncSequence, Sendable {
    public typealias Element = ReceivedLink

    let launch: Launch
    let scene: SceneID?

    public func makeAsyncIterator() -> Iterator { Iterator(launch: launch, scene: scene) }

    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let launch: Launch
        let scene: SceneID?

        public mutating func next() async -> ReceivedLink? { await launch.nextLink(for: scene) }
    }
}
