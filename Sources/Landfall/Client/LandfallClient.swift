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

    /// Does no input or output.
    public init(_ configuration: LandfallConfiguration) {
        launch = Launch(configuration)
    }

    deinit { launch.end() }

    /// Opens the files and the first-open stream in the background. Returns at once; calling it again does nothing.
    public func start() { launch.start() }

    /// Ends every task of this client and returns when they are gone, or have been abandoned because they ignore
    /// cancellation, and what is known is in the files; a disk that hangs is waited for 5 s. Another client may then use the
    /// files. Calls that wait throw ``LandfallError/Kind/shutDown``; streams of profiles end.
    public func shutdown() async { await launch.shutdown() }

    /// How many operations run on behalf of calls: the calls that wait and the requests made for them. What serves the
    /// launch as a whole (the first-open stream, the outbox) is not counted.
    public var runningOperations: Int { launch.runningOperations }

    /// Reads the fallback file: one JSON document with a paywall per placement. A placement that cannot be read is left out.
    /// - Throws: ``LandfallError/Kind/invalidArgument`` where nothing in it can be read; what was set before stays.
    public func setFallback(_ data: Data) throws { try launch.setFallback(data) }

    /// The app came to the foreground: what waits for its next try is tried now, and a first open that waits for the app to
    /// be seen leaves (``LandfallConfiguration/opensOnActivation``). After an hour without a first open it is an open of its
    /// own: the server learns that the person is back. LandfallApple says it by itself.
    public func enteredForeground() { launch.enteredForeground() }

    /// The app left the screen: exposures, clicks and the like that wait for their next try are sent now, while the system
    /// still lets the app run. LandfallApple says it by itself.
    public func enteredBackground() { launch.enteredBackground() }

    /// The network path changed: a hint. With a path, what waits is tried now; without one, everything is still tried, and calls
    /// wait until their deadline. LandfallApple says it by itself.
    /// - Parameters:
    ///   - isSatisfied: there is a way to the network.
    ///   - isDenied: there is no path, and only the person's settings change that. Once this installation has reached the
    ///     server, calls then answer at once from what is there; before, the person may just be being asked for permission.
    ///   - isConstrained: the person asked to save data (Low Data Mode). Only paywalls that nobody waits for wait for another
    ///     path.
    public func networkPathChanged(isSatisfied: Bool, isDenied: Bool = false, isConstrained: Bool = false) {
        launch.networkPathChanged(isSatisfied: isSatisfied, isDenied: isDenied, isConstrained: isConstrained)
    }

    /// How much the SDK may tell the server; persisted. Set before `start()` it wins over what an earlier launch stored.
    public var collection: CollectionMode {
        get { launch.collection }
        set { launch.collection = newValue }
    }
}
