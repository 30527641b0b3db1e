// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import LandfallWire

/// Everything a client is made of. What the SDK cannot control (network, disk, time, chance, platform) comes in here.
public struct LandfallConfiguration: Sendable {
    /// The public key of the app, `pk_…`.
    public var sdkKey: String
    /// The team's own server, for example `https://api.example.com`. A path is kept in front of every call.
    public var server: URL
    /// Placements that `start()` asks for at once, so that they are there when the screen is. At most 32 count.
    public var preparing: [PlacementID]

    /// Supplies the ad token. nil, the default here, says that the platform has none; LandfallApple sets AdServices.
    public var adTokens: (any AdTokenSource)?
    /// Outlives the app's files. nil, the default here: neither reinstall nor restored copy is recognised.
    public var deviceIDs: (any DeviceIDStore)?
    /// When the app was used before it shipped Landfall, if the app itself knows it: then this is an update and no first open.
    /// nil, the default: as ``earlierUse`` shows. Leave it nil in the first launch after an installation; a date less than a
    /// minute ago counts as nil.
    public var usedBefore: Date?
    /// When the app was used before this process began, as the platform shows it; nil where nothing shows that. Asked once,
    /// when an installation begins, never on the caller's thread. Default: nothing shows it; LandfallApple looks at the file of
    /// the app's preferences.
    public var earlierUse: @Sendable () -> Date?
    public var transport: any Transport
    /// nil: files in `landfall` inside the application support directory, excluded from backup.
    public var storage: (any Storage)?
    public var time: LandfallTime
    /// So many random bytes, good enough for a secret. Default: the system's generator.
    public var randomBytes: @Sendable (Int) -> [UInt8]
    /// What the phone says of itself. Default: from the bundle, the process and the current locale.
    public var device: DeviceFacts

    /// What tells the client about the world around the app. Default: nothing; LandfallApple sets lifecycle, network path and
    /// store country.
    public var platform: [any PlatformSignals]
    /// True: a launch is an open only from the first ``LandfallClient/enteredForeground()`` on. So a launch that the system
    /// makes in the background, or ahead of time, is not counted. Until then `start()` opens the files and sends nothing by
    /// itself; calls are answered as always. Default false; LandfallApple says true in an app with UIKit.
    public var opensOnActivation: Bool

    /// Which links are the app's own, and which of them need no server. Default: none are known.
    public var links: LinkRules

    /// A bundled fallback file (JSON), the last resort of every paywall call; may follow with `setFallback(_:)`.
    public var fallback: Data?
    /// How long the server may hold the first open: 0…30 s, default 10 s.
    public var hold: Duration
    /// How long after `start()`, or after the app is seen where ``opensOnActivation`` says so, calls wait for attribution that is
    /// open; then they return what matches so far, as soon as the server has said it. For an app that waits by a timer of its
    /// own before it asks. nil, the default: until each call's own limit.
    public var attributionLimit: Duration?
    /// How old a stored paywall of the matching audience may be: 0…365 days, default 7 days.
    public var matchingCacheAge: Duration
    /// Set here it wins over what was stored by an earlier launch. Default nil: as stored, else ``CollectionMode/full``.
    public var collection: CollectionMode?
    /// Given every line from ``minimumLogLevel`` on. Called from any thread, never while the client holds a lock; must return
    /// quickly. Default: to standard error; LandfallApple writes to the system's log.
    public var log: @Sendable (LogLine) -> Void
    /// What is worth a line. Default ``LogLine/Level/warning``; ``LogLine/Level/debug`` tells each request, each change and each
    /// paywall with its reason.
    public var minimumLogLevel: LogLine.Level

    /// What the app's bundle says, which the client checks against the rest.
    package var bundle: AppBundle

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
