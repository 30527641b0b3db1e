// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// The server's rules for the links of the brand domains, as it said them last: content of `link-rules.json`.
struct KnownLinkRules: Hashable, StoredValue {
    static let currentFormat = 1

    private(set) var format = Self.currentFormat
    let rules: WireLinkRules

    /// - Returns: nil for rules that cannot be used.
    init?(_ rules: WireLinkRules) {
        guard rules.isValid else { return nil }
        self.rules = rules
    }
}

/// Which links the phone has to ask about: by the app's own rules, and by what the server says of the brand domains.
struct LinkRouting: Hashable, Sendable {
    let rules: LinkRules
    /// Nil until the server has said them once.
    var known: KnownLinkRules?

    /// A link is long if the app's ``LinkRules/longPaths`` or the server's patterns say so.
    func route(of link: LinkAddress) -> LinkRules.Route {
        let route = rules.route(of: link)
        return route == .ask && known?.rules.isLong(link) == true ? .direct : route
    }
}

extension LinkState {
    mutating func learn(_ known: KnownLinkRules) {
        routing.known = known
        hasNewRules = true
    }

    /// Links that turn out to be long need no answer. The answer to a question that is under way is still taken: it has the click.
    mutating func settleRules() {
        guard hasNewRules else { return }
        hasNewRules = false
        for (key, question) in questions where question.finding == nil && question.operation == nil {
            guard routing.route(of: question.link) == .direct else { continue }
            questions[key]?.finding = LinkTarget(status: .passedThrough, link: question.link)
            if question.recordsClick { leaveClick() }
        }
    }
}
