// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// A link that reached the app: the answer for the phone, and the click to record.
struct OpenedLink: Hashable, Sendable {
    let answer: LinkOpenAnswer
    /// Nil if nothing is recorded: sign-in answers, links that lead nowhere, links of other sites without parameters.
    let click: InAppClick?
}

/// The click of a link that reached the app.
struct InAppClick: Hashable, Sendable {
    enum Outcome: String, Sendable { case app, expired }

    /// The host of a web address; for other schemes the scheme, with its colon.
    let host: String
    let path: String
    let outcome: Outcome
    let labels: LinkLabels
    let parameters: [String: String]
    /// The code by which audiences know a stored link: its host and path.
    let code: String?
    /// True if it tells where the user came from: labels of a stored link, or a tracker or campaign as a parameter.
    let attributes: Bool
    /// What kind of brand-domain link it is; nil for every other link.
    let decision: LinkDecision?

    init(_ followed: FollowedLink, host: String) {
        let isOpen = followed.decision.isOpen
        let stored = followed.decision.link
        decision = followed.decision
        self.host = host
        path = (stored == nil ? ClickLimits.cut(followed.path) : followed.path).text
        outcome = isOpen ? .app : .expired
        labels = followed.labels
        parameters = ClickLimits.kept(followed.parameters.others)
        code = isOpen ? stored.map { $0.host + $0.path.text } : nil
        attributes = isOpen && (stored?.labels.isEmpty == false || labels.tracker != nil || labels.campaign != nil)
    }

    /// A link that is not on a brand domain.
    init(_ address: LinkAddress, _ parameters: LinkParameters) {
        host = (address.host ?? address.scheme + ":").cut(toBytes: ClickLimits.place)
        path = ClickLimits.cut(LinkPath(stored: address.isWeb ? address.path : address.authority + address.path)).text
        outcome = .app
        labels = LinkLabels(address, parameters)
        self.parameters = ClickLimits.kept(parameters.others)
        code = nil
        decision = nil
        attributes = labels.tracker != nil || labels.campaign != nil
    }
}

extension Links {
    /// The result of a link that reached the app. A link that must not be followed is an answer, not an error.
    /// - Parameters:
    ///   - caller: the phone's address, for bounds; nil has none.
    ///   - country: of the phone, for links that lead elsewhere by country.
    /// - Throws: what the store throws.
    func open(
        _ url: String, in snapshot: Snapshot, from caller: ClientAddress?, country: String? = nil, nowMs: Int64
    ) async throws -> OpenedLink {
        do {
            let address = try LinkAddress(url)
            // It contains a secret: nothing of it is kept.
            if address.carriesCredential { return OpenedLink(.passedThrough, url) }
            if let old = address.host.flatMap({ snapshot.oldDomain($0) }) {
                return try await open(address, url, on: old, in: snapshot, from: caller, country: country, nowMs: nowMs)
            }
            guard let followed = try await follow(address, in: snapshot, country: country, nowMs: nowMs) else {
                return try passThrough(address, in: snapshot)
            }
            let host = address.host ?? ""
            switch followed.decision {
            case .stored:
                return OpenedLink(.resolved, url, followed.resolved, click: InAppClick(followed, host: host))
            case .expired, .early: return OpenedLink(.expired, url, click: InAppClick(followed, host: host))
            case .ownPath, .tracked: return OpenedLink(.passedThrough, url, click: InAppClick(followed, host: host))
            case .reserved, .notFound: return OpenedLink(.notFound, url)
            }
        } catch is InvalidLink {
            return OpenedLink(.invalid, url)
        }
    }

    private func passThrough(_ address: LinkAddress, in snapshot: Snapshot) throws(InvalidLink) -> OpenedLink {
        let parameters = try LinkParameters(address)
        let isWorthIt = snapshot.linkDomains.owns(address) || !parameters.isEmpty
        return OpenedLink(.passedThrough, address.text, click: isWorthIt ? InAppClick(address, parameters) : nil)
    }
}

extension OpenedLink {
    init(_ status: LinkStatus, _ original: String, _ resolved: String? = nil, click: InAppClick? = nil) {
        answer = LinkOpenAnswer(status: status, original: original, resolved: resolved)
        self.click = click
    }
}
