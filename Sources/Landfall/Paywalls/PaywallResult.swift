// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

/// A paywall, and why it is this one. Two calls never have equal results, even where everything that is shown is the same.
public struct PaywallResult: Hashable, Sendable {
    public enum Origin: Hashable, Sendable {
        /// The server's answer for the audience that matches this user.
        case matchingAudience
        /// What everyone sees: the audience was not certain in time, or the default was asked for.
        case defaultAudience
        /// Stored by an earlier launch, so long ago by the phone's calendar.
        case cache(age: Duration)
        /// From the fallback file inside the app.
        case bundled
    }

    /// What to show. Nil: show nothing, and go on as if the user had closed the paywall.
    public let paywall: Paywall?
    public let placement: PlacementID
    public let audience: AudienceID
    public let origin: Origin
    /// Where attribution stood when the call returned.
    public let attribution: Attribution
    /// From the call to its return.
    public let elapsed: Duration
    /// The version of the configuration that decided.
    public let revision: Int64
    /// The call of this launch that it answers: what is shown belongs to that one. Nil where the app made it up.
    var call: PaywallCall.ID?

    public init(
        paywall: Paywall?, placement: PlacementID, audience: AudienceID, origin: Origin, attribution: Attribution,
        elapsed: Duration, revision: Int64
    ) {
        self.paywall = paywall
        self.placement = placement
        self.audience = audience
        self.origin = origin
        self.attribution = attribution
        self.elapsed = elapsed
        self.revision = revision
    }
}
