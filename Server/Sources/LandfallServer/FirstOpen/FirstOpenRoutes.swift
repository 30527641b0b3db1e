// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import Hummingbird
import LandfallRules
import LandfallWire
import Logging

/// `POST /v1/first-open`: one call that identifies the install and streams its paywall.
package struct FirstOpenRoutes: Sendable {
    package static let bodyLimit = 256 * 1024
    /// How long answers wait for purchases that a phone has announced. A phone that dies meanwhile costs this, and only where it is asked.
    static let purchasePatienceMs: Int64 = 3_000
    package let openings: Openings

    package init(openings: Openings) {
        self.openings = openings
    }

    @Sendable package func open(_ request: Request, context: AppContext) async throws -> Response {
        let caller = try context.requireCaller()
        let credential = try caller.requireCredential()
        let asked = try await request.decoded(as: FirstOpenRequest.self, upTo: Self.bodyLimit).checked()
        let snapshot = context.snapshot, held = openings.held
        try snapshot.check(asked.attributes.mapValues { $0 })
        for changes in asked.attributeChanges { try snapshot.check(changes.attributes) }

        let logger: @Sendable () -> Logger = { [logger = context.logger, id = context.requestID] in logger.of(id) }
        // The hold is taken before the row is read, so that no change in between is missed.
        let address = held.addresses.bounded(of: request, context)
        var place =
            asked.holdMilliseconds > 0
            ? HeldPlace(
                .stream, caller.app, credential.installID, at: address, about: asked.placements.map(\.id), in: held.holds)
            : nil
        let nowMs = held.time.nowMs(), holdEndsAtMs = nowMs + asked.holdMilliseconds
        let purchasesUntilMs = asked.purchases == .coming ? nowMs + Self.purchasePatienceMs : 0
        let openedAtMs = openings.clock.ms(at: nowMs)
        let adToken = snapshot.accepted(asked.adToken)
        var opening = Opening(device: asked.device, adToken: adToken, attributes: asked.attributes)
        opening.attributeChanges = asked.attributeChanges
        if purchasesUntilMs > 0, snapshot.comparedValues.readsPurchases { opening.purchasesUntilMs = purchasesUntilMs }
        if adToken == .coming, place != nil {
            opening.announced = AnnouncedToken(
                snapshot: snapshot, placements: asked.placements.map(\.id), holdEndsAtMs: holdEndsAtMs, openedAtMs: openedAtMs)
        }
        opening.deferred = openings.codes.claim(
            asked.deferred, in: snapshot, at: held.addresses.place(of: request, context), from: address, of: caller.app, credential,
            nowMs: nowMs)
        let enrolling = Enrollment(
            snapshot: snapshot, placements: asked.placements.map(\.id), isTokenAnnounced: adToken == .coming,
            holdEndsAtMs: holdEndsAtMs, purchasesUntilMs: purchasesUntilMs, echoes: asked.assignments ?? [])
        if snapshot.storesAssignments { opening.enrolling = enrolling }
        let opened = try await openings.open(
            opening, asked.links, in: snapshot, of: caller, credential, from: address,
            country: held.addresses.country(of: request, context), nowMs: nowMs,
            logger: logger)
        if opened.standing == .unread || place?.admit() == false { place = nil }
        let isTokenAnnounced = adToken == .coming || opened.standing != .stored && adToken.isValue

        let session = FirstOpenSession(
            snapshot: snapshot, wanted: asked.placements, deferred: opened.deferred, tokens: openings.answers.tokens,
            standing: opened.standing,
            unstoredToken: opened.standing != .stored && isTokenAnnounced
                ? UnstoredToken(adToken, of: opened.install, openedAtMs: openedAtMs, holdEndsAtMs: holdEndsAtMs) : nil,
            knownLinkRules: request.headers[.landfallLinkRules], holdEndsAtMs: holdEndsAtMs,
            purchasesUntilMs: purchasesUntilMs
        )
        let stream = FirstOpenStream(
            openings: openings, caller: caller, credential: credential, device: asked.device.deviceId, channel: context.channel,
            logger: logger)
        let body = stream.body(session, opened.install, isTokenAnnounced: isTokenAnnounced, place: place)
        return Response(status: .ok, headers: Self.headers, body: body)
    }

    /// Caches, proxies and compression must not delay a line.
    package static let headers: HTTPFields = [
        .contentType: "application/x-ndjson",
        .cacheControl: "no-store, no-transform",
        .xAccelBuffering: "no",
    ]
}

extension FirstOpenRequest {
    static let mostPlacements = 32
    static let mostLinks = 64
    static let mostAttributeChanges = 64
    static let mostAssignments = 32

    /// The request with its hold clamped to 0…30,000 ms.
    /// - Throws: `invalid_value` if a list is longer than one call allows.
    fileprivate func checked() throws -> FirstOpenRequest {
        guard placements.count <= Self.mostPlacements else {
            throw RequestError.invalid("placements", "at most \(Self.mostPlacements) in one call.")
        }
        guard links.count <= Self.mostLinks else {
            throw RequestError.invalid("links", "at most \(Self.mostLinks) in one call.")
        }
        guard attributeChanges.count <= Self.mostAttributeChanges else {
            throw RequestError.invalid("attributeChanges", "at most \(Self.mostAttributeChanges) in one call.")
        }
        guard assignments?.count ?? 0 <= Self.mostAssignments else {
            throw RequestError.invalid("assignments", "at most \(Self.mostAssignments) in one call.")
        }
        if case .value(let token) = adToken, !AppleAdsToken.isPlausible(token) {
            throw RequestError.invalid("adToken.value", "a token of 1 to 4096 visible ASCII characters.")
        }
        var checked = self
        checked.deferred = try deferred?.checked()
        checked.holdMilliseconds = min(max(0, holdMilliseconds), Waiting.longest)
        return checked
    }
}

extension HTTPField.Name {
    package static let xAccelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
