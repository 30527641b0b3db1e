// SPDX-License-Identifier: Apache-2.0
@_exported public import AdaptyLogger
// Code written against these names uses TimeInterval and URL without importing Foundation.
@_exported public import Foundation
// Imports the whole module here and elsewhere: with another scoped import of it, Swift 6.3 ignores the re-exports below.
public import Landfall
@_exported public import protocol Landfall.AdTokenSource
@_exported public import struct Landfall.LinkRules

/// The names that apps already use, over one ``LandfallClient``. Everything is static and may be called from any thread.
///
/// A call made before `activate` waits for it, for at most its own time limit, and then throws 2002.
///
/// ```swift
/// try await Adapty.activate("pk_…")
/// let paywall = try await Adapty.getPaywall(placementId: "onboarding")
/// ```
public final class Adapty: Sendable {
    private init() {}

    @available(*, deprecated, renamed: "AdaptyConfiguration")
    public typealias Configuration = AdaptyConfiguration

    /// Starts the SDK; returns without waiting for the network.
    ///
    /// The server is the URL in Info.plist under `LandfallServerURL`; on Linux the environment variable `LANDFALL_SERVER`.
    /// - Parameters:
    ///   - apiKey: the app's public SDK key, `pk_…`.
    ///   - observerMode: true: the app buys and finishes by itself.
    ///   - customerUserId: the team's own id of the person, attached as `identify` would.
    /// - Throws: ``AdaptyError`` 3001 if no server is named, 3005 after an activation with another configuration.
    public static func activate(
        _ apiKey: String, observerMode: Bool = false, customerUserId: String? = nil
    ) async throws(AdaptyError) {
        try Activation.current.activate(
            AdaptyConfiguration(apiKey: apiKey, customerUserId: customerUserId, observerMode: observerMode)
        )
    }

    /// Starts the SDK; returns without waiting for the network. A second call with an equal configuration changes nothing.
    /// - Throws: ``AdaptyError`` 3001 if no server is named, 3005 after an activation with another configuration.
    public static func activate(with configuration: AdaptyConfiguration) async throws(AdaptyError) {
        try Activation.current.activate(configuration)
    }

    /// As ``activate(with:)-(AdaptyConfiguration)``, for a builder that is not built yet.
    /// - Parameter isolation: leave it out: a builder stays with the caller.
    public static func activate(
        with builder: AdaptyConfiguration.Builder, isolation: isolated (any Actor)? = #isolation
    ) async throws(AdaptyError) {
        try Activation.current.activate(builder.build())
    }

    /// True once `activate` has succeeded.
    public static var isActivated: Bool { client != nil }

    /// The client that does the work, once activated: for everything that these names do not offer, and to change to it step by step.
    public static var client: LandfallClient? { Activation.current.client }

    /// Gets the profile on the main thread, or on the queue that the configuration names. Held strongly: set nil to let it go.
    /// A delegate that is set late gets the current profile at once.
    public static var delegate: (any AdaptyDelegate)? {
        get { Activation.current.delivery.delegate }
        set { Activation.current.delivery.setDelegate(newValue, on: Activation.current.callbackQueue) }
    }

    /// The lowest level that is written; initially warnings and errors.
    public static var logLevel: AdaptyLog.Level {
        get { Activation.current.log.level }
        set { Activation.current.log.level = newValue }
    }

    /// Gets the lines of ``logLevel`` from now on. nil: the system's log, on Linux
    /// standard error, as at first.
    public static func setLogHandler(_ handler: AdaptyLog.Handler?) { Activation.current.log.handler = handler }

    /// The version of the SDK whose names these are. Landfall's own version is the package's.
    public static let SDKVersion = "3.17.2"
}
