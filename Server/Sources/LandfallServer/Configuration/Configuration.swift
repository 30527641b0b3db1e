// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What a `landfall.yaml` says, read and checked: every reference leads somewhere, every value is in range.
struct Configuration: Sendable, Discreet {
    var app: App
    var keys: [SDKKey]
    var serverKeys: [ServerKey] = []
    var identityKeys: [IdentityKey]
    var domains: Domains
    var attributeTypes: [String: AttributeType]
    var paywalls: [Paywall]
    var audiences: [Audience]
    var placements: [Placement]
    var links: [StoredLink]
    var linkPages = LinkPageSettings()
    /// False: ad tokens are not sent to Apple.
    var asksAppleAds: Bool
    var attributionWindows = AttributionWindows()
    /// Nil: no click is looked for by its address, and nothing is kept to do so.
    var addressMatching: AddressMatching?
    var retention = Retention()
    /// The app's own events.
    var events: [Event.Kind: EventDeclaration] = [:]
    /// In the order of the file.
    var metrics: [Metric] = []
    var testDevices: [TestDevice] = []
    /// In the order of the file.
    var experiments: [Experiment] = []
    /// Where reports cut days.
    var reportZone = ReportZone.utc
}
