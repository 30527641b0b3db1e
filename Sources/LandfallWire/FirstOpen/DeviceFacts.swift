// SPDX-License-Identifier: Apache-2.0
/// What the phone says of itself. Nothing here identifies a person; every field may be absent.
public struct DeviceFacts: Hashable, Sendable, Codable {
    /// `CFBundleShortVersionString`, compared as SemVer.
    public var appVersion: String?
    public var osVersion: String?
    /// For example `ios`, `macos`, `linux`.
    public var platform: String?
    /// BCP 47, for example `en-US`.
    public var locale: String?
    /// ISO 3166-1 alpha-2; sent when known, never waited for.
    public var storeCountry: String?
    /// IANA name, for example `Europe/Paris`.
    public var timeZone: String?
    /// Random id that the keychain keeps on this device; links a reinstall to the install before it.
    public var deviceId: String?
    /// For how long the app had been used when this installation of Landfall began; absent where nothing shows an earlier
    /// launch. Present, it says that this is an update and no first open. Every launch of an installation says the same.
    public var installedAgeMilliseconds: Int64?

    public init() {}
}
