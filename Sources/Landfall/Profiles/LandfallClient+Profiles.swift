// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

extension LandfallClient {
    /// The current profile first, as soon as one is known, then every change in order. Any number of listeners, each with a
    /// stream and an unbounded buffer of its own. Ends with ``shutdown()``.
    public var profiles: AsyncStream<Profile> { launch.profiles() }

    /// As last known; nil until an earlier launch's profile is read or the server has answered.
    public var profile: Profile? { launch.profile }

    /// Where attribution stands as last known; pending until somebody has answered.
    public var attribution: Attribution { launch.attribution }

    /// Says who this person is in the team's own words. Without a token the id is attached to this profile. With a valid
    /// identity token of the team's backend the profile of that person is joined.
    /// - Parameters:
    ///   - customerID: 1…512 bytes of UTF-8.
    ///   - token: the identity token; nil, the default, attaches the id.
    /// - Throws: ``LandfallError``. Nothing is queued: the app decides whether to try again.
    @discardableResult
    public func identify(_ customerID: String, token: String? = nil) async throws -> Profile {
        try await launch.identify(customerID, token: token)
    }

    /// Gives this install a fresh, anonymous profile; its attribution stays.
    /// - Throws: ``LandfallError``.
    @discardableResult
    public func logOut() async throws -> Profile { try await launch.logOut() }

    /// Sets attributes, or removes those that are nil. Does no disk work on this thread: the background stores them at once
    /// (and logs where the files cannot be written); they leave with the first open if that has not left yet, else with the outbox.
    /// - Parameter changes: at most 30; keys of 1…30 `[A-Za-z0-9._-]`, strings of at most 200 bytes, finite numbers.
    /// - Throws: ``LandfallError/Kind/invalidArgument``; nothing was accepted then.
    public func setAttributes(_ changes: [String: AttributeValue?]) throws { try launch.setAttributes(changes) }

    /// Passes on what another attribution provider says. Kept as unverified. The background stores it at once.
    /// - Parameters: names of at most 200 bytes; `source` 1…64 of `[a-z0-9_.-]`, none of the server's own.
    /// - Throws: ``LandfallError/Kind/invalidArgument``; nothing was accepted then.
    public func reportAttribution(
        source: AttributionSource, status: AttributionStatus, channel: String? = nil, campaign: String? = nil,
        adGroup: String? = nil, adSet: String? = nil, creative: String? = nil
    ) throws {
        var claim = AttributionClaim(key: launch.makeKey(), source: source, status: status.wire)
        claim.channel = channel
        claim.campaign = campaign
        claim.adGroup = adGroup
        claim.adSet = adSet
        claim.creative = creative
        try launch.report(claim)
    }
}
