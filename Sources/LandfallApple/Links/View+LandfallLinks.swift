// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
internal import Foundation
public import Landfall
public import SwiftUI

extension View {
    /// Passes this scene's links to `action`: each once, in order, on the main thread, including those that came before the
    /// view.
    ///
    /// Use it once, around the first view of a scene. It installs both hooks of SwiftUI, because a universal link from a QR
    /// code comes through only one of them, and some versions of iOS use one or the other at a cold start. A link that a scene
    /// delegate forwards too counts once.
    ///
    /// If a link of the app's own is tapped below this view, it stays in the app: it goes to `action` too, without a click.
    /// Every other link goes to the `openURL` action around this view, which is the system's unless the app has set one.
    /// ```swift
    /// WindowGroup {
    ///     RootView().landfallLinks(landfall, isReady: account.isSignedIn) { link in navigate(to: link.destination) }
    /// }
    /// ```
    /// - Parameters:
    ///   - client: the app's client.
    ///   - isReady: false keeps links in the inbox, for example until the user has signed in. A link of the app's own that is
    ///     tapped below this view waits too: in memory, the last 100, so that a kill loses them. Default true.
    ///   - action: when it returns, the link counts as handled; until then it comes again after the app was killed. If `isReady`
    ///     becomes false meanwhile, its task is cancelled, but the action still decides: it can wait, or keep the link for later.
    public func landfallLinks(
        _ client: LandfallClient, isReady: Bool = true, perform action: @escaping @MainActor (ReceivedLink) async -> Void
    ) -> some View {
        modifier(SceneLinks(client: client, isReady: isReady, action: action))
    }
}

private struct SceneLinks: ViewModifier {
    let client: LandfallClient
    let isReady: Bool
    let action: @MainActor (ReceivedLink) async -> Void
    @Environment(\.openURL) private var openURL
    @State private var scene = SceneID.unknownScene
    @State private var early = EarlyTaps()

    func body(content: Content) -> some View {
        content
            .environment(\.openURL, OpenURLAction { [openURL] in open($0, else: openURL) })
            .onOpenURL { client.receive($0, scene: scene) }
            .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { activity in
                if let link = activity.webpageURL { client.receive(link, scene: scene) }
            }
            .identifiesScene { scene = $0 }
            .task(id: isReady) { [client, action, scene, early, isReady] in
                client.connectLinks()
                if isReady { await early.open(with: client, in: scene, action) }
            }
            .task(id: isReady ? scene : nil) { [client, action, scene, isReady] in
                guard isReady, let scene else { return }
                for await link in client.links(for: scene) {
                    await action(link)
                    link.markTaken()
                }
            }
    }

    /// - Parameter outer: the action around this view.
    private func open(_ url: URL, else outer: OpenURLAction) -> OpenURLAction.Result {
        guard client.handles(url) else {
            outer(url)
            return .handled
        }
        early.add(url)
        if isReady { Task { [client, action, scene, early] in await early.open(with: client, in: scene, action) } }
        return .handled
    }
}

/// Own links that were tapped inside the app, until it is ready.
@MainActor private final class EarlyTaps {
    /// As many as the inbox keeps.
    private static let most = 100
    private var urls: [URL] = []

    nonisolated init() {}

    func add(_ url: URL) { urls = (urls + [url]).suffix(Self.most) }

    /// Opens each link once, in order.
    func open(
        with client: LandfallClient, in scene: SceneID?, _ action: @MainActor (ReceivedLink) async -> Void
    ) async {
        while !urls.isEmpty, !Task.isCancelled {
            let link = await client.open(urls.removeFirst(), from: .app)
            await action(ReceivedLink(link, tappedIn: scene))
        }
    }
}

extension ReceivedLink {
    fileprivate init(_ link: OpenedLink, tappedIn scene: SceneID?) {
        self.init(
            id: UUID().uuidString, original: link.original, resolved: link.resolved, status: link.status,
            destination: link.destination, scene: scene
        )
    }
}
#endif
