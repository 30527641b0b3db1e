// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Answers where a user came from and which paywall they should see, before a deadline.
///
/// Make one per app and keep it. Every member may be used from any thread; nothing here blocks or crashes the app.
/// ```swift
/// let landfall = LandfallClient(configuration)
/// landfall.start()
/// let shown = try await landfall.paywall(for: "onboarding", within: .seconds(5))
/// ```
public final class LandfallClient: Sendable {
    let launch: Launch

    /// Uses none of the SDK's files and no network; asks the system for the path of their directory.
    public init(_ configuration: LandfallConfiguration) {
        launch = Launch(configuration)
    }

    deinit { launch.end() }

    /// Opens the files and the first-open stream in the background. Returns at once; calling it again does nothing.
    public func start() { launch.start() }

    /// Ends every task of this client and stores the current state. Returns when the tasks have ended, or were abandoned
    /// because they ignore cancellation; waits for a disk that hangs at most the time limit. Then another client may use the files.
    /// Waiting calls throw ``LandfallError/Kind/shutDown``; streams of profiles end. Later calls accept nothing: those that throw
    /// throw the same error, `receive`, `recordClick` and `claimDeferredLink` return false, `record` and `recordExposure` do nothing,
    /// and the log says so.
    /// - Parameter limit: 0…1 day of real time, anything else is clamped; default 5 seconds.
    public func shutdown(within limit: Duration = .seconds(5)) async { await launch.shutdown(within: limit) }

    /// How many operations run on behalf of calls: the waiting calls and their requests. Operations for the launch as a whole
    /// (the first-open stream, the outbox) are not counted.
    public var runningOperations: Int { launch.runningOperations }

    /// Reads the fallback file: one JSON document with a paywall per placement. A placement that cannot be read is left out.
    /// - Throws: ``LandfallError/Kind/invalidArgument`` if nothing in it can be read; then the previous file stays.
    public func setFallback(_ data: Data) throws { try launch.setFallback(data) }

    /// The app came to the foreground: pending retries run now, and a first open that waits for the app to become visible is
    /// sent (``LandfallConfiguration/opensOnActivation``). If the last first open is more than an hour ago, a new one tells the
    /// server that the person is back. LandfallApple calls this itself.
    public func enteredForeground() { launch.enteredForeground() }

    /// The app left the screen: exposures, clicks and other items that wait for a retry are sent now, while the system still
    /// lets the app run. LandfallApple calls this itself.
    public func enteredBackground() { launch.enteredBackground() }

    /// The network path changed: a hint. With a path, pending retries run now; without one, everything is still tried, and
    /// calls wait until their deadline. LandfallApple calls this itself.
    /// - Parameters:
    ///   - isSatisfied: there is a network path.
    ///   - isDenied: there is no path, and only a change of the person's settings can bring one. Once this installation has
    ///     reached the server, calls then answer at once from what is stored; before that, the system may just be asking the
    ///     person for permission.
    ///   - isConstrained: the person asked to save data (Low Data Mode). Only paywalls that no call waits for wait for another
    ///     path.
    public func networkPathChanged(isSatisfied: Bool, isDenied: Bool = false, isConstrained: Bool = false) {
        launch.networkPathChanged(isSatisfied: isSatisfied, isDenied: isDenied, isConstrained: isConstrained)
    }

    /// How much the SDK may send to the server; persisted. A value that is set before `start()` replaces the one of an earlier
    /// launch. A stricter mode cancels requests that the server has not begun to answer.
    ///
    /// Until the files are read, a few milliseconds after `start()`, it reads as the value that this launch has set, else as
    /// ``LandfallConfiguration/collection``, else as ``CollectionMode/full``. Nothing is sent before the stored value is known.
    public var dataCollection: CollectionMode {
        get { launch.collection }
        set { launch.collection = newValue }
    }

    /// The short name of ``dataCollection``.
    public var collection: CollectionMode {
        get { dataCollection }
        set { dataCollection = newValue }
    }
}
