// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// What a phone says when its app opens, as far as the store keeps it.
struct Opening: Hashable, Sendable {
    var device: DeviceFacts
    var adToken: AdToken
    /// Set beside those that the profile has already.
    var attributes: [String: AttributeValue] = [:]
    /// Made after that, each once: a request that is delivered or sent again must not undo what came after it.
    var attributeChanges: [AttributeChanges] = []
    /// Links that waited for this open. One whose key was used before is left out.
    var links: [ClickReport] = []
    /// Nil does not ask.
    var deferred: DeferredClaim?
}

/// An install after an open, and what the open asked for.
struct Opened: Hashable, Sendable {
    let install: Install
    /// Nil where the open did not ask.
    var deferred: DeferredLinkAnswer?
}

/// An opening with all that is computed and drawn for it before its unit begins.
struct PreparedOpening: Sendable {
    let opening: Opening
    let tokenHash: TokenHash?
    fileprivate let changes: [(key: RequestKey, attributes: [String: AttributeValue?])]
    fileprivate let links: [(key: RequestKey, click: ProvenClick)]

    /// - Throws: ``InstallError/invalidValue(_:)``
    init(_ opening: Opening, nowMs: Int64) throws {
        try opening.adToken.checkLength()
        self.opening = opening
        tokenHash = if case .value(let text) = opening.adToken { TokenHash(of: text) } else { nil }
        changes = try opening.attributeChanges.map { (try RequestKey($0.key, .attributes, $0), $0.attributes) }
        links = try opening.links.map { (try $0.request, ProvenClick(report: $0, nowMs: nowMs)) }
    }

    var questions: InstallQuestions {
        var questions = InstallQuestions()
        questions.device = opening.device.deviceId?.cut(toBytes: Limits.deviceText)
        questions.token = tokenHash
        questions.keys = changes.map(\.key) + links.map(\.key)
        questions.link = opening.deferred
        questions.saying = opening.device
        questions.countsClicks = !links.isEmpty || opening.deferred != nil
        return questions
    }

    /// False where storing it would change nothing but the hour of the last visit, and that by less than an hour.
    func isNews(to install: Install, nowMs: Int64) -> Bool {
        install.device.updated(with: opening.device) != install.device
            || install.installedAtMs(saying: opening.device.installedAgeMilliseconds) != install.installedAtMs
            || opening.attributes.contains { install.attributes[$0.key] != $0.value }
            || !changes.isEmpty || isTokenNews(to: install) || !links.isEmpty || opening.deferred != nil
            || nowMs - install.lastSeenAtMs >= Install.lastSeenPrecision
    }

    private func isTokenNews(to install: Install) -> Bool {
        switch opening.adToken {
        case .coming: false
        case .none(let reason): reason != install.tokenNone
        case .value: tokenHash != install.exchange?.tokenHash
        }
    }
}

extension InstallRecord {
    /// - Returns: the link that the open asked for; nil where it did not ask.
    mutating func open(_ prepared: PreparedOpening) throws -> DeferredLinkAnswer? {
        let opening = prepared.opening
        install.describe(opening.device, firstOfDevice: answers.firstInstallOfDevice, nowMs: unit.nowMs)
        take(opening.adToken, prepared.tokenHash)

        var attributes: [String: AttributeValue?] = opening.attributes.mapValues { $0 }
        for change in prepared.changes where try keys.use(change.key) {
            attributes.merge(change.attributes) { _, new in new }
        }
        if !attributes.isEmpty { install.attributes = try AttributeRules.applying(attributes, to: install.attributes) }

        // All of them count together.
        var clicks: [AttributionFact] = []
        for link in prepared.links {
            // A key that stands for something else is the phone's mistake; its first open is worth more than that link.
            do { clicks += try record(link.key, link.click) } catch InstallError.keyReused(_) { continue }
        }
        if let claim = opening.deferred { clicks += take(claim) }
        install.credit(clicks)
        return opening.deferred.map { _ in DeferredLinkAnswer(answers.link.click) }
    }

    /// Keeps what the phone says of its token.
    mutating func take(_ token: AdToken, _ hash: TokenHash?) {
        switch token {
        case .coming: return
        case .none(let reason): install.tokenNone = reason
        case .value(let text):
            guard let hash else { return }
            queuedToken = QueuedToken(text, hash, of: install, answers.token, nowMs: unit.nowMs)
            if let queuedToken { install.exchange = queuedToken.exchange.newer(than: install.exchange) }
        }
    }

    /// The click of a link that reached the app.
    /// - Returns: what it says of the install; nothing where its key was used before.
    mutating func record(_ key: RequestKey, _ click: ProvenClick) throws -> [AttributionFact] {
        guard try keys.use(key) else { return [] }
        if let row = try click.insertion(platform: install.device.platform, in: unit) { additions.append(row) }
        return [click.report.fact(nowMs: unit.nowMs)].compactMap { $0 }
    }

    /// Takes the link that was tapped before the app was installed, if there is one.
    mutating func take(_ claim: DeferredClaim) -> [AttributionFact] {
        takenLink = answers.link
        return [takenLink.click?.fact(nowMs: unit.nowMs, windows: claim.windows)].compactMap { $0 }
    }
}
