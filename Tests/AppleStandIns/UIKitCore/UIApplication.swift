// SPDX-License-Identifier: Apache-2.0
//
// The part of Apple's UIKit that LandfallApple uses, declared as Swift imports Apple's headers, so that the adapter compiles
// and runs without Apple's SDK. Differences from Apple's: the Objective-C runtime's look-up by name is a comparison with the
// one name that is used, and a test moves the application's state.
public import Foundation

/// As the Objective-C runtime has it.
public struct Selector: Hashable, Sendable {
    let name: String
}

public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(name: aSelectorName) }

@MainActor open class UIResponder: NSObject {
    override public required init() {}

    /// Called by a paste control whose target this is.
    open func paste(itemProviders: [NSItemProvider]) {}
}

@MainActor open class UIApplication: UIResponder {
    public enum State: Int, Sendable {
        case active = 0
        case inactive = 1
        case background = 2
    }

    public class var shared: UIApplication { simulated }

    open var applicationState: State { SimulatedApplication.current.state }

    /// NSObject's, by name.
    nonisolated public class func responds(to aSelector: Selector!) -> Bool { aSelector.name == "sharedApplication" }

    /// NSObject's, by name. nil before UIApplicationMain has made the application.
    nonisolated public class func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! {
        SimulatedApplication.application.map { Unmanaged<AnyObject>.passUnretained($0) }
    }
}

extension UIApplication {
    nonisolated public class var didBecomeActiveNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidBecomeActiveNotification")
    }
    nonisolated public class var didEnterBackgroundNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationDidEnterBackgroundNotification")
    }
    nonisolated public class var willEnterForegroundNotification: NSNotification.Name {
        NSNotification.Name("UIApplicationWillEnterForegroundNotification")
    }
}

/// Not in Apple's module: the application of this process, which a test takes through its life.
@MainActor public final class SimulatedApplication {
    public static let current = SimulatedApplication()

    /// As UIKit reports it; an app with scenes is in the background while it launches.
    public var state = UIApplication.State.background
    /// The URLs that the app asked the system to open.
    public var opened: [URL] = []
    /// Changed and read on the main thread alone.
    nonisolated(unsafe) fileprivate static var application: UIApplication?

    /// A process that has not reached UIApplicationMain.
    public func begin() {
        Self.application = nil
        state = .background
    }

    /// UIApplicationMain has made the application.
    public func finishLaunching() { Self.application = UIApplication() }

    public func willEnterForeground() {
        NotificationCenter.default.post(name: UIApplication.willEnterForegroundNotification, object: Self.application)
        state = .inactive
    }

    public func didEnterBackground() {
        state = .background
        NotificationCenter.default.post(name: UIApplication.didEnterBackgroundNotification, object: Self.application)
    }

    public func didBecomeActive() {
        state = .active
        NotificationCenter.default.post(name: UIApplication.didBecomeActiveNotification, object: Self.application)
    }
}
