// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Landfall

/// The settings of a start: for ``Adjust/initSdk(_:)`` and ``Adjust/appDidLaunch(_:)``.
///
/// The server is ``serverURL``, else `LandfallServerURL` of Info.plist. The key is ``sdkKey``, else the app token if it is one
/// (`pk_…`), else `LandfallSDKKey` of Info.plist. An app whose other code starts a client (`Adapty.activate`) needs neither.
#if canImport(ObjectiveC)
@objc(ADJConfig) @objcMembers
#endif
public final class ADJConfig: NSObject {
    public let appToken: String
    public let environment: String
    public weak var delegate: (any AdjustDelegate)?
    /// Default ``ADJLogLevel/info``.
    public var logLevel = ADJLogLevel.info

    /// The team's own server.
    public var serverURL: URL?
    /// The app's public key, `pk_…`.
    public var sdkKey: String?
    /// Which links are the app's own. nil, the default: `LandfallLinks` of Info.plist.
    @nonobjc public var links: LinkRules?
    /// Paths of brand hosts that are not short links, such as `/products/*`, in addition to those of ``links`` or Info.plist. The
    /// server's own list (`paths:`) reaches the phone by itself; until then these count.
    public var longPaths: [String] = []
    /// Opens the link from before the installation if the delegate wants it opened. nil, the default: the system opens it, in
    /// the form of the first scheme of the client's links, because iOS opens an app's own https links in Safari. On macOS and
    /// watchOS and in app extensions the system opens nothing: the link then comes again at the next launch, and the log says so.
    @nonobjc public var opening: (@MainActor (URL) -> Void)?

    /// The app's settings that have no effect here.
    var idle: [IdleName] = []

    // They have no effect; reading gives the value that was set. `ADJConfig+Idle.swift` has those that are methods, and what they set.
    public var sdkPrefix: String? { didSet { idle.append(.sdkPrefix) } }
    public var defaultTracker: String? { didSet { idle.append(.defaultTracker) } }
    public var externalDeviceId: String? { didSet { idle.append(.externalDeviceId) } }
    public var attConsentWaitingInterval: UInt = 0 { didSet { idle.append(.attConsentWaitingInterval) } }
    public var eventDeduplicationIdsMaxSize = SeenIDs.most
    public var storeInfo: ADJStoreInfo? { didSet { idle.append(.storeInfo) } }
    public var eventBufferingEnabled = false { didSet { idle.append(.eventBufferingEnabled) } }
    public var sendInBackground = false { didSet { idle.append(.sendInBackground) } }
    public var delayStart: Double = 0 { didSet { idle.append(.delayStart) } }
    public var userAgent: String? { didSet { idle.append(.userAgent) } }
    public var isDeviceKnown = false { didSet { idle.append(.isDeviceKnown) } }
    public var needsCost = false { didSet { idle.append(.needsCost) } }
    public var urlStrategy: String? { didSet { idle.append(.urlStrategy) } }
    public var linkMeEnabled = false { didSet { idle.append(.linkMe) } }
    public var coppaCompliantEnabled = false { didSet { idle.append(.coppa) } }
    public var readDeviceInfoOnceEnabled = false { didSet { idle.append(.deviceIdsReadingOnce) } }
    public var allowIdfaReading = true { didSet { idle.append(.idfaReading) } }
    public var allowiAdInfoReading = true { didSet { idle.append(.iAd) } }
    /// False: no ad token is asked for.
    public var allowAdServicesInfoReading = true
    public internal(set) var isIdfvReadingEnabled = true
    public internal(set) var isSkanAttributionEnabled = true
    public internal(set) var isFirstSessionDelayEnabled = false
    public internal(set) var isAppTrackingTransparencyUsageEnabled = true
    public internal(set) var urlStrategyDomains: [Any]?
    public internal(set) var useSubdomains = false
    public internal(set) var isDataResidency = false

    /// - Returns: nil for an empty token.
    public init?(appToken: String, environment: String) {
        guard !appToken.isEmpty else { return nil }
        self.appToken = appToken
        self.environment = environment
    }

    /// - Parameter allowSuppressLogLevel: true: nothing is logged in production, whatever ``logLevel`` says.
    public convenience init?(appToken: String, environment: String, allowSuppressLogLevel: Bool) {
        self.init(appToken: appToken, environment: environment)
        if allowSuppressLogLevel, environment == ADJEnvironmentProduction { logLevel = .suppress }
    }

    /// As ``init(appToken:environment:allowSuppressLogLevel:)``.
    public convenience init?(appToken: String, environment: String, suppressLogLevel: Bool) {
        self.init(appToken: appToken, environment: environment, allowSuppressLogLevel: suppressLogLevel)
    }

    public func isValid() -> Bool { !appToken.isEmpty }
}
