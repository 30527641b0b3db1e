// SPDX-License-Identifier: Apache-2.0
/// The names of the HTTP headers that both sides use.
public enum WireHeader {
    /// Contains `<install id>.<secret>` and authenticates the caller. The public SDK key is in `Authorization: Bearer`.
    public static let profile = "Landfall-Profile"
    /// Present on every answer of a Landfall server. An answer without it comes from another server (a captive portal, a
    /// proxy's page) and changes nothing on the phone.
    public static let version = "Landfall-Version"
    /// The id of one request, repeated in error bodies and in the server's log.
    public static let requestID = "Landfall-Request-Id"
}
