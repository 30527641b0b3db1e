// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// The part of an opening app's report that the store keeps.
package struct Opening: Hashable, Sendable {
    var device: DeviceFacts
    var adToken: AdToken
    /// Nil if the open announces no token, or its answer is not held.
    var announced: AnnouncedToken?
    /// Until when answers wait for the purchases that the open announces. Nil if it announces none, or no audience reads them.
    var purchasesUntilMs: Int64?
    /// Set in addition to the profile's attributes.
    var attributes: [String: AttributeValue] = [:]
    /// Applied after `attributes`, each once: a repeated request must not undo a later change.
    var attributeChanges: [AttributeChanges] = []
    /// Links that waited for this open. A link whose key was used before is left out.
    var links: [ClickReport] = []
    /// Nil if the phone does not ask for a link.
    var deferred: DeferredClaim?
    /// Nil if the configuration has no experiment.
    var enrolling: Enrollment?
}

/// An install after an open, and the link that the open asked for.
package struct Opened: Hashable, Sendable {
    let install: Install
    /// Nil if the open did not ask.
    var deferred: DeferredLinkAnswer?
}

/// An opening with everything that is computed or drawn for it before its transaction begins.
struct PreparedOpening: Sendable {
    let opening: Opening
    let tokenHash: TokenHash?
    fileprivate let changes: [(key: RequestKey, change: AttributeChanges)]
    fileprivate let links: [(key: RequestKey, click: ProvenClick)]

    /// - Throws: ``InstallError/invalidValue(_:)``
    init(_ opening: Opening, nowMs: Int64) throws {
        try opening.adToken.checkLength()
        self.opening = opening
        tokenHash = if case .value(let text) = opening.adToken { TokenHash(of: text) } else { nil }
        changes = try opening.attributeChanges.map { (try RequestKey($0.key, .attributes, $0), $0) }
        links = try opening.links.map { (try $0.request, ProvenClick(report: $0, nowMs: nowMs)) }
    }

    var questions: InstallQuestions {
        var questions = InstallQuestions()
        questions.expectation = .nothing
        questions.device = opening.device.deviceId?.cut(toBytes: Limits.deviceText)
        questions.token = tokenHash
        questions.keys = changes.map(\.key) + links.map(\.key)
        questions.link = opening.deferred
        questions.saying = opening.device
        questions.countsClicks = !links.isEmpty || opening.deferred != nil
        questions.readsAssignments = opening.enrolling != nil
        return questions
    }

    /// True if it changes any install: then nothing has to be read to know that it must be stored.
    var isAlwaysNews: Bool { !changes.isEmpty || !links.isEmpty || opening.deferred != nil }

    /// False if storing it would change only the time of the last visit, by less than an hour of the same day.
    func isNews(to install: Install, nowMs: Int64) -> Bool {
        install.device.updated(with: opening.device) != install.device
            || install.installedAtMs(saying: opening.device.installedAgeMilliseconds) != install.installedAtMs
            || opening.attributes.contains { install.attributes[$0.key] != $0.value }
            || isAlwaysNews || install.isVisitNews(nowMs: nowMs) || isTokenNews(to: install, nowMs: nowMs)
            || arePurchasesNews(to: install, nowMs: nowMs)
    }

    /// False if the person's history is known: then nobody waits.
    fileprivate func arePurchasesNews(to install: Install, nowMs: Int64) -> Bool {
        install.arePurchasesComing(nowMs: nowMs) || install.arePurchasesComing(untilMs: opening.purchasesUntilMs ?? 0, nowMs: nowMs)
    }

    fileprivate func isTokenNews(to install: Install, nowMs: Int64) -> Bool {
        let isComing = install.isTokenComing(nowMs: nowMs)
        switch opening.adToken {
        case .coming:
            guard let announced = opening.announced else { return false }
            return announced.awaitedUntilMs(by: install, nowMs: nowMs) != (isComing ? install.tokenComingUntilMs : nil)
        case .none(let reason): return reason != install.tokenNone || isComing
        case .value: return tokenHash != install.exchange?.tokenHash || isComing
        }
    }
}

extension InstallRecord {
    /// - Returns: the link that the open asked for; nil if it did not ask.
    mutating func open(_ prepared: PreparedOpening) throws -> DeferredLinkAnswer? {
        let opening = prepared.opening
        install.describe(opening.device, firstOfDevice: answers.firstInstallOfDevice, nowMs: unit.nowMs)
        if prepared.arePurchasesNews(to: install, nowMs: unit.nowMs) { install.purchasesComingUntilMs = opening.purchasesUntilMs }
        // A reason that an open repeats is not worth a write.
        if opening.adToken.isValue || prepared.isTokenNews(to: install, nowMs: unit.nowMs) { take(opening.adToken, prepared.tokenHash) }

        var attributes: [String: AttributeValue?] = opening.attributes.mapValues { $0 }
        for (key, change) in prepared.changes where try keys.use(key) && isAboutPerson(change) {
            attributes.merge(change.attributes) { _, new in new }
        }
        if !attributes.isEmpty { install.attributes = try AttributeRules.applying(attributes, to: install.attributes) }

        // All clicks of the open count together.
        var clicks: [AttributionFact] = []
        for link in prepared.links {
            // A key that was used for another request is the phone's mistake. That link is skipped, so that the first open
            // still succeeds.
            do { clicks += try record(link.key, link.click) } catch InstallError.keyReused(_) { continue }
        }
        if let claim = opening.deferred { clicks += take(claim) }
        install.credit(clicks)
        let deferred = opening.deferred.map { _ in DeferredLinkAnswer(answers.link.click) }, isLinkPending = deferred == .pending
        if let announced = opening.announced {
            install.tokenComingUntilMs = announced.awaitedUntilMs(by: install, isLinkPending: isLinkPending, nowMs: unit.nowMs)
        }
        if let enrolling = opening.enrolling { install.enrol(by: enrolling, isLinkPending: isLinkPending, nowMs: unit.nowMs) }
        return deferred
    }

    /// Stores the phone's report about its token.
    mutating func take(_ token: AdToken, _ hash: TokenHash?) {
        switch token {
        case .coming: return
        case .none(let reason):
            install.tokenNone = reason
            install.tokenCalledOffAtMs = max(unit.storeNowMs, install.tokenCalledOffAtMs ?? unit.storeNowMs)
        case .value(let text):
            guard let hash else { return }
            queuedToken = QueuedToken(text, hash, of: install, answers.token, nowMs: unit.nowMs)
            queuedToken?.lease = tokenLease
            if let queuedToken { install.exchange = queuedToken.exchange.newer(than: install.exchange) }
        }
        install.tokenComingUntilMs = nil
    }

    /// The click of a link that reached the app.
    /// - Returns: the attribution facts of the click; none if its key was used before.
    mutating func record(_ key: RequestKey, _ click: ProvenClick) throws -> [AttributionFact] {
        guard try keys.use(key) else { return [] }
        if let row = try click.insertion(platform: install.device.platform, in: unit) { additions.append(row) }
        openedLinks.append(click.report)
        return [click.report.fact(nowMs: unit.nowMs)].compactMap { $0 }
    }

    /// Takes the link that was tapped before the app was installed, if there is one.
    mutating func take(_ claim: DeferredClaim) -> [AttributionFact] {
        takenLink = answers.link
        return [takenLink.click?.fact(nowMs: unit.nowMs, windows: claim.windows)].compactMap { $0 }
    }
}
