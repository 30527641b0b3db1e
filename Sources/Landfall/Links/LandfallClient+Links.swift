// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension LandfallClient {
    /// What iOS's hooks call: records the link's click and puts the link into the inbox. On return both are stored: one write of
    /// at most 8 KiB to a file that is open, and nothing else that could wait. Callable from any thread.
    ///
    /// Before `start()`, and in the first moments after it, no file is open yet: the link is then kept in memory, and the
    /// background opens the file and stores it at once, usually within milliseconds. The same holds while a file cannot be
    /// written (a full disk, a device that has not been unlocked since it was started), which is logged.
    ///
    /// iOS may deliver one tap through several hooks. The same address for the same scene (or for one that is not known)
    /// counts once while the first has not been handed over, and for 2 s after it was received or handed over.
    ///
    /// Takes the app's own links (``LinkRules/domains``, ``LinkRules/wrapperHosts``; every link where none are named) and leaves
    /// the others alone, so that a sign-in handler behind it gets its answers: `landfall.receive(url) || signIn.handle(url)`.
    /// A link that holds a secret, such as one that resets a password, reaches the app as it is and is never recorded, stored or
    /// sent (`LinkAddress.credential` lists them). While collection is ``CollectionMode/off`` the click is not recorded.
    /// - Parameters:
    ///   - url: as iOS delivered it.
    ///   - scene: where iOS delivered it; nil where that is not known.
    /// - Returns: false where nothing was accepted: the link is not the app's own, is the answer of a sign-in (an OAuth
    ///   callback, of whichever host or scheme), or is no link that anybody should follow (see `InvalidLink`).
    @discardableResult
    public func receive(_ url: URL, scene: SceneID? = nil) -> Bool { launch.receive(url, scene: scene) }

    /// Every link of the inbox, for apps with one scene. Links of a scene that listens for itself go there.
    public var links: ReceivedLinks { ReceivedLinks(launch: launch, scene: nil) }

    /// The links of one scene, and those of no scene where nobody listens to ``links``. A link that was left by an earlier
    /// launch waits 5 s for its own scene; then it goes to whichever listens.
    public func links(for scene: SceneID) -> ReceivedLinks { ReceivedLinks(launch: launch, scene: scene) }

    /// Where a link leads, in at most 2.5 s and exactly once, always with the original link. Never enters the inbox. A
    /// caller that is cancelled is answered at once, as if time were up.
    ///
    /// Links of the app's own schemes and universal hosts, and paths named in ``LinkRules/longPaths``, are answered without
    /// the network.
    /// - Parameters:
    ///   - url: any link.
    ///   - origin: `.app` records no click. `.system` records it as ``recordClick(_:)`` does, for apps that have no use for
    ///     the inbox.
    public func open(_ url: URL, from origin: LinkOrigin) async -> OpenedLink { await launch.open(url, from: origin) }

    /// Records the click of a link that iOS delivered, and nothing else. Stored as by ``receive(_:scene:)``. The same
    /// address within 2 s is the same click, whether it came here, through ``receive(_:scene:)`` or ``open(_:from:)``.
    /// - Returns: false where the click is not recorded: the link is not valid, is the answer of a sign-in or holds a secret, or
    ///   collection is ``CollectionMode/off``.
    @discardableResult
    public func recordClick(_ url: URL) -> Bool { launch.recordClick(url) }

    /// True for a link of the app's own hosts and schemes (``LinkRules/domains``). iOS opens those in Safari when the app
    /// itself opens them: give them to ``open(_:from:)`` and leave the others to the system. Reads nothing but the link.
    public func handles(_ url: URL) -> Bool { launch.handles(url) }

    /// What a paste control gave, or a code that the person typed: claims the link that was tapped before the installation.
    /// Stored as by ``receive(_:scene:)``. It leaves with the first open if that has not left yet. Works in every collection mode.
    /// - Parameter text: a link, or 1…512 visible ASCII characters; white space and dashes in a code are dropped, so that it
    ///   may be typed in groups. Codes are the same in upper and lower case.
    /// - Returns: false where the text can be no such code; nothing was accepted then.
    @discardableResult
    public func claimDeferredLink(_ text: String) -> Bool { launch.claimDeferredLink(text) }

    /// The link that was tapped before the app was installed, for apps that ask for it. Handed over here it does not come
    /// through the inbox too; handed over there, it is ``DeferredLinkResult/none`` here.
    ///
    /// Every first open of an installation asks, independent of tracking consent. While collection is
    /// ``CollectionMode/off`` only a link that was claimed is asked for.
    /// - Parameter limit: 0…1 day; anything else is clamped.
    public func deferredLink(within limit: Duration = .seconds(3)) async -> DeferredLinkResult {
        await launch.deferredLink(within: limit)
    }
}
