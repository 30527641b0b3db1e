// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Not in Apple's module: a link on its way to the app, in the form in which iOS hands it over.
public struct LinkOnItsWay: Hashable, Sendable {
    public let url: URL
    /// A universal link comes as a user activity, an app scheme as a URL.
    public let isUniversal: Bool

    public static func universal(_ text: String) -> LinkOnItsWay { LinkOnItsWay(url: URL(string: text)!, isUniversal: true) }
    public static func scheme(_ text: String) -> LinkOnItsWay { LinkOnItsWay(url: URL(string: text)!, isUniversal: false) }

    /// As the system makes it for a link that was tapped or scanned.
    public var activity: NSUserActivity {
        let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
        activity.webpageURL = url
        return activity
    }
}

/// Not in Apple's module: calls an app's delegates in the order in which iOS calls them.
@MainActor public enum SimulatedDelivery {
    /// An app without scenes that is not running: it launches, then gets the link.
    public static func launch(_ delegate: any UIApplicationDelegate, with link: LinkOnItsWay?) {
        let application = UIApplication.simulated
        var options: [UIApplication.LaunchOptionsKey: Any] = [:]
        if let link {
            options = link.isUniversal ? [.userActivityDictionary: [:] as [String: String]] : [.url: link.url]
        }
        let takesLinks = delegate.application(application, didFinishLaunchingWithOptions: link == nil ? nil : options)
        // A delegate that answers false says that it has dealt with the link already.
        if let link, takesLinks { deliver(link, to: delegate) }
    }

    /// An app without scenes that runs.
    public static func deliver(_ link: LinkOnItsWay, to delegate: any UIApplicationDelegate) {
        if link.isUniversal {
            _ = delegate.application(.simulated, continue: link.activity, restorationHandler: { _ in })
        } else {
            _ = delegate.application(.simulated, open: link.url, options: [.openInPlace: false])
        }
    }

    /// Connects a scene, with these links if there are any.
    public static func connect(_ delegate: any UISceneDelegate, _ scene: UIScene, with links: [LinkOnItsWay] = []) {
        scene.delegate = delegate
        delegate.scene(scene, willConnectTo: scene.session, options: connectionOptions(links))
    }

    public static func connectionOptions(_ links: [LinkOnItsWay]) -> UIScene.ConnectionOptions {
        UIScene.ConnectionOptions(
            urlContexts: Set(links.filter { !$0.isUniversal }.map { UIOpenURLContext(url: $0.url) }),
            userActivities: Set(links.filter(\.isUniversal).map(\.activity)))
    }

    /// A scene that is connected, in the background or on the screen.
    public static func deliver(_ link: LinkOnItsWay, to scene: UIScene) {
        if link.isUniversal {
            scene.delegate?.scene(scene, continue: link.activity)
        } else {
            scene.delegate?.scene(scene, openURLContexts: [UIOpenURLContext(url: link.url)])
        }
    }

    public static func scene(_ identifier: String) -> UIWindowScene {
        UIWindowScene(
            session: UISceneSession(persistentIdentifier: identifier), connectionOptions: UIScene.ConnectionOptions())
    }

    /// What UIKit makes of the delegate class that an app's configuration names.
    public static func sceneDelegate(
        for scene: UIScene, by delegate: any UIApplicationDelegate, with links: [LinkOnItsWay] = []
    ) -> (any UISceneDelegate)? {
        let configuration = delegate.application(
            .simulated, configurationForConnecting: scene.session, options: connectionOptions(links))
        return (configuration.delegateClass as? UIResponder.Type).map { $0.init() } as? any UISceneDelegate
    }
}

extension UIApplication {
    /// Not in Apple's module.
    public static let simulated = UIApplication()
}
