// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
package import LandfallRules
package import LandfallStore
package import LandfallWire

/// `GET /v1/explain`: why an install sees a paywall. For a server key with `profiles`, or for a command.
package struct ExplanationRoutes: Sendable {
    package static let path = "/v1/explain"
    package let database: any Database
    package let installs: any InstallStore
    package let time: ServerTime

    package init(database: any Database, installs: any InstallStore, time: ServerTime) {
        (self.database, self.installs, self.time) = (database, installs, time)
    }

    /// `GET ?install=&placement=&exposure=`, or with `profile=`: then the install of the profile that was seen last.
    @Sendable package func explain(_ request: Request, context: AppContext) async throws -> Answer<Explanation> {
        let app = try context.requireCaller().app
        let query = request.uri.queryParameters
        func text(_ name: Substring) throws -> String? {
            guard let text = query[name].map(String.init) else { return nil }
            guard (1...Limits.customerID).contains(text.utf8.count), !text.utf8.contains(0) else {
                throw RequestError.invalid(String(name), "an id of 1 to \(Limits.customerID) bytes.")
            }
            return text
        }
        guard let placement = try text("placement").map({ PlacementID($0) }) else {
            throw RequestError.invalid("placement", "name the placement that was asked for.")
        }
        let store = ExplanationStore(database: database)
        let id: InstallID?
        switch (try text("install"), try text("profile")) {
        case (let install?, nil): id = InstallID(install)
        case (nil, let profile?): id = try await store.lastSeenInstall(of: ProfileID(profile), in: app)
        default: throw RequestError.invalid("install", "name either an install or a profile.")
        }
        guard let id else { throw ExplanationError.unknownInstall }
        return Answer(
            try await explanation(of: id, in: app, at: placement, exposure: text("exposure"), served: context.snapshot))
    }

    /// - Parameters:
    ///   - event: the exposure to explain, as the phone calls it; nil explains the present answer.
    ///   - served: the configuration that answers now.
    /// - Throws: ``ExplanationError``, ``UnknownPlacement``.
    package func explanation(
        of id: InstallID, in app: AppID, at placement: PlacementID, exposure event: String?, served: Snapshot
    ) async throws -> Explanation {
        try await unnamed(of: id, in: app, at: placement, exposure: event, served: served).named(by: AppleAdsNames(database, app: app))
    }

    private func unnamed(
        of id: InstallID, in app: AppID, at placement: PlacementID, exposure event: String?, served: Snapshot
    ) async throws -> Explanation {
        guard let install = try await installs.install(app, id) else { throw ExplanationError.unknownInstall }
        let nowMs = time.nowMs(), store = ExplanationStore(database: database)
        guard let event else {
            let isWaiting = install.nextAppleAnswer(nowMs: nowMs) != nil || install.isTokenComing(nowMs: nowMs)
            let pending = (isWaiting ? Pending.attribution : []).union(install.arePurchasesComing(nowMs: nowMs) ? .purchases : [])
            return try Explanation(install, placement, in: served, pending: pending, nowMs: nowMs)
        }
        guard let exposure = try await store.exposure(event, of: id, in: app) else {
            throw ExplanationError.unknownEvent
        }
        guard exposure.placement == placement.rawValue else {
            throw ExplanationError.otherPlacement
        }
        let revision = exposure.revision ?? exposure.kept?.revision ?? served.revision
        let snapshot = try await store.snapshot(revision, served: served)
        return try Explanation(install, placement, in: snapshot, at: exposure, served: served, nowMs: nowMs)
    }
}

extension Explanation {
    /// The explanation of the present answer.
    /// - Throws: ``UnknownPlacement``.
    init(_ install: Install, _ id: PlacementID, in snapshot: Snapshot, pending: Pending, nowMs: Int64) throws {
        guard let placement = snapshot.placements[id] else { throw UnknownPlacement() }
        let device = snapshot.testDevices.device(install)
        self.init(
            Explainer(
                placement: placement, install: install, snapshot: snapshot, facts: snapshot.facts(of: install, nowMs: nowMs),
                pending: pending, testDevice: device),
            install, revision: snapshot.revision, inReports: device == nil, exposure: nil, late: [])
    }

    /// The explanation of an earlier exposure, as far as its values were stored.
    /// - Throws: ``UnknownPlacement``.
    /// - Parameters:
    ///   - snapshot: the configuration that decided.
    ///   - served: the configuration that reports use.
    init(
        _ install: Install, _ id: PlacementID, in snapshot: Snapshot, at exposure: StoredExposure, served: Snapshot, nowMs: Int64
    ) throws {
        guard let placement = snapshot.placements[id] else { throw UnknownPlacement() }
        let now = snapshot.facts(of: install, nowMs: nowMs).values.said
        let kept = exposure.kept?.values ?? [:]
        let facts = AudienceFacts(FactValues(said: now.merging(kept) { _, kept in kept }), nowMs: exposure.receivedAtMs)
        let late = kept.keys.sorted().compactMap { name -> Late? in
            let isLate = AudienceAttribute(rawValue: name).map { !$0.changedBy.isEmpty } ?? name.hasPrefix(AccessField.prefix)
            guard isLate else { return nil }
            let then = kept[name].flatMap { $0 == .null ? nil : $0 }
            return then == now[name] ? nil : Late(attribute: name, then: then, now: now[name])
        }
        self.init(
            Explainer(
                placement: placement, install: install, snapshot: snapshot, facts: facts, pending: .nothing,
                testDevice: snapshot.testDevices.device(install),
                kept: Set(kept.keys)),
            install, revision: snapshot.revision, inReports: served.testDevices.device(install) == nil, exposure: Exposure(exposure),
            late: late)
    }

    private init(
        _ explaining: Explainer, _ install: Install, revision: Int64, inReports: Bool, exposure: Exposure?, late: [Late]
    ) {
        self.init(
            install: install.id.rawValue, profile: install.profileID.rawValue, placement: explaining.placement.id.rawValue,
            revision: revision, asOf: exposure == nil ? .now : .exposure, final: explaining.isFinal, audiences: explaining.audiences,
            draw: explaining.drawing, chosen: Chosen(explaining.decision), testDevice: explaining.test, testPayload: explaining.isTestPayload,
            inReports: inReports, exposure: exposure, late: late)
    }
}

extension Explanation.Chosen {
    init(_ decision: Decision) {
        self.init(
            audience: decision.audience.rawValue, paywall: decision.paywallID?.rawValue,
            experiment: decision.experiment?.id.rawValue, variation: decision.assignment?.variation.rawValue)
    }
}

extension Explanation.Exposure {
    fileprivate init(_ stored: StoredExposure) {
        self.init(
            eventId: stored.eventID, shownAtMilliseconds: stored.occurredAtMs, receivedAtMilliseconds: stored.receivedAtMs,
            audience: stored.audience, paywall: stored.paywall, origin: stored.origin,
            attributionVersion: stored.kept?.attributionVersion)
    }
}
