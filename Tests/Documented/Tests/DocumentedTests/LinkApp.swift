// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
@testable import DocumentedLinks
@testable import DocumentedLinksOnMainActor
import SwiftUI

/// The app of the document's snippets, compiled in one of the two ways in which projects compile.
@MainActor
struct LinkApp {
    let appDelegate: any UIApplicationDelegate
    /// Shows the app's first view in a scene, and says how links are brought to it.
    let show: @MainActor (UIWindowScene?) -> @MainActor (LinkOnItsWay, LinkHooks) -> Void
    let clear: @MainActor () -> Void
    let shown: @MainActor () -> [String]
    let listen: @MainActor (@escaping (String) -> Void) -> Void

    static func nonisolated() -> LinkApp {
        let screens = DocumentedLinks.Screens.current
        return LinkApp(
            appDelegate: DocumentedLinks.AppDelegate(), show: { show(DocumentedLinks.DocumentedApp(), in: $0) },
            clear: { screens.clear() }, shown: { screens.shown }, listen: { screens.didShow = $0 })
    }

    static func onMainActor() -> LinkApp {
        let screens = DocumentedLinksOnMainActor.Screens.current
        return LinkApp(
            appDelegate: DocumentedLinksOnMainActor.AppDelegate(),
            show: { show(DocumentedLinksOnMainActor.DocumentedApp(), in: $0) },
            clear: { screens.clear() }, shown: { screens.shown }, listen: { screens.didShow = $0 })
    }

    private static func show(_ app: some App, in window: UIWindowScene?) -> @MainActor (LinkOnItsWay, LinkHooks) -> Void {
        guard let group = app.body as? any ShowsContent else { return { _, _ in } }
        return group.connect(in: window)
    }
}

@MainActor private protocol ShowsContent {
    func connect(in window: UIWindowScene?) -> @MainActor (LinkOnItsWay, LinkHooks) -> Void
}

extension WindowGroup: ShowsContent {
    fileprivate func connect(in window: UIWindowScene?) -> @MainActor (LinkOnItsWay, LinkHooks) -> Void {
        let scene = SimulatedScene(makeContent(), in: window)
        scene.connect(.inactive)
        return { link, hooks in scene.deliver(link, through: hooks) }
    }
}
#endif
