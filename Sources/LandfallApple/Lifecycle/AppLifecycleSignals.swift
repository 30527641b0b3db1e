// SPDX-License-Identifier: Apache-2.0
#if canImport(UIKit) && !os(watchOS)
internal import Foundation
public import Landfall
internal import UIKit

/// Says when somebody sees the app: when UIKit brings it to the foreground or activates it, and at once where that has
/// already happened; and when nobody does any more. A launch in the background, or one that iOS makes ahead of time, says nothing until then.
public final class AppLifecycleSignals: PlatformSignals {
    private let isPrewarmed: Bool

    /// - Parameter isPrewarmed: iOS made this process ahead of time, so that what UIKit calls inactive is not on its way to
    ///   the screen. Default: as the environment says.
    public init(isPrewarmed: Bool = AppLifecycleSignals.isProcessPrewarmed) { self.isPrewarmed = isPrewarmed }

    /// iOS marks a process that it makes ahead of time, and may take the mark away before the app has launched: read it early.
    public static var isProcessPrewarmed: Bool { ProcessInfo.processInfo.environment["ActivePrewarm"] == "1" }

    public func signals() -> AsyncStream<PlatformSignal> {
        let (stream, voice) = AsyncStream<PlatformSignal>.makeStream(bufferingPolicy: .bufferingNewest(8))
        let center = NotificationCenter.default
        let signals: [(Notification.Name, PlatformSignal)] = [
            (UIApplication.willEnterForegroundNotification, .enteredForeground),
            (UIApplication.didBecomeActiveNotification, .enteredForeground),
            (UIApplication.didEnterBackgroundNotification, .enteredBackground),
        ]
        let observers = Locked(
            signals.map { name, signal in
                center.addObserver(forName: name, object: nil, queue: nil) { _ in voice.yield(signal) }
            })
        // After the observers are there, so that no change falls in between.
        let look = Task { @MainActor [isPrewarmed] in
            if Self.isAlreadySeen(isPrewarmed: isPrewarmed) { voice.yield(.enteredForeground) }
        }
        voice.onTermination = { _ in
            look.cancel()
            observers.withLock { $0.forEach { center.removeObserver($0) } }
        }
        return stream
    }

    /// With scenes an app in launch counts as in the background; it then hears of the foreground in a moment.
    @MainActor private static func isAlreadySeen(isPrewarmed: Bool) -> Bool {
        switch application?.applicationState {
        case .active?: true
        case .inactive?: !isPrewarmed
        default: false
        }
    }

    /// By name, because `UIApplication.shared` does not compile where only what app extensions may use is allowed.
    @MainActor private static var application: UIApplication? {
        let shared = NSSelectorFromString("sharedApplication")
        guard UIApplication.responds(to: shared) else { return nil }
        return UIApplication.perform(shared)?.takeUnretainedValue() as? UIApplication
    }
}
#endif
