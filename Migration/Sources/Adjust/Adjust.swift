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
/// Calls made before ``start(with:opening:)`` are kept: their links are recorded as soon as there is a client, and their completions
/// are called within the bound all the same, with the link as it came where nobody has started in time.
#if canImport(ObjectiveC)
@objc(Adjust) @objcMembers
#endif
public final class Adjust: NSObject {
    override private init() {}

    /// How long a completion may take: 2.5 s, whatever happens.
    @nonobjc public static let bound = Connection.bound

    /// Names the client that does the work. Starting the client itself stays the app's. An app that also uses the names of
    /// module `Adapty` passes `Adapty.client`, so that both share one. Of two calls with different clients the later wins.
    /// - Parameter opening: the app's own navigation, for a deferred link that the delegate wants opened. (iOS would send
    ///   the app's universal links to Safari.) Default: nothing is opened.
    @nonobjc public static func start(with client: LandfallClient, opening: (@MainActor (URL) -> Void)? = nil) {
        Connection.current.start(with: client, opening: opening)
    }

    /// What does the work, once started: for what these names cannot say, and to move over step by step.
    @nonobjc public static var client: LandfallClient? { Connection.current.client }

    /// Hears of attribution and of deferred links, on the main thread. Held weakly. Set late, it gets what is known at once.
    public static var delegate: (any AdjustDelegate)? {
        get { Connection.current.delegateCalls.delegate }
        set { Connection.current.delegateCalls.delegate = newValue }
    }
}
