// SPDX-License-Identifier: Apache-2.0
@_exported public import UIKitCore

@MainActor @preconcurrency public struct OpenURLAction: Sendable {
    @MainActor @preconcurrency public struct Result: Sendable {
        enum Outcome: Equatable {
            case handled, discarded
            case system(URL?)
        }

        let outcome: Outcome

        public static let handled = Result(outcome: .handled)
        public static let discarded = Result(outcome: .discarded)
        public static let systemAction = Result(outcome: .system(nil))
        public static func systemAction(_ url: URL) -> Result { Result(outcome: .system(url)) }
    }

    private let handler: @MainActor (URL) -> Result

    /// Differs from Apple's in the declared isolation of a closure: SwiftUI calls it on the main thread.
    @MainActor @preconcurrency public init(handler: @escaping (URL) -> OpenURLAction.Result) {
        // A closure made on the main actor, and called there alone.
        nonisolated(unsafe) let handler = handler
        self.handler = { handler($0) }
    }

    @MainActor @preconcurrency public func callAsFunction(_ url: URL) { self(url) { _ in } }

    @MainActor @preconcurrency public func callAsFunction(_ url: URL, completion: @escaping (_ accepted: Bool) -> Void) {
        switch handler(url).outcome {
        case .handled: completion(true)
        case .discarded: completion(false)
        case .system(let other): UIApplication.simulated.open(other ?? url, completionHandler: nil); completion(true)
        }
    }
}

extension EnvironmentValues {
    public var openURL: OpenURLAction {
        get { openURLAction ?? .bySystem }
        set { openURLAction = newValue }
    }

    private var openURLAction: OpenURLAction? {
        get { self[OpenURLKey.self] }
        set { self[OpenURLKey.self] = newValue }
    }
}

private struct OpenURLKey: EnvironmentKey {
    static let defaultValue: OpenURLAction? = nil
}

extension OpenURLAction {
    /// The default if no view has set another.
    nonisolated static var bySystem: OpenURLAction { MainActor.assumeIsolated { OpenURLAction { _ in .systemAction } } }
}

extension View {
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        Effect(content: self) { scene, render in
            scene.onOpenURL.append(action)
            render()
        }
    }

    public func onContinueUserActivity(
        _ activityType: String, perform action: @escaping (NSUserActivity) -> Void
    ) -> some View {
        Effect(content: self) { scene, render in
            scene.onContinueUserActivity.append((activityType, action))
            render()
        }
    }
}

/// Not in Apple's module: how SwiftUI hands over a link. Most come through the first, a QR code's universal link through the
/// second alone, and with some versions a universal link through both.
public struct LinkHooks: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let openURL = LinkHooks(rawValue: 1)
    public static let userActivity = LinkHooks(rawValue: 2)
}

extension SimulatedScene {
    public func deliver(_ link: LinkOnItsWay, through hooks: LinkHooks) {
        if hooks.contains(.openURL) { onOpenURL.forEach { $0(link.url) } }
        if hooks.contains(.userActivity) {
            for (type, action) in onContinueUserActivity where type == NSUserActivityTypeBrowsingWeb { action(link.activity) }
        }
    }
}
