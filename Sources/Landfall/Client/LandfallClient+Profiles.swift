// SPDX-License-Identifier: Apache-2.0
public import LandfallWire

extension LandfallClient {
    /// The current profile first, as soon as one is known, then every change in order. Any number of listeners, each with its
    /// own stream and unbounded buffer. Ends with ``shutdown(within:)``.
    public var profiles: AsyncStream<Profile> { launch.profiles() }

    /// The last known profile; nil until an earlier launch's profile is read or the server has answered.
    public var profile: Profile? { launch.profile }

    /// The last known attribution; pending until there is an answer.
    public var attribution: Attribution { launch.attribution }

    /// Identifies the person by the team's own id. Without a token the id is attached to this profile. With a valid identity
    /// token of the team's backend this install joins the profile of that person. Attribute changes that wait are sent before, for
    /// at most half of the time limit; what could not be sent is dropped if the profile is another one then.
    /// - Parameters:
    ///   - customerID: 1…512 bytes of UTF-8.
    ///   - token: the identity token; nil, the default, attaches the id.
    ///   - limit: 0…1 day, anything else is clamped; default 10 seconds. It includes the wait for an earlier call of this kind.
    /// - Throws: ``LandfallError``, at the time limit at the latest. Nothing is queued: the app decides whether to try again. After
    ///   ``LandfallError/Kind/network(_:)`` the server may have done it; to call again does no harm.
    @discardableResult
    public func identify(
        _ customerID: String, token: String? = nil, within limit: Duration = .seconds(10)
    ) async throws -> Profile {
        try await launch.identify(customerID, token: token, within: limit)
    }

    /// Gives this install a fresh, anonymous profile; its attribution stays. Attribute changes that wait are sent before, as for
    /// ``identify(_:token:within:)``. Calls of both are done one after the other.
    /// - Parameter limit: 0…1 day, anything else is clamped; default 10 seconds.
    /// - Throws: ``LandfallError``, `CancellationError`. After a network error or a cancellation nobody knows whether the server has done
    ///   it: call it again before the next person begins. Attribute changes that could not be sent still wait. The server leaves them
    ///   out if it shows another profile, except those that were made before its first answer of this launch, during this call or after
    ///   such an error.
    @discardableResult
    public func logOut(within limit: Duration = .seconds(10)) async throws -> Profile { try await launch.logOut(within: limit) }

    /// Sets attributes, or removes those that are nil. Does no disk work on this thread: a background task stores them at once
    /// (and logs if the files cannot be written). They are sent with the first open if that has not been sent yet, else with
    /// the outbox. A call for a paywall that follows waits for them, within its own time limit.
    /// - Parameter changes: at most 30; keys of 1…30 `[A-Za-z0-9._-]`, strings of at most 200 bytes, finite numbers.
    /// - Throws: ``LandfallError/Kind/invalidArgument``, ``LandfallError/Kind/shutDown``; then nothing was accepted.
    public func setAttributes(_ changes: [String: AttributeValue?]) throws { try launch.setAttributes(changes) }

    /// As ``setAttributes(_:)``, and returns when the server has them. ``profiles`` tells them as soon as its answer has been read.
    /// ```swift
    /// try await landfall.setAttributes(["plan": "pro"], within: .seconds(5))
    /// ```
    /// - Parameters:
    ///   - changes: as for ``setAttributes(_:)``.
    ///   - limit: 0…1 day; anything else is clamped.
    /// - Throws: as ``setAttributes(_:)`` where nothing was accepted. After any other error of ``LandfallClient/flush(within:)`` except
    ///   `refused` the attributes stay on the phone, and are sent later; so they are after a cancellation.
    public func setAttributes(_ changes: [String: AttributeValue?], within limit: Duration) async throws {
        try await launch.setAttributes(changes, within: limit)
    }

    /// Reports another provider's attribution. Stored as unverified. A background task stores it at once.
    /// - Parameters: names of at most 200 bytes; `source` 1…64 of `[a-z0-9_.-]`, not one of the server's own sources.
    /// - Throws: ``LandfallError/Kind/invalidArgument``, ``LandfallError/Kind/shutDown``; then nothing was accepted.
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
