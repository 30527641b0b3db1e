// SPDX-License-Identifier: Apache-2.0
// Code written against these names uses URL without importing Foundation.
@_exported public import Foundation
public import Landfall

/// The names that apps already use for links, over one ``LandfallClient``. Everything is static and may be called from any
/// thread; completions and the delegate are called on the main thread.
///
/// ```swift
/// Adjust.start(with: landfall)
/// Adjust.processDeeplink(incomingLink) { resolvedLink in navigate(to: resolvedLink) }
/// ```
///
/// Calls before ``start(with:opening:)`` are kept: their links are recorded once there is a client, and their completions are
/// still called within the time limit, with the original link if there is no client in time.
#if canImport(ObjectiveC)
@objc(Adjust) @objcMembers
#endif
public final class Adjust: NSObject {
    override private init() {}

    /// How long a completion may take: 2.5 s, whatever happens.
    @nonobjc public static let bound = Connection.bound

    /// Sets the client that does the work. The app still starts the client itself. An app that also uses the names of
    /// module `Adapty` passes `Adapty.client`, so that both share one. Of two calls with different clients the later wins.
    /// - Parameter opening: the app's own navigation, for a deferred link that the delegate wants opened. (iOS would send
    ///   the app's universal links to Safari.) Default: nothing is opened.
    @nonobjc public static func start(with client: LandfallClient, opening: (@MainActor (URL) -> Void)? = nil) {
        Connection.current.start(with: client, opening: opening.map(Connection.always))
    }

    /// The client that does the work, once started: for everything that these names do not offer, and to change to it step by step.
    @nonobjc public static var client: LandfallClient? { Connection.current.client }

    /// Gets attribution and deferred links, on the main thread. Held weakly. A delegate that is set late gets the known values
    /// at once. The log says once which of its methods are never called.
    public static var delegate: (any AdjustDelegate)? {
        get { Connection.current.delegate }
        set { Connection.current.delegate = newValue }
    }
}
