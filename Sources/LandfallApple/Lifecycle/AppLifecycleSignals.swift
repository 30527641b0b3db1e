// SPDX-License-Identifier: Apache-2.0
#if canImport(UIKit) && !os(watchOS)
internal import Foundation
public import Landfall
internal import UIKit

/// Reports when the app becomes visible: when UIKit brings it to the foreground or activates it, and at once if that has
/// already happened; and when it is no longer visible. A launch in the background, or one that iOS makes ahead of time, sends
/// no signal until then.
public final class AppLifecycleSignals: PlatformSignals {
    private let isPrewarmed: Bool

    /// - Parameter isPrewarmed: iOS made this process ahead of time, so UIKit's inactive state does not mean that the app is
    ///   about to appear. Default: the value in the environment.
    public init(isPrewarmed: Bool = AppLifecycleSignals.isProcessPrewarmed) { self.isPrewarmed = isPrewarmed }

    /// iOS marks a process that it makes ahead of time, and may remove the mark before the app has launched: read it early.
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
        // After the observers were added, so that no change is missed in between.
        let look = Task { @MainActor [isPrewarmed] in
            if Self.isAlreadySeen(isPrewarmed: isPrewarmed) { voice.yield(.enteredForeground) }
        }
        voice.onTermination = { _ in
            look.cancel()
            observers.withLock { $0.forEach { center.removeObserver($0) } }
        }
        return stream
    }

    /// With scenes, a launching app counts as in the background; the foreground notification follows in a moment.
    @MainActor private static func isAlreadySeen(isPrewarmed: Bool) -> Bool {
        switch application?.applicationState {
        case .active?: true
        case .inactive?: !isPrewarmed
        default: false
        }
    }

    /// Found by name, because `UIApplication.shared` does not compile if only API for app extensions is allowed.
    @MainActor static var application: UIApplication? {
        let shared = NSSelectorFromString("sharedApplication")
        guard UIApplication.responds(to: shared) else { return nil }
        return UIApplication.perform(shared)?.takeUnretainedValue() as? UIApplication
    }
}
#endif
