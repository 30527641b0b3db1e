// SPDX-License-Identifier: Apache-2.0
public import Foundation

@MainActor open class UIScene: UIResponder {
    public let session: UISceneSession
    open var delegate: (any UISceneDelegate)?

    public init(session: UISceneSession, connectionOptions: UIScene.ConnectionOptions) {
        self.session = session
        super.init()
        session.scene = self
    }

    public required init() { fatalError("Only UIKit makes scenes.") }
}

@MainActor open class UIWindowScene: UIScene {}

@MainActor open class UISceneSession: NSObject {
    public struct Role: Hashable, RawRepresentable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    }

    public let persistentIdentifier: String
    public let role = Role.windowApplication
    open internal(set) weak var scene: UIScene?

    /// Not in Apple's module: only UIKit makes sessions.
    public init(persistentIdentifier: String) { self.persistentIdentifier = persistentIdentifier }
}

@MainActor open class UISceneConfiguration: NSObject {
    public let name: String?
    public let role: UISceneSession.Role
    open var delegateClass: AnyClass?

    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
    }
}

extension UIScene {
    @MainActor open class ConnectionOptions: NSObject {
        public let urlContexts: Set<UIOpenURLContext>
        public let userActivities: Set<NSUserActivity>

        /// Not in Apple's module: only UIKit makes them.
        public init(urlContexts: Set<UIOpenURLContext> = [], userActivities: Set<NSUserActivity> = []) {
            self.urlContexts = urlContexts
            self.userActivities = userActivities
        }
    }

    @MainActor open class OpenURLOptions: NSObject {
        open var sourceApplication: String? { nil }
        open var openInPlace: Bool { false }
    }
}

@MainActor open class UIOpenURLContext: NSObject {
    public let url: URL
    public let options = UIScene.OpenURLOptions()

    /// Not in Apple's module: only UIKit makes them.
    public init(url: URL) { self.url = url }
}

/// Difference from Apple's: optional methods have an empty implementation here.
@MainActor public protocol UISceneDelegate: NSObjectProtocol {
    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
}

extension UISceneDelegate {
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {}
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
}

@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}

extension UIWindowSceneDelegate {
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}

@MainActor open class UIView: UIResponder {
    open internal(set) weak var window: UIWindow?

    open func didMoveToWindow() {}

    open var isHidden = false
    open var isUserInteractionEnabled = true
}

@MainActor open class UIWindow: UIView {
    open weak var windowScene: UIWindowScene?

    public init(windowScene: UIWindowScene) {
        self.windowScene = windowScene
        super.init()
    }

    public required init() {}

    open func addSubview(_ view: UIView) {
        view.window = self
        view.didMoveToWindow()
    }
}
