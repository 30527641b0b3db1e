// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// The phone's report about itself. Nothing in it identifies a person; every field may be absent.
public struct DeviceFacts: Hashable, Sendable {
    /// `CFBundleShortVersionString`, compared as SemVer.
    public var appVersion: String?
    public var osVersion: String?
    /// For example `ios`, `macos`, `linux`.
    public var platform: String?
    /// BCP 47, for example `en-US`.
    public var locale: String?
    /// ISO 3166-1 alpha-2; sent if known, never waited for.
    public var storeCountry: String?
    /// IANA name, for example `Europe/Paris`.
    public var timeZone: String?

    public init() {}

    var wire: LandfallWire.DeviceFacts {
        var wire = LandfallWire.DeviceFacts()
        wire.appVersion = appVersion
        wire.osVersion = osVersion
        wire.platform = platform
        wire.locale = locale
        wire.storeCountry = storeCountry
        wire.timeZone = timeZone
        return wire
    }
}

extension DeviceFacts {
    /// This app on this device, as far as Foundation knows it.
    public static var current: DeviceFacts {
        var facts = DeviceFacts()
        facts.appVersion = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
        let system = ProcessInfo.processInfo.operatingSystemVersion
        facts.osVersion = "\(system.majorVersion).\(system.minorVersion).\(system.patchVersion)"
        facts.platform = platformName
        facts.locale = Locale.preferredLanguages.first ?? Locale.current.identifier
        facts.timeZone = TimeZone.current.identifier
        return facts
    }

    private static var platformName: String {
        #if os(iOS)
        "ios"
        #elseif os(macOS)
        "macos"
        #elseif os(tvOS)
        "tvos"
        #elseif os(watchOS)
        "watchos"
        #elseif os(visionOS)
        "visionos"
        #elseif os(Linux)
        "linux"
        #else
        "other"
        #endif
    }
}
