// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LandfallWire

/// All parts of a client. Everything that the SDK cannot control (network, disk, time, randomness, platform) is injected here.
public struct LandfallConfiguration: Sendable {
    /// The public key of the app, `pk_…`.
    public var sdkKey: String
    /// The team's own server, for example `https://api.example.com`. A path is put before the path of every call.
    public var server: URL
    /// Placements that `start()` loads at once, so that they are ready when the screen appears. At most 32 count.
    public var preparing: [PlacementID]

    /// Supplies the ad token. nil, the default here, means that the platform has none; LandfallApple sets AdServices.
    public var adTokens: (any AdTokenSource)?
    /// Outlives the app's files. nil, the default here: neither reinstalls nor restored copies are recognised.
    public var deviceIDs: (any DeviceIDStore)?
    /// When the app was used before it shipped Landfall, if the app itself knows it: then this is an update and not a first
    /// open. nil, the default: ``earlierUse`` decides. Leave it nil in the first launch after an installation; a date less than
    /// a minute ago counts as nil.
    public var usedBefore: Date?
    /// When the app was used before this process began, according to the platform; nil without evidence. Called once, when an
    /// installation begins, never on the caller's thread. Default: nil; LandfallApple uses the file of the app's preferences.
    public var earlierUse: @Sendable () -> Date?
    /// The store's transactions, for ``LandfallClient/observePurchases()``. nil, the default here, means that there is no store;
    /// LandfallApple sets StoreKit's. Nothing is read before that call.
    public var transactions: (any TransactionSource)?
    /// What the store sells, for ``LandfallClient/purchase(_:from:within:)``. nil, the default here, means that there is no store;
    /// LandfallApple sets StoreKit's. Its transactions are read once the app has sold something with that call.
    public var products: (any ProductSource)?
    public var transport: any Transport
    /// nil: files in `landfall` inside the application support directory, excluded from backup.
    public var storage: (any Storage)?
    public var time: LandfallTime
    /// Returns that many random bytes, good enough for a secret. Default: the system's generator.
    public var randomBytes: @Sendable (Int) -> [UInt8]
    /// The phone's report about itself. Default: from the bundle, the process and the current locale.
    public var device: DeviceFacts

    /// The sources that tell the client what happens around the app. Default: none; LandfallApple sets lifecycle, network path
    /// and store country.
    public var platform: [any PlatformSignals]
    /// True: a launch counts as an open only from the first ``LandfallClient/enteredForeground()`` on. So a launch in the
    /// background, or one that the system makes ahead of time, is not counted. Until then `start()` opens the files and sends
    /// nothing by itself; calls are answered as always. Default false; LandfallApple sets true in an app with UIKit.
    public var opensOnActivation: Bool

    /// Which links are the app's own, and which of them need no server. Default: none are known.
    public var links: LinkRules

    /// A bundled fallback file (JSON), the last resort of every paywall call; can be set later with `setFallback(_:)`.
    public var fallback: Data?
    /// How long the server may hold the first open: 0…30 s, default 10 s.
    public var hold: Duration
    /// How long calls wait for pending attribution, counted from `start()`, or from the moment at which the app is visible with
    /// ``opensOnActivation``. Then they return the server's current match as soon as it has answered. nil, the default: until
    /// each call's own limit.
    public var attributionLimit: Duration?
    /// For an app that waits for attribution by its own timer before it asks for a paywall: how long its shortest timer runs,
    /// counted like ``attributionLimit``. A call that is made later does not wait for pending attribution. A call that follows
    /// within a second after the app has given up (cancelled) another one for the same placement answers at once with the best
    /// that is there, if the other one had waited for a second or longer. nil, the default: the app has no such timer, and each
    /// call waits by itself.
    public var ownTimer: Duration?
    /// How old a stored paywall of the matching audience may be: 0…365 days, default 7 days.
    public var matchingCacheAge: Duration
    /// A value that is set here replaces the one of an earlier launch. Default nil: the stored value, else
    /// ``CollectionMode/full``.
    public var collection: CollectionMode?
    /// Receives every line from ``minimumLogLevel`` up. Called from any thread, never while the client holds a lock; must
    /// return quickly. Default: standard error; LandfallApple writes to the system's log.
    public var log: @Sendable (LogLine) -> Void
    /// The lowest level that is logged. Default ``LogLine/Level/warning``; ``LogLine/Level/debug`` logs each request, each
    /// change and each paywall with its reason.
    public var minimumLogLevel: LogLine.Level

    /// The values of the app's bundle, which the client checks against the configuration.
    package var bundle: AppBundle

    /// Uses none of the SDK's files and no network; reads the bundle's Info.plist, the languages and the time zone.
    public init(sdkKey: String, server: URL, preparing: [PlacementID] = []) {
        self.sdkKey = sdkKey
        self.server = server
        self.preparing = preparing
        self.earlierUse = { nil }
        self.transport = URLSessionTransport()
        self.time = .live
        self.randomBytes = { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<max(0, count)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        }
        self.device = .current
        self.platform = []
        self.opensOnActivation = false
        self.links = LinkRules()
        self.hold = .seconds(10)
        self.matchingCacheAge = .seconds(7 * 86_400)
        self.log = LogLine.toStandardError
        self.minimumLogLevel = .warning
        self.bundle = .current
    }
}

extension LandfallConfiguration {
    /// ``log`` for the lines that are wanted.
    var wantedLog: @Sendable (LogLine) -> Void {
        { [log, minimumLogLevel] line in if line.level >= minimumLogLevel { log(line) } }
    }
}
