// SPDX-License-Identifier: Apache-2.0
/// The phone's report about itself. Nothing in it identifies a person; every field may be absent.
public struct DeviceFacts: Hashable, Sendable, Codable {
    /// `CFBundleShortVersionString`, compared as SemVer.
    public var appVersion: String?
    public var osVersion: String?
    /// For example `ios`, `macos`, `linux`.
    public var platform: String?
    /// Apple's name of the model, for example `iPhone16,2`.
    public var model: String?
    /// BCP 47, for example `en-US`.
    public var locale: String?
    /// ISO 3166-1 alpha-2; sent if known, never waited for.
    public var storeCountry: String?
    /// IANA name, for example `Europe/Paris`.
    public var timeZone: String?
    /// A random id in this device's keychain; connects a reinstall with the install before it.
    public var deviceId: String?
    /// How long the app had been used when this installation of Landfall began; absent if there is no evidence of an earlier
    /// launch. If present, this is an update and not a first open. Every launch of an installation sends the same value.
    public var installedAgeMilliseconds: Int64?

    public init() {}
}
