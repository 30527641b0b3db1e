// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
package import LandfallWire

/// A link that was followed, in a browser or in the app, with its result.
package struct FollowedLink: Hashable, Sendable {
    /// The link that was followed.
    let address: LinkAddress
    let path: LinkPath
    let parameters: LinkParameters
    package let decision: LinkDecision
    /// Where it leads in the app: a short link's destination, else the link itself. With the visitor's query and fragment, but
    /// without the visitor's tracking parameters.
    let resolved: String
    /// Labels of the stored link come first, then the tracking parameters of its destination and those of the visitor, then `utm_…`
    /// of the two in the same order.
    let labels: LinkLabels

    /// - Throws: ``InvalidLink`` if a part of it must not be followed.
    package init(
        _ address: LinkAddress, path: LinkPath, decision: LinkDecision, domains: LinkDomains
    ) throws(InvalidLink) {
        self.address = address
        self.path = path
        self.decision = decision
        parameters = try LinkParameters(address)
        var labels = LinkLabels(parameters)
        resolved = try Self.resolve(address, parameters, decision, domains)
        if let link = decision.link {
            if let target = try? LinkAddress(link.destination), let inner = try? LinkParameters(target) {
                labels = LinkLabels(inner).completed(with: labels).completed(with: LinkLabels(utm: target))
            }
            labels = link.labels.completed(with: labels)
        }
        self.labels = labels.completed(with: LinkLabels(utm: address))
    }

    var place: LinkPlace { LinkPlace(host: address.host ?? "", path: path) }

    private static func resolve(
        _ address: LinkAddress, _ parameters: LinkParameters, _ decision: LinkDecision, _ domains: LinkDomains
    ) throws(InvalidLink) -> String {
        guard let link = decision.link else { return address.text }
        // A deep link in the visitor's link counts only if it stays in the app.
        if let carried = parameters.deepLink, let inner = try? LinkAddress(carried), domains.owns(inner),
            inner.hasUsualPort || !inner.isWeb
        {
            return carried
        }
        return try merged(link.destination, with: address)
    }

    /// The destination with the visitor's query and fragment added, both as they were written: without tracking parameters, and
    /// without those that the destination has itself. If the result is too long for a link, it is the destination alone.
    /// - Throws: ``InvalidLink`` if the destination is not a link.
    package static func merged(_ destination: String, with visitor: LinkAddress) throws(InvalidLink) -> String {
        let target = try LinkAddress(destination)
        var merged = destination
        if visitor.query != nil {
            let taken = target.parameterNames
            merged = destination.adding(parameters: visitor.query { !LinkQueryItem($0).isTracking && !taken.contains($0) })
        }
        if target.fragment == nil, let fragment = visitor.fragmentWithoutTracking { merged += "#\(fragment)" }
        return merged.utf8.count <= LinkAddress.longest ? merged : destination
    }

    /// Percent-encoded, without `?`.
    static func text(of items: [LinkQueryItem]) -> String {
        // Tracking items do not count as parts of a destination, so each is written under a name that counts.
        items.map { item in
            let plain = LinkQueryItem(item.isTracking ? "x" + item.name : item.name, item.value)
            let text = Destination(path: [], query: [plain]).text(onHost: "h").dropFirst("https://h/?".count)
            return item.isTracking ? String(text.dropFirst()) : String(text)
        }.joined(separator: "&")
    }
}
