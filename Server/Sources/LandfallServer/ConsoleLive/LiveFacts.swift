// SPDX-License-Identifier: Apache-2.0
import LandfallPages
import LandfallWire

/// How facts of the other features become rows.
extension LiveFeed {
    /// An install is on disk.
    /// - Parameter facts: the statements about its source that it did not have before.
    func changed(_ install: Install, isNew: Bool, adding facts: [AttributionFact], nowMs: Int64) {
        if isNew {
            // The row names no install: members who may not see people read it too.
            let device = install.device, known = [device.platform, device.country, device.appVersion].compactMap { $0 }
            add(
                .firstOpen, atMs: nowMs, known.isEmpty ? "–" : known.joined(separator: " · "),
                Self.details([
                    (.install, install.id.rawValue), (.platform, device.platform), (.country, device.country),
                    (.version, device.appVersion),
                ]))
        }
        for fact in facts where fact.status == .nonOrganic {
            let campaign = fact.appleAds?.campaignId.map { String($0) } ?? fact.campaign
            add(
                .attribution, atMs: nowMs, [fact.source.rawValue, campaign].compactMap { $0 }.joined(separator: " › "),
                Self.details([(.source, fact.source.rawValue), (.campaign, campaign), (.install, install.id.rawValue)]))
        }
    }

    /// A click is on disk. Bots, previews and requests for the head are left out.
    func tapped(_ click: Click) {
        guard click.kind == .person, hasRoom(forTapAtMs: click.atMs) else { return }
        add(
            .tap, atMs: click.atMs, click.host + click.path.text,
            Self.details([
                (.link, "https://" + click.host + click.path.text), (.platform, click.platform.rawValue), (.country, click.country),
                (.outcome, click.outcome.rawValue), (.campaign, click.labels.campaign),
            ]))
    }

    /// Events are on disk. Only shown paywalls are news.
    func stored(_ events: [Event], of install: InstallID, nowMs: Int64) {
        for event in events where event.type == .paywallShown {
            add(
                .exposure, atMs: nowMs, [event.placement?.rawValue, event.paywall?.rawValue].compactMap { $0 }.joined(separator: " › "),
                Self.details([
                    (.placement, event.placement?.rawValue), (.paywall, event.paywall?.rawValue), (.audience, event.audience?.rawValue),
                    (.variation, event.variationId?.rawValue), (.install, install.rawValue),
                ]))
        }
    }

    private static func details(_ pairs: [(LiveRow.DetailName, String?)]) -> [LiveRow.Detail] {
        pairs.compactMap { name, value in value.map { LiveRow.Detail(name, $0) } }
    }
}

/// Stores clicks as the store behind it does, and tells the feed once they are on disk.
struct WatchedClicks: ClickStore {
    let store: any ClickStore
    let feed: LiveFeed

    func record(_ entry: ClickEntry, of app: AppID, then: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        store.record(entry, of: app) { [feed] result in
            if case .success = result { feed.tapped(entry.click) }
            then(result)
        }
    }
}
