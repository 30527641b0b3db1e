// SPDX-License-Identifier: Apache-2.0
/// One thing that happened in the app.
public struct Event: Hashable, Sendable, Codable {
    public struct Kind: WireIdentifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A paywall appeared on the screen.
        public static let paywallShown = Kind("paywall_shown")
    }

    /// UUIDv7 in lower case, made on the phone: an event that is sent twice counts once.
    public var id: String
    public var type: Kind
    /// How long the event waited on the phone: 0…30 days. Never a date by the phone's clock.
    public var ageMilliseconds: Int64
    public var placement: PlacementID?
    public var paywall: PaywallID?
    public var variationId: VariationID?
    public var audience: AudienceID?
    public var revision: Int64?
    /// The origin of the shown paywall: `matchingAudience`, `defaultAudience`, `cache`, `bundled`.
    public var origin: String?
    /// From the app's question to the answer that was shown: 0…86,400,000. Only in `paywall_shown`.
    public var elapsedMilliseconds: Int64?
    /// The variation that decided what is shown. Only in `paywall_decided` and `paywall_shown`.
    public var assignment: Assignment?
    /// What the app adds to an own event. The server keeps the properties that the configuration declares.
    public var value: EventValue?
    /// Three capitals of ISO 4217, if the value is money.
    public var currency: String?
    public var properties: [String: AttributeValue]?

    public init(id: String, type: Kind, ageMilliseconds: Int64) {
        self.id = id
        self.type = type
        self.ageMilliseconds = ageMilliseconds
    }
}
