// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallWire

/// A fact of another feature, in the form in which Live shows it.
package struct LiveFact: Sendable {
    package let kind: LiveRow.Kind
    /// When the server received it.
    package let atMs: Int64
    package let subject: String
    package let details: [LiveRow.Detail]
    /// See ``LiveRow/key``.
    package private(set) var key: Int64?

    private init(_ kind: LiveRow.Kind, _ atMs: Int64, _ subject: [String?], _ details: [(LiveRow.DetailName, String?)], between: String) {
        let known = subject.compactMap(\.self)
        self.kind = kind
        self.atMs = atMs
        self.subject = known.isEmpty ? "–" : known.joined(separator: between)
        self.details = details.compactMap { name, value in value.map { LiveRow.Detail(name, $0) } }
    }

    /// The same fact of the store has the same key on every node. Who may not see people does not learn from it whom the fact is about,
    /// also not by trying ids that they know: it depends on the store's own id, which no answer contains.
    package func stored(as id: String, in store: StoreMark) -> LiveFact {
        var code = KeyedCode(key: Array(store.id.utf8.prefix(64)))
        code.add(kind.rawValue + " " + id)
        var fact = self
        fact.key = code.number
        return fact
    }

    /// The row does not begin with the install: members who may not see people read it too.
    package static func firstOpen(of install: InstallID, on device: DeviceFacts, atMs: Int64) -> LiveFact {
        LiveFact(
            .firstOpen, atMs, [device.platform, device.country, device.appVersion],
            [
                (.install, install.rawValue), (.platform, device.platform), (.country, device.country), (.version, device.appVersion),
            ], between: " · ")
    }

    /// Nil for a statement that names no source: Live does not show it.
    package static func attribution(_ fact: AttributionFact, of install: InstallID, atMs: Int64) -> LiveFact? {
        guard fact.status == .nonOrganic else { return nil }
        return LiveFact(
            .attribution, atMs, [fact.source.rawValue, fact.campaignKey],
            [(.source, fact.source.rawValue), (.campaign, fact.campaignKey), (.install, install.rawValue)], between: " › ")
    }

    /// - Parameter link: host and path.
    package static func tap(
        on link: String, platform: String, country: String?, outcome: String, campaign: String?, atMs: Int64
    ) -> LiveFact {
        LiveFact(
            .tap, atMs, [link],
            [
                (.link, "https://" + link), (.platform, platform), (.country, country), (.outcome, outcome), (.campaign, campaign),
            ], between: "")
    }

    package static func exposure(
        _ placement: String?, _ paywall: String?, audience: String?, variation: String?, install: String, atMs: Int64
    ) -> LiveFact {
        LiveFact(
            .exposure, atMs, [placement, paywall],
            [
                (.placement, placement), (.paywall, paywall), (.audience, audience), (.variation, variation), (.install, install),
            ], between: " › ")
    }
}

/// What the other features report to the feed.
extension LiveFeed {
    /// An install is on disk.
    /// - Parameter facts: the statements about its source that it did not have before.
    func changed(_ install: Install, isNew: Bool, adding facts: [AttributionFact], nowMs: Int64) {
        if isNew { add(.firstOpen(of: install.id, on: install.device, atMs: nowMs)) }
        for fact in facts.compactMap({ LiveFact.attribution($0, of: install.id, atMs: nowMs) }) { add(fact) }
    }

    /// A click is on disk. Bots, previews and requests for the head are left out.
    func tapped(_ click: Click) {
        guard click.kind == .person, hasRoom(forTapAtMs: click.atMs) else { return }
        add(
            .tap(
                on: click.host + click.path.text, platform: click.platform.rawValue, country: click.country,
                outcome: click.outcome.rawValue, campaign: click.labels.campaign, atMs: click.atMs))
    }

    /// Events are on disk. Only shown paywalls are news.
    func stored(_ events: [Event], of install: InstallID, nowMs: Int64) {
        for event in events where event.type == .paywallShown {
            add(
                .exposure(
                    event.placement?.rawValue, event.paywall?.rawValue, audience: event.audience?.rawValue,
                    variation: event.variationId?.rawValue, install: install.rawValue, atMs: nowMs))
        }
    }
}

/// Stores clicks as the store behind it does, and tells the feed once they are on disk.
package struct WatchedClicks: ClickStore {
    package let store: any ClickStore
    package let feed: LiveFeed

    package init(store: any ClickStore, feed: LiveFeed) {
        (self.store, self.feed) = (store, feed)
    }

    package func record(_ entry: ClickEntry, of app: AppID, then: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        store.record(entry, of: app) { [feed] result in
            if case .success = result { feed.tapped(entry.click) }
            then(result)
        }
    }
}
