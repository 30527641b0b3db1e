// SPDX-License-Identifier: Apache-2.0
internal import Foundation
public import LandfallWire

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
