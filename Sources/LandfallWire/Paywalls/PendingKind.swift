// SPDX-License-Identifier: Apache-2.0
/// Something that is on its way and can change an answer. More kinds may come: a client keeps those that it does not know.
public struct PendingKind: WireIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Apple's answer, or the token that it needs.
    public static let attribution = PendingKind("attribution")
    /// The link that was tapped before the app was installed.
    public static let deferredLink = PendingKind("deferredLink")
    /// What the person has bought, see ``PurchaseNews/coming``.
    public static let purchases = PendingKind("purchases")
}
