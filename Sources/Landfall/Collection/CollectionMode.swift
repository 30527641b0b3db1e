// SPDX-License-Identifier: Apache-2.0
/// How much the SDK may send to the server. Paywalls and links work in every mode.
public struct CollectionMode: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Ad token, device facts, exposures, the app's own events, the clicks of links. The default.
    public static let full = CollectionMode(rawValue: "full")
    /// No ad token; of the device facts only app version, locale and platform; none of the app's own events.
    /// Exposures and the clicks of links are sent.
    public static let essential = CollectionMode(rawValue: "essential")
    /// No ad token, no device id, no exposures, no events, no clicks; device facts as in ``essential``. Links that need the server are passed
    /// on unchanged.
    public static let off = CollectionMode(rawValue: "off")
}
