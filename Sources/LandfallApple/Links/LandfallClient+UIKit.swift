// SPDX-License-Identifier: Apache-2.0
#if canImport(UIKit) && !os(watchOS)
public import Landfall
public import UIKit

// Forwards the calls of UIKit's delegates. For a URL of `application(_:open:options:)`, `receive(_:)` is enough.
extension LandfallClient {
    /// For `application(_:continue:restorationHandler:)`: a universal link, at a cold start and while the app runs.
    /// - Returns: false for an activity without a link, and for a link that `receive(_:scene:)` does not accept.
    @discardableResult
    public func receive(_ userActivity: NSUserActivity) -> Bool { receive(userActivity, scene: nil) }

    /// For `scene(_:continue:)`.
    /// - Returns: as ``receive(_:)-(NSUserActivity)``.
    @MainActor @discardableResult
    public func receive(_ userActivity: NSUserActivity, in session: UISceneSession) -> Bool {
        receive(userActivity, scene: SceneID(session))
    }

    /// For `scene(_:willConnectTo:options:)`: the universal and app-scheme links that the scene is connected for. Does nothing
    /// if there are none.
    /// - Returns: true if `receive(_:scene:)` has accepted at least one link.
    @MainActor @discardableResult
    public func receive(_ connectionOptions: UIScene.ConnectionOptions, in session: UISceneSession) -> Bool {
        connectLinks()
        let activities = connectionOptions.userActivities.map { receive($0, in: session) }
        return receive(connectionOptions.urlContexts, in: session) || activities.contains(true)
    }

    /// For `scene(_:openURLContexts:)`: links of an app scheme. The set may also contain URLs for other handlers, such as the
    /// answer of a sign-in. An app with such handlers asks for each URL:
    /// ```swift
    /// for context in URLContexts where !landfall.receive(context.url, scene: SceneID(scene.session)) {
    ///     signIn.handle(context.url)
    /// }
    /// ```
    /// - Returns: true if `receive(_:scene:)` has accepted at least one link.
    @MainActor @discardableResult
    public func receive(_ urlContexts: Set<UIOpenURLContext>, in session: UISceneSession) -> Bool {
        urlContexts.map { receive($0.url, scene: SceneID(session)) }.contains(true)
    }

    private func receive(_ userActivity: NSUserActivity, scene: SceneID?) -> Bool {
        let isWeb = userActivity.activityType == NSUserActivityTypeBrowsingWeb
        return userActivity.webpageURL.map { isWeb && receive($0, scene: scene) } ?? false
    }
}

extension LandfallClient {
    /// As `observeLinks(for:perform:)`, for the links of one scene: in `scene(_:willConnectTo:options:)`, kept by the delegate.
    @MainActor public func observeLinks(
        in session: UISceneSession, perform action: @escaping @MainActor @Sendable (ReceivedLink) async -> Void
    ) -> LinkObservation { observeLinks(for: SceneID(session), perform: action) }

    /// As `observeLinks(for:handler:)`, for the links of one scene.
    @MainActor public func observeLinks(
        in session: UISceneSession,
        handler: @escaping @MainActor @Sendable (_ link: ReceivedLink, _ handled: @escaping @Sendable () -> Void) -> Void
    ) -> LinkObservation { observeLinks(for: SceneID(session), handler: handler) }
}

extension SceneID {
    /// Stays the same for the life of the scene, even after the system has ended the app and restored the scene.
    @MainActor public init(_ session: UISceneSession) { self.init(rawValue: session.persistentIdentifier) }
}

extension LandfallClient {
    /// For the target of a `UIPasteControl`, `paste(itemProviders:)`: claims the link that was tapped before the installation
    /// with the text that the person pasted. Reads only what the control passes, and nothing else of the pasteboard.
    @MainActor public func claimDeferredLink(from itemProviders: [NSItemProvider]) {
        let text = itemProviders.first { $0.canLoadObject(ofClass: String.self) }
        _ = text?.loadObject(ofClass: String.self) { [weak self] text, _ in
            if let text { self?.claimDeferredLink(text) }
        }
    }
}
#endif
