// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

/// A paywall, and the reason for it. Two calls never have equal results, even if they show the same.
public struct PaywallResult: Hashable, Sendable {
    public enum Origin: Hashable, Sendable {
        /// The server's answer for the audience that matches this user.
        case matchingAudience
        /// The paywall for everyone: the audience was not certain in time, or the default was requested.
        case defaultAudience
        /// Stored by an earlier launch; its age is by the phone's calendar.
        case cache(age: Duration)
        /// From the fallback file inside the app.
        case bundled
    }

    /// What to show. Nil: show nothing, and go on as if the user had closed the paywall.
    public let paywall: Paywall?
    public let placement: PlacementID
    public let audience: AudienceID
    public let origin: Origin
    /// The attribution with which the server decided this answer. For an answer for everyone, and a bundled one: what was known when
    /// the call returned.
    public let attribution: Attribution
    /// From the call to its return.
    public let elapsed: Duration
    /// The version of the configuration that decided.
    public let revision: Int64
    /// The variation of an experiment that chose this answer, also where it shows nothing; nil if no experiment did. This
    /// install keeps its variation for ever.
    public let assignment: Assignment?
    /// The epoch of the server's store that gave ``assignment``.
    var store: Int64 = 0
    /// The call of this launch that it answers; the shown paywall belongs to it. Nil if the app made the result itself.
    var call: PaywallCall.ID?

    public init(
        paywall: Paywall?, placement: PlacementID, audience: AudienceID, origin: Origin, attribution: Attribution,
        elapsed: Duration, revision: Int64, assignment: Assignment? = nil
    ) {
        self.paywall = paywall
        self.placement = placement
        self.audience = audience
        self.origin = origin
        self.attribution = attribution
        self.elapsed = elapsed
        self.revision = revision
        self.assignment = assignment
    }
}
