// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
internal import Darwin
#endif
internal import Foundation
internal import LandfallWire

/// The phone's report about itself. Nothing in it identifies a person; every field may be absent.
public struct DeviceFacts: Hashable, Sendable {
    /// `CFBundleShortVersionString`, compared as SemVer.
    public var appVersion: String?
    public var osVersion: String?
    /// For example `ios`, `macos`, `linux`.
    public var platform: String?
    /// Apple's name of the model, for example `iPhone16,2`; millions of devices have the same.
    public var model: String?
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
        wire.model = model
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
        facts.model = modelName
        facts.locale = Locale.preferredLanguages.first ?? Locale.current.identifier
        facts.timeZone = TimeZone.current.identifier
        return facts
    }

    /// Nil where Apple has not named the machine.
    private static var modelName: String? {
        #if targetEnvironment(simulator)
        ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"]
        #elseif os(macOS)
        systemText("hw.model")
        #elseif canImport(Darwin)
        systemText("hw.machine")
        #else
        nil
        #endif
    }

    #if canImport(Darwin)
    private static func systemText(_ name: String) -> String? {
        var size = 0
        guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    #endif

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
