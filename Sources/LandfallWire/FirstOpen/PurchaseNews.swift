// SPDX-License-Identifier: Apache-2.0
/// What a first open says about the person's purchases. A server that does not know the value reads `none`.
public struct PurchaseNews: WireIdentifier {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The phone is about to bring them: until it has said that they are complete, at most 3 s, they are pending.
    public static let coming = PurchaseNews("coming")
    /// None will come, or the app does not observe purchases. Nothing waits for them.
    public static let none = PurchaseNews("none")
}
