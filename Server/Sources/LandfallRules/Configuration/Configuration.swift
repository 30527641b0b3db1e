// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// The content of a `landfall.yaml`, read and checked: every reference is resolved, every value is in range.
package struct Configuration: Sendable, Redacted {
    package var app: App
    package var keys: [SDKKey]
    package var serverKeys: [ServerKey] = []
    package var identityKeys: [IdentityKey]
    package var domains: Domains
    package var attributeTypes: [String: AttributeType]
    var paywalls: [Paywall]
    /// In the order of the file.
    package var paywallNames: [String] { paywalls.map(\.id.rawValue) }
    package var audiences: [Audience]
    package var placements: [Placement]
    package var links: [StoredLink]
    package var linkPages = LinkPageSettings()
    /// In the order of the file.
    package var linkTemplates: [LinkTemplate] = []
    /// False: ad tokens are not sent to Apple.
    package var asksAppleAds: Bool
    /// With what names and spend of Apple Ads are read; nil: they are not read.
    package var appleAds: AppleAdsAccess?
    package var attributionWindows = AttributionWindows()
    /// Nil: clicks are not matched by address, and nothing is stored for that.
    package var addressMatching: AddressMatching?
    package var retention = Retention()
    /// The app's own events.
    package var events: [Event.Kind: EventDeclaration] = [:]
    /// In the order of the file.
    package var metrics: [Metric] = []
    package var testDevices: [TestDevice] = []
    /// In the order of the file.
    package var experiments: [Experiment] = []
    /// The time zone of the days in reports.
    package var reportZone = ReportZone.utc
    /// What products open, whose purchases are, and what money is worth.
    package var purchases = PurchaseRules()
    /// In the order of the file.
    package var webhooks: [WebhookEndpoint] = []
    /// Nil: no files are written without a command.
    package var exports: ExportSchedule?
    /// What people are told of, and who is.
    package var alerts = AlertSettings()
    /// How members come into the console.
    package var signIn = SignInRules()
}

extension Configuration {
    /// The sections that a server key may never change: they define who may call, who is trusted and what is deleted.
    package static let protectedSections: Set<String> = [
        "app", "keys", "identity", "domains", "appleAds", "webhooks", "purchases", "retention", "alerts", "exports", "signIn",
    ]

    /// Those of them that say who is an owner: who is none could become one by changing them.
    package static let ownerSections: Set<String> = ["signIn"]
}
