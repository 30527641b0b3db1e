// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import LandfallRules
import LandfallServer
import LandfallWire

/// What happens at a tap, told by the code that answers browsers. The link need not be stored.
struct LinkTapPreview: Sendable {
    let links: Links
    let snapshot: Snapshot
    let nowMs: Int64

    /// - Returns: nothing for a link of an old domain, which only the app follows.
    func happenings(_ link: StoredLink) -> [LinkTapOutcome] {
        guard snapshot.brandDomain(link.host) != nil else { return [] }
        var happenings: [LinkTapOutcome] = []
        for (platform, device, isInApp) in [
            (BrowserPlatform.ios, LinkTapOutcome.Device.ios, false), (.ios, .ios, true), (.android, .android, false),
            (.android, .android, true), (.desktop, .desktop, false), (.ipadOrMac, .ipadOrMac, false),
        ] {
            let visitor = LinkVisitor(kind: .person, platform: platform, isInApp: isInApp, isMac: platform == .ipadOrMac)
            let question = LinkQuestion(host: link.host, target: link.path.text, visitor: visitor, isAhead: false)
            guard let reply = try? links.reply(to: question, with: link, in: snapshot, nowMs: nowMs) else { return [] }
            let outcome = Self.outcome(reply, on: platform), opens = !isInApp && opensApp(link, on: platform)
            happenings.append(LinkTapOutcome(device: device, isInApp: isInApp, installed: opens ? .app : outcome, missing: outcome))
        }
        return happenings
    }

    /// True if the system hands the tap to the app, by the association files of the domain. In-app browsers often do not.
    private func opensApp(_ link: StoredLink, on platform: BrowserPlatform) -> Bool {
        let app = snapshot.app
        return switch platform {
        case .ios, .ipadOrMac: app.teamID != nil && !app.association.excluded.contains { $0.matches(link.path) }
        case .android: app.android?.certificates.isEmpty == false
        case .desktop: false
        }
    }

    private static func outcome(_ reply: LinkReply, on platform: BrowserPlatform) -> LinkTapOutcome.Outcome {
        switch reply.form {
        case .missing, .expired, .early: return .expired
        case .tooSoon, .preview: return .page([])
        case .redirect(let head):
            let address = head.fields[.location] ?? ""
            return reply.outcome == .store ? .store(address) : .web(address)
        case .page(let opening):
            let handover = reply.link.decision.link?.handover ?? LinkHandover()
            let ways: [(LinkTapOutcome.Way, Bool)] = [
                (.app, opening.appAddress != nil), (.store, opening.storeAddress != nil), (.web, opening.webAddress != nil),
                (.pasteboard, handover.pasteboard && (platform == .ios || platform == .ipadOrMac)), (.code, handover.code),
                (.scan, platform == .desktop || platform == .ipadOrMac),
            ]
            return .page(ways.filter(\.1).map(\.0))
        }
    }

    /// What messengers show; nil for a link of an old domain.
    func preview(_ link: StoredLink, in language: Language) -> LinkCard? {
        guard let domain = snapshot.brandDomain(link.host), let followed = try? links.follow(link, in: snapshot, nowMs: nowMs)
        else { return nil }
        let page = snapshot.linkPages(of: domain).speaking(language.tag).preview(followed)
        return LinkCard(title: page.title, text: page.text, image: page.image)
    }
}
